import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { encodeCommit } from '../src/platform/git/objects/commit.ts';
import { type GitObject, withId } from '../src/platform/git/objects/object.ts';
import { encodeIndex } from '../src/platform/git/packs/pack-index.ts';
import { contentHub, type Item, jsonOf, pathsOf } from './content-hub.ts';
import { knownGitStore } from './git-folder.ts';

const MEBIBYTE = 1024 * 1024;
const PERSON = { name: 'Eve', email: 'eve@example.com', time: 1_700_000_000_000 };

/** Encodes a tree as it is given: in this order, with these names. */
const treeOf = (...entries: readonly (readonly [modeAndName: string | Buffer, id: string])[]): Buffer =>
  Buffer.concat(entries.flatMap(([entry, id]) => [Buffer.from(entry), Buffer.from([0]), Buffer.from(id, 'hex')]));

interface PlantedEntry {
  readonly id: string;
  readonly header: readonly number[];
  readonly inflated: Buffer;
}

/** Starts a hub and writes objects to the folder of `ada/m` without the hub's writer. */
async function withHostileObjects() {
  const gitStore = knownGitStore();
  const at = await contentHub({ gitStore });
  const { _id } = await jsonOf<{ _id: string }>(await at.ask('/api/models/ada/m'));
  const objects = join(gitStore.folderOf(_id), 'objects');

  async function plantBytes(id: string, inflated: Buffer): Promise<string> {
    await mkdir(join(objects, id.slice(0, 2)), { recursive: true });
    await writeFile(join(objects, id.slice(0, 2), id.slice(2)), deflateSync(inflated));
    return id;
  }
  const plant = (object: GitObject): Promise<string> =>
    plantBytes(withId(object).id, Buffer.concat([Buffer.from(`${object.type} ${object.body.length}\0`), object.body]));
  const blob = (text: string) => plant({ type: 'blob', body: Buffer.from(text) });
  /** Lets `main` lead to a tree. */
  async function serve(tree: Buffer): Promise<void> {
    const root = await plant({ type: 'tree', body: tree });
    const body = encodeCommit({ tree: root, parents: [], author: PERSON, committer: PERSON, message: 'Hostile' });
    const sha = await plant({ type: 'commit', body });
    await at.hub.database.transaction(async (tx) => {
      await tx.updateTable('refs').set({ sha }).where('repo_id', '=', _id).execute();
      await tx.updateTable('repositories').set({ head_sha: sha }).where('id', '=', _id).execute();
    });
  }
  /** Writes a pack with its index. */
  async function plantPack(...entries: readonly PlantedEntry[]): Promise<void> {
    let content = Buffer.from(`PACK\0\0\0\x02\0\0\0${String.fromCharCode(entries.length)}`, 'latin1');
    const indexed = entries.map(({ id, header, inflated }) => {
      const bytes = Buffer.concat([Buffer.from(header), deflateSync(inflated)]);
      const offset = content.length;
      content = Buffer.concat([content, bytes]);
      return { id, crc: crc32(bytes), offset };
    });
    const hash = createHash('sha1').update(content).digest();
    const path = join(objects, 'pack', `pack-${hash.toString('hex')}`);
    await mkdir(join(objects, 'pack'), { recursive: true });
    await writeFile(`${path}.pack`, Buffer.concat([content, hash]));
    await writeFile(`${path}.idx`, encodeIndex(indexed, hash));
  }
  /** Returns the status of a download, and how many bytes came; undefined if it broke off. */
  async function download(path: string): Promise<{ status: number; bytes: number | undefined }> {
    const response = await at.ask(`/ada/m/resolve/main/${path}`);
    const bytes = await response.arrayBuffer().then(
      ({ byteLength }) => byteLength,
      () => undefined,
    );
    return { status: response.status, bytes };
  }
  const stillWorks = async () => expect((await at.ask('/api/models/ada/m/refs')).status).toBe(200);
  return { ...at, objects, blob, plant, plantBytes, plantPack, serve, download, stillWorks };
}

