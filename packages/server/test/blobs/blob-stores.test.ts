import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolderStore } from '../../src/platform/blobs/folder/folder-store.ts';
import { createS3Store } from '../../src/platform/blobs/s3/s3-store.ts';
import { bytesOf, streamOf } from './bytes.ts';
import { startS3Server } from './s3-server.ts';
import { CONTENT, describeStore, NAME, OTHER, type StoreFixture } from './store-behaviour.ts';

async function inFolder(): Promise<StoreFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-blobs-'));
  const store = createFolderStore({ folder, now: () => Date.now() });
  return {
    store,
    async stored() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

async function inBucket(): Promise<StoreFixture> {
  const server = await startS3Server();
  const store = createS3Store(server.bucket, () => Date.now());
  return {
    store,
    stored: async () => [
      ...[...server.objects.keys()].map((key) => key.split('/').at(-1) ?? ''),
      ...server.uploads.keys(),
    ],
    async [Symbol.asyncDispose]() {
      await store[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

describeStore('a folder', inFolder);
describeStore('a bucket', inBucket);

test('a folder deletes unfinished uploads by age, and nothing else', async () => {
  await using fixture = await inFolder();
  const { store } = fixture;
  await store.put(NAME, streamOf(CONTENT));
  const upload = await store.parts.begin(OTHER);
  await store.parts.put(upload, { number: 1, size: 10 }, streamOf(bytesOf(10)));
  await store.sweep({ streamsOlderThanMs: 0, uploadsOlderThanMs: 60_000 });
  expect(await fixture.stored()).toHaveLength(2);
  await store.sweep({ streamsOlderThanMs: 0, uploadsOlderThanMs: 0 });
  expect(await fixture.stored()).toEqual([NAME.sha256]);
});

test('a folder refuses what does not fit on its disk together with the uploads in progress', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-blobs-'));
  let free = 256 * 1024 * 1024 + 150_000;
  const store = createFolderStore({ folder, now: () => Date.now(), freeBytes: async () => free });
  const second = bytesOf(100_000, 'b');
  const results = await Promise.allSettled([store.put(NAME, streamOf(CONTENT)), store.put(OTHER, streamOf(second))]);
  expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThan(2);
  free = 0;
  await expect(store.put(OTHER, streamOf(second))).rejects.toMatchObject({ fault: 'full' });
  const leftOver = await readdir(join(folder, 'unfinished'));
  expect(leftOver).toEqual([]);
  await rm(folder, { recursive: true });
});

test('a path that is not a folder is reported, and a stored blob is one plain file', async () => {
  await using fixture = await inFolder();
  await fixture.store.put(NAME, streamOf(CONTENT));
  const file = join(tmpdir(), `moonbase-test-${NAME.sha256}`);
  await writeFile(file, '');
  const store = createFolderStore({ folder: file, now: () => Date.now() });
  await expect(store.put(NAME, streamOf(CONTENT))).rejects.toThrow();
  await rm(file);
});
