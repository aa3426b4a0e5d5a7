import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRepo } from '@moonbase/client/repositories';
import { getMetrics } from '@moonbase/client/service';
import { expect, onTestFinished, test } from 'vitest';
import { BlobError } from '../src/platform/blobs/blob-store.ts';
import { createFolderStore } from '../src/platform/blobs/folder/folder-store.ts';
import { deleteLeftArrivals } from '../src/upstream/files/arrival.ts';
import { MINUTE } from './clock.ts';
import { addLargeFile, commitAt, upstreamHubs } from './upstream-hubs.ts';

const MEBIBYTE = 1024 * 1024;

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-upstream-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test('while the storage is full, files are served without being kept, and they are kept once there is room', async () => {
  const folder = await newFolder();
  const store = createFolderStore({ folder, now: () => Date.now() });
  let isFull = true;
  const stage: typeof store.stage = async (maxBytes, bytes) => {
    if (!isFull) return store.stage(maxBytes, bytes);
    // The disk becomes full in the middle.
    for await (const _ of 'lent' in bytes ? bytes.lent : bytes) break;
    throw new BlobError('full', 'There is no space left in the storage of this hub');
  };
  await using hubs = await upstreamHubs({}, { blobs: { ...store, stage } });
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/m' });
  await commitAt(hubs.upstream, 'ada', 'models/ada/m', { files: { 'small.txt': 'small' } });
  const { path, bytes } = await addLargeFile(hubs, 'ada/m', 'large.bin', 5 * MEBIBYTE);
  const { read } = hubs.hub.database;
  const kept = async () => (await read.selectFrom('upstream_files').select('size').execute()).map(({ size }) => size);
  const stored = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
  const metric = async () =>
    / (?<bytes>\d+)$/.exec(/^moonbase_upstream_kept_bytes .*$/m.exec(await getMetrics(hubs.hub.admin))?.[0] ?? '')
      ?.groups?.bytes;
  const get = async (which: string) => {
    const response = await hubs.ask(which);
    const right = which === path ? bytes : Buffer.from('small');
    return [response.status, Buffer.from(await response.arrayBuffer()).equals(right)];
  };
  const small = '/ada/m/resolve/main/small.txt';
  expect(await get(small)).toEqual([200, true]);
  expect(await get(path)).toEqual([200, true]);
  expect([await kept(), await stored(), await metric()]).toEqual([[], 0, '0']);
  isFull = false;
  expect(await get(small)).toEqual([200, true]);
  expect(await get(path)).toEqual([200, true]);
  await expect.poll(kept).toHaveLength(2);
  hubs.wire.away();
  expect([await get(small), await get(path)]).toEqual([
    [200, true],
    [200, true],
  ]);
  expect(await metric()).toBe(String('small'.length + 5 * MEBIBYTE));
});

test('what a killed process left of files on their way is deleted, and nothing else', async () => {
  const folder = await newFolder();
  const names = ['moonbase-arrival-0123456789abcdef', 'moonbase-arrival-just-made', 'moonbase.db'];
  for (const name of names) await writeFile(join(folder, name), 'x');
  const old = new Date(Date.now() - 2 * MINUTE);
  for (const name of [names[0], names[2]]) await utimes(join(folder, name ?? ''), old, old);
  expect(await deleteLeftArrivals(folder)).toBe(1);
  expect((await readdir(folder)).toSorted()).toEqual([names[1], names[2]]);
  expect(await deleteLeftArrivals(join(folder, 'none'))).toBe(0);
});