describe('an object that inflates to more than its header says', () => {
  test('is never sent as the file that it claims to be', async () => {
    await using at = await withHostileObjects();
    const bomb = (id: string, claimed: number, size: number) =>
      at.plantBytes(id, Buffer.concat([Buffer.from(`blob ${claimed}\0`), Buffer.alloc(size)]));
    const small = await bomb('1'.repeat(40), 10, 2 * MEBIBYTE);
    const large = await bomb('2'.repeat(40), 300_000, 2 * MEBIBYTE);
    const short = await bomb('3'.repeat(40), 300_000, 1000);
    await at.serve(treeOf(['100644 large', large], ['100644 short', short], ['100644 small', small]));
    expect(await at.download('small')).toMatchObject({ status: 500 });
    expect(await at.download('short')).toMatchObject({ status: 500 });
    expect((await at.download('large')).bytes).toBeUndefined();
    await at.stillWorks();
  });

  test('is refused as a tree and as a commit', async () => {
    await using at = await withHostileObjects();
    const bomb = Buffer.concat([Buffer.from('tree 10\0'), Buffer.alloc(17 * MEBIBYTE)]);
    await at.serve(treeOf(['40000 folder', await at.plantBytes('4'.repeat(40), bomb)]));
    expect((await at.ask('/api/models/ada/m/tree/main/folder')).status).toBe(500);
    expect(await at.download('folder/x')).toMatchObject({ status: 500 });
    expect(await at.commit({ files: { 'folder/x': '' } })).toMatchObject({ status: 500 });
    expect(await at.commit({ files: { other: '' } })).toMatchObject({ status: 200 });
  });
});

