import { mkdtempSync, rmSync } from 'node:fs';
import promises, { readdir, rm, utimes } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGitArchive } from './git-archive.ts';
import { createGitStore } from './git-store.ts';
import { withId } from './objects/object.ts';

const [KEPT, GONE] = ['1'.repeat(24), '2'.repeat(24)];
const objects = ['one', 'two', 'three'].map((text) => withId({ type: 'blob', body: Buffer.from(text) }));
const DAY_MS = 24 * 60 * 60_000;

async function fixture() {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const store = createGitStore(join(folder, 'live'), { durable: false });
  const archive = createGitArchive(join(folder, 'archive'));
  for (const id of [KEPT, GONE]) {
    await store.create(id);
    await store.writeLoose(id, objects);
    expect(await store.archive(id, archive)).toEqual([]);
  }
  return {
    ...{ store, archive },
    filesOf: async (id: string) => {
      const entries = await readdir(archive.folderOf(id), { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    },
    deleteStale: (before: number) => archive.deleteStale({ before, onEach: () => {} }),
  };
}

test('loose objects go once they are in a pack, and a repository goes with all of its files', async () => {
  const { store, archive, filesOf, deleteStale } = await fixture();
  const old = (Date.now() - DAY_MS) / 1000;
  for (const id of [KEPT, GONE]) for (const path of await filesOf(id)) await utimes(path, old, old);
  await store.packAllLoose(KEPT);
  expect(await store.archive(KEPT, archive)).toEqual([]);

  expect(await deleteStale(Date.now() - 2 * DAY_MS)).toEqual({ files: 0, bytes: 0 });
  expect(await deleteStale(Date.now() - DAY_MS / 2)).toEqual({ files: 6, bytes: expect.any(Number) });
  expect(await archive.exists(GONE)).toBe(false);
  expect(
    (await filesOf(KEPT)).filter((path) => path.includes('objects/')).map((path) => path.replace(/.*\./, '')),
  ).toEqual(expect.arrayContaining(['pack', 'idx']));
  await store.delete(KEPT);
  await store.create(KEPT);
  await archive.archive(KEPT, store);
  for (const { id, body } of objects) expect((await store.open(KEPT).read(id))?.body.equals(body)).toBe(true);
});

test('a pack whose deletion broke off goes with the next one', async () => {
  const { store, archive, filesOf, deleteStale } = await fixture();
  await store.packAllLoose(KEPT);
  await store.archive(KEPT, archive);
  const index = (await filesOf(KEPT)).find((path) => path.endsWith('.idx')) ?? '';
  await rm(index);
  await deleteStale(Date.now() + DAY_MS);
  expect(await archive.exists(KEPT)).toBe(false);
});

test('a repository that is lost where it is copied from is freshened as a whole', async () => {
  const { archive, filesOf, deleteStale } = await fixture();
  const old = (Date.now() - DAY_MS) / 1000;
  for (const id of [KEPT, GONE]) for (const path of await filesOf(id)) await utimes(path, old, old);
  await archive.keep(KEPT);
  await archive.keep('3'.repeat(24));
  expect((await deleteStale(Date.now() - DAY_MS / 2)).files).toBe(objects.length);
  expect([await archive.exists(KEPT), await archive.exists(GONE)]).toEqual([true, false]);
});

/** Lets another process act right before the archive renames a repository or its HEAD to delete it. */
function beforeDeletion(folder: string, act: () => Promise<unknown>): void {
  const { rename } = promises;
  const restore = () => {
    promises.rename = rename;
    syncBuiltinESMExports();
  };
  promises.rename = async (from, to) => {
    if (from === folder || from === join(folder, 'HEAD')) {
      restore();
      await act();
    }
    await rename(from, to);
  };
  syncBuiltinESMExports();
  onTestFinished(restore);
}

test('a repository that another process needs again while it is being deleted stays, with what that one copies', async () => {
  const { store, archive, filesOf, deleteStale } = await fixture();
  const old = (Date.now() - DAY_MS) / 1000;
  for (const id of [KEPT, GONE]) for (const path of await filesOf(id)) await utimes(path, old, old);
  const acted = vi.fn(async () => expect(await store.archive(GONE, archive)).toEqual([]));
  beforeDeletion(archive.folderOf(GONE), acted);
  await deleteStale(Date.now() - DAY_MS / 2);
  expect(acted).toHaveBeenCalledOnce();
  expect([await archive.exists(KEPT), await archive.exists(GONE)]).toEqual([false, true]);
  expect((await filesOf(GONE)).filter((path) => path.includes('objects/'))).toHaveLength(objects.length);
  expect(await deleteStale(Date.now() - DAY_MS / 2)).toEqual({ files: 0, bytes: 0 });
});

test('a repository whose HEAD is gone before another process freshens it is created again', async () => {
  const { store, archive, filesOf, deleteStale } = await fixture();
  const old = (Date.now() - DAY_MS) / 1000;
  for (const path of await filesOf(GONE)) await utimes(path, old, old);
  const archived = store.archive(GONE, {
    ...archive,
    async create(id) {
      await deleteStale(Date.now() - DAY_MS / 2);
      expect(await archive.exists(GONE)).toBe(false);
      await archive.create(id);
    },
  });
  expect(await archived).toEqual([]);
  expect(await archive.exists(GONE)).toBe(true);
});
