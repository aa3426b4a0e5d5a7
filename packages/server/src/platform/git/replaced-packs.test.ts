import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createGitStore } from './git-store.ts';
import { type NamedObject, withId } from './objects/object.ts';
import { createPackWriter } from './packs/pack-writer.ts';

const folder = mkdtempSync(join(tmpdir(), 'moonbase-replaced-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const store = () => createGitStore(folder, { durable: false });
const packsOf = (id: string) => join(store().folderOf(id), 'objects', 'pack');
const blobOf = (content: string | Buffer): NamedObject => withId({ type: 'blob', body: Buffer.from(content) });

let made = 0;
async function newRepository(): Promise<string> {
  const id = (made++).toString(16).padStart(24, '0');
  await store().create(id);
  return id;
}

async function writePack(folderOfPacks: string, objects: readonly NamedObject[]): Promise<void> {
  const pack = await createPackWriter(folderOfPacks, { durable: false });
  for (const object of objects) await pack.add(object);
  await pack.finish();
}

const hasGit = (() => {
  try {
    execFileSync('git', ['--version']);
    return true;
  } catch {
    return false;
  }
})();

function git(id: string, ...args: readonly string[]): string {
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: folder };
  return execFileSync('git', ['--git-dir', store().folderOf(id), ...args], { env, stdio: 'pipe' })
    .toString()
    .trim();
}

describe('a pack that is replaced', () => {
  test('is read to its end by whoever has begun', async () => {
    const id = await newRepository();
    const large = blobOf(Buffer.alloc(20_000_000, 'moonbase'));
    await writePack(packsOf(id), [large]);
    const { body } = await store().open(id).stream(large.id);
    for (const name of await readdir(packsOf(id))) await rm(join(packsOf(id), name));
    let received = 0;
    for await (const chunk of body) received += chunk.length;
    expect(received).toBe(20_000_000);
  });

  test('is found under its new name, also where the old one was just known', async () => {
    const id = await newRepository();
    const objects = Array.from({ length: 30 }, (_, at) => blobOf(`blob ${at}`));
    await writePack(packsOf(id), objects);
    const repository = store().open(id);
    const [first] = objects;
    expect((await repository.read(first?.id ?? '')).body.toString()).toBe('blob 0');
    const before = await readdir(packsOf(id));
    await writePack(packsOf(id), [...objects, blobOf('one more')]);
    for (const name of before) await rm(join(packsOf(id), name));
    for (const [at, { id: object }] of objects.entries()) {
      expect(await repository.header(object)).toEqual({ type: 'blob', size: `blob ${at}`.length });
      expect((await repository.read(object)).body.toString()).toBe(`blob ${at}`);
    }
  });

  test('is found although its folder has changed within one tick of the clock', async () => {
    const id = await newRepository();
    const [one, other] = [blobOf('one'), blobOf('other')];
    await writePack(packsOf(id), [one]);
    const repository = store().open(id);
    const { mtime } = await stat(packsOf(id));
    expect(await repository.has(one.id)).toBe(true);
    await writePack(packsOf(id), [other]);
    await utimes(packsOf(id), mtime, mtime);
    expect(await repository.has(other.id)).toBe(true);
  });

  test('whose index was left behind counts for nothing', async () => {
    const id = await newRepository();
    const blob = blobOf('twice');
    await writePack(packsOf(id), [blob]);
    const [pack = ''] = (await readdir(packsOf(id))).filter((name) => name.endsWith('.pack'));
    await writePack(packsOf(id), [blob, blobOf('another')]);
    await rm(join(packsOf(id), pack));
    expect((await store().open(id).read(blob.id)).body.toString()).toBe('twice');
  });
});

test('other files among packs are left alone, and old remains of git are deleted', async () => {
  const id = await newRepository();
  await writePack(packsOf(id), [blobOf('kept')]);
  const [index = ''] = (await readdir(packsOf(id))).filter((name) => name.endsWith('.idx'));
  const own = ['multi-pack-index', `multi-pack-index-${'a'.repeat(40)}.bitmap`, index.replace('.idx', '.mtimes')];
  own.push(index.replace('.idx', '.keep'), index.replace('.idx', '.rev'), index.replace('.idx', '.bitmap'));
  const remains = ['tmp_pack_Ab12Cd', 'tmp_idx_Ab12Cd', `.tmp-123-pack-${'b'.repeat(40)}.pack`];
  remains.push('multi-pack-index.lock', `pack-${'c'.repeat(40)}.rev`, `pack-${'d'.repeat(40)}.idx`);
  for (const name of [...own, ...remains]) await writeFile(join(packsOf(id), name), 'x');
  const before = new Set(await readdir(packsOf(id)));
  await store().deleteLeftovers(id, Date.now() - 3_600_000);
  expect(new Set(await readdir(packsOf(id)))).toEqual(before);
  for (const name of before) await utimes(join(packsOf(id), name), 1_000_000_000, 1_000_000_000);
  await store().deleteLeftovers(id, Date.now() - 3_600_000);
  expect(new Set(await readdir(packsOf(id)))).toEqual(new Set([...before].filter((name) => !remains.includes(name))));
});

describe.skipIf(!hasGit)('while stock git repacks again and again', () => {
  /** Creates a repository of loose objects and packs; returns the ids of all objects. */
  async function filled(id: string): Promise<string[]> {
    const stream = Array.from({ length: 60 }, (_, at) =>
      [
        `commit refs/heads/main\ncommitter A <a@b> ${1_700_000_000 + at} +0000\ndata 2\n${at % 10}\n`,
        `M 644 inline file-${at % 7}\ndata ${4 + String(at).length}\ntext${at}\n`,
      ].join(''),
    );
    execFileSync('git', ['--git-dir', store().folderOf(id), 'fast-import', '--quiet'], { input: stream.join('') });
    await store().writeLoose(
      id,
      Array.from({ length: 100 }, (_, at) => blobOf(`loose ${at}`)),
    );
    return git(id, 'cat-file', '--batch-all-objects', '--batch-check=%(objectname)').split('\n');
  }

  /** Replaces packs in every way until the work is done. */
  async function repackDuring<T>(id: string, work: () => Promise<T>): Promise<T> {
    let isOver = false;
    const working = work().finally(() => {
      isOver = true;
    });
    const ways = [
      ['repack', '-adfq', '--write-midx', '--write-bitmap-index', '--keep-unreachable'],
      ['repack', '-dq', '--geometric=2', '--write-midx', '--write-bitmap-index'],
      ['repack', '-dq', '--cruft', '--write-midx'],
    ];
    for (let at = 0; !isOver; at++) {
      const args = ways[at % ways.length] ?? [];
      // Asynchronous: the work is in this process.
      await new Promise<void>((resolve, reject) => {
        execFile('git', ['--git-dir', store().folderOf(id), ...args], (error) => (error ? reject(error) : resolve()));
      });
      const blobs = [blobOf(`more ${at}`), blobOf(`and more ${at}`)];
      await store().writeLoose(id, blobs);
    }
    return working;
  }

  test('every object can be read all the time', async () => {
    const id = await newRepository();
    const ids = await filled(id);
    const reads = await repackDuring(id, async () => {
      let count = 0;
      for (let pass = 0; pass < 6; pass++) {
        // Another store has nothing in its cache.
        const repository = store().open(id);
        for (const object of ids) {
          if (pass % 3 === 0) await repository.read(object);
          else if (pass % 3 === 1) expect(await repository.has(object)).toBe(true);
          else for await (const _ of (await repository.stream(object)).body) count += 0;
          count += 1;
        }
      }
      return count;
    });
    expect(reads).toBe(6 * ids.length);
  });

  test('every object is written, also into folders that git has just found empty', async () => {
    const id = await newRepository();
    await filled(id);
    const blobs = Array.from({ length: 1500 }, (_, at) => blobOf(`written ${at}`));
    await repackDuring(id, async () => {
      for (let at = 0; at < blobs.length; at += 5) await store().writeLoose(id, blobs.slice(at, at + 5));
    });
    const repository = store().open(id);
    for (const { id: object } of blobs) expect(await repository.has(object)).toBe(true);
  });

  test('copies and backups have every object', async () => {
    const id = await newRepository();
    const ids = await filled(id);
    const backup = createGitStore(join(folder, 'backup'), { durable: false });
    const copies = await repackDuring(id, async () => {
      const made: string[] = [];
      for (let pass = 0; pass < 6; pass++) {
        const copy = await newRepository();
        await store().copy(id, copy);
        made.push(copy);
        expect(await store().archive(id, backup)).toEqual([]);
      }
      return made;
    });
    for (const copy of copies) {
      expect(await readdir(packsOf(copy))).not.toContain('multi-pack-index');
      for (const object of ids) expect(await store().open(copy).has(object)).toBe(true);
    }
    for (const object of ids) expect(await backup.open(id).has(object)).toBe(true);
  });

  test('the pack of unreachable objects is read and copied like any other', async () => {
    const id = await newRepository();
    const blob = blobOf('unreachable');
    await filled(id);
    await store().writeLoose(id, [blob]);
    git(id, 'repack', '-dq', '--cruft');
    expect(await store().setApart(id)).toMatchObject({ objects: 101 });
    expect((await store().open(id).read(blob.id)).body.toString()).toBe('unreachable');
    const copy = await newRepository();
    await store().copy(id, copy);
    expect((await store().open(copy).read(blob.id)).body.toString()).toBe('unreachable');
    expect(await store().setApart(copy)).toMatchObject({ objects: 0 });
    await rename(packsOf(copy), `${packsOf(copy)}-away`);
    expect(await store().open(id).has(blob.id)).toBe(true);
  });
});