describe('a pack', () => {
  const deltaOn = (baseId: string, id: string, ...bytes: number[]): PlantedEntry => {
    const header = [0x70 | bytes.length, ...Buffer.from(baseId, 'hex')];
    return { id, header, inflated: Buffer.from(bytes) };
  };
  const [FIRST, SECOND] = ['5'.repeat(40), '6'.repeat(40)];

  test('whose deltas have no base, or are bases of each other, has no such file', async () => {
    await using at = await withHostileObjects();
    const without = '7'.repeat(40);
    await at.plantPack(
      deltaOn(SECOND, FIRST, 3, 1, 1, 0x61),
      deltaOn(FIRST, SECOND, 3, 1, 1, 0x61),
      deltaOn('9'.repeat(40), without, 3, 1, 1, 0x61),
    );
    await at.serve(treeOf(['100644 loop', FIRST], ['100644 without', without]));
    for (const name of ['loop', 'without']) expect(await at.download(name)).toMatchObject({ status: 500 });
    await at.stillWorks();
  });

  test('whose delta or entry claims four gigabytes is not given the memory', async () => {
    await using at = await withHostileObjects();
    const [base, entry] = ['7'.repeat(40), '8'.repeat(40)];
    await at.plantPack(
      { id: base, header: [0x33], inflated: Buffer.from('abc') },
      deltaOn(base, FIRST, 3, ...[0x80, 0x80, 0x80, 0x80, 0x10], 0x90, 3),
      { id: entry, header: [0xb0, 0x80, 0x80, 0x80, 0x80, 0x01], inflated: Buffer.from('abc') },
    );
    await at.serve(treeOf(['100644 delta', FIRST], ['100644 entry', entry]));
    const before = process.memoryUsage().arrayBuffers;
    expect(await at.download('delta')).toMatchObject({ status: 500 });
    expect(await at.download('entry')).toMatchObject({ status: 500 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * MEBIBYTE);
    await at.stillWorks();
  });

  test('whose index claims more objects than it has is not given the memory', async () => {
    await using at = await withHostileObjects();
    const fanout = Buffer.alloc(256 * 4, Buffer.from([0x07, 0xff, 0xff, 0xff]));
    const magic = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
    await mkdir(join(at.objects, 'pack'), { recursive: true });
    await writeFile(join(at.objects, 'pack', `pack-${'a'.repeat(40)}.idx`), Buffer.concat([magic, fanout]));
    await at.serve(treeOf(['100644 missing', '0'.repeat(40)]));
    const before = process.memoryUsage().arrayBuffers;
    expect(await at.download('missing')).toMatchObject({ status: 500 });
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(256 * MEBIBYTE);
  });
});

describe('a tree', () => {
  test('with names that lead elsewhere, twice or out of order is refused wherever it is read', async () => {
    await using at = await withHostileObjects();
    const id = await at.blob('x');
    const folder = await at.plant({ type: 'tree', body: treeOf(['100644 x', id]) });
    for (const tree of [
      treeOf(['40000 .git', folder]),
      treeOf(['40000 .GiT', folder]),
      treeOf(['40000 ..', folder]),
      treeOf(['40000 .', folder]),
      treeOf(['100644 a/b', id]),
      treeOf(['100644 a', id], ['100644 a', id]),
      treeOf(['100644 a', id], ['40000 a', folder]),
      treeOf(['100644 b', id], ['100644 a', id]),
      treeOf(['100644 a', id]).subarray(0, -1),
    ]) {
      await at.serve(tree);
      for (const path of ['/api/models/ada/m/tree/main?recursive=true', '/ada/m/resolve/main/a'])
        expect((await at.ask(path)).status).toBe(500);
      expect(await at.commit({ files: { c: '' } })).toMatchObject({ status: 500 });
      await at.stillWorks();
    }
  });

  test('with links out of it, submodules and names that are not UTF-8 is listed, and a commit keeps them', async () => {
    await using at = await withHostileObjects();
    const [target, text] = [await at.blob('../../../../etc/passwd'), await at.blob('text')];
    const name = Buffer.concat([Buffer.from('100644 '), Buffer.from([0xff, 0xfe])]);
    await at.serve(
      treeOf(
        ['160000 .gitattributes', 'b'.repeat(40)],
        ['120000 link', target],
        ['160000 module', 'b'.repeat(40)],
        [name, text],
      ),
    );
    const before = await at.tree('main?recursive=true&expand=true');
    expect(pathsOf(before)).toEqual(['.gitattributes', 'link', 'module', '\ufffd\ufffd']);

    expect(await (await at.ask('/ada/m/resolve/main/link')).text()).toBe('../../../../etc/passwd');
    for (const path of ['link/passwd', 'module', 'module/x', '%EF%BF%BD%EF%BF%BD'])
      expect([path, (await at.ask(`/ada/m/resolve/main/${path}`)).status]).toEqual([path, 404]);
    expect((await at.ask('/ada/m/resolve/main/%FF%FE')).status).toBeLessThan(500);
    const preupload = await at.ask('/api/models/ada/m/preupload/main', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ files: ['link', 'module', 'link/x'].map((path) => ({ path, size: 1, sample: 'eA==' })) }),
    });
    expect(preupload.status).toBe(200);

    for (const path of ['link/x', 'module/x'])
      expect(await at.commit({ files: { [path]: '' } })).toMatchObject({ status: 409 });
    expect(await at.commit({ files: { added: '1' } })).toMatchObject({ status: 200 });
    const after: Item[] = await at.tree('main?recursive=true');
    expect(after.filter(({ path }) => path !== 'added').map(({ path, oid }) => [path, oid])).toEqual(
      before.map(({ path, oid }) => [path, oid]),
    );
    expect(await at.commit({ deleted: ['link', 'module'] })).toMatchObject({ status: 200 });
    expect(pathsOf(await at.tree('main'))).toEqual(['.gitattributes', 'added', '\ufffd\ufffd']);
  });
});
