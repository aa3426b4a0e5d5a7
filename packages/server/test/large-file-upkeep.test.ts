import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deleteLargeFile } from '@moonbase/client/large-files';
import { deleteRepo } from '@moonbase/client/repositories';
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createUpkeep } from '../src/content/index.ts';
import type { BlobStore } from '../src/platform/blobs/blob-store.ts';
import { createFolderStore } from '../src/platform/blobs/folder/folder-store.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import type { TestHub } from './harness.ts';
import { batch, downloadUrl, put, startWithRepos, upload, uploadUrl } from './large-files-fixture.ts';

const DAY = 24 * 60 * 60 * 1000;
const CONTENT = bytesOf(10_000);
const NAME = nameOf(CONTENT);

let hub: TestHub;
let folder: string;
let store: BlobStore;
/** Maintains the blobs until no work is left, as at a later time. */
let keepUp: () => Promise<void>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-test-blobs-'));
  store = createFolderStore({ folder, now: () => Date.now() });
  hub = await startWithRepos({}, { blobs: store });
  const { database, clock } = hub;
  const logger = pino({ level: 'silent' });
  keepUp = async () => {
    const options = { graceDays: 7, checkDays: 90, isLeader: async () => true, isCommitted: async () => true };
    const upkeep = createUpkeep({ database, clock, logger, store, ...options });
    while ((await upkeep.round()).done > 0);
  };
  onTestFinished(async () => {
    await hub[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
});

const states = async () => {
  const rows = await hub.database.read.selectFrom('blobs').select('state').execute();
  return rows.map(({ state }) => state);
};
const files = async () => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
};
const remove = (repo: string) => deleteLargeFile({ ...hub.as('alice'), type: 'model', repo, sha: NAME.sha256 });

test('bytes that no repository has any more are deleted after a grace period', async () => {
  await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  await upload(hub, 'alice', 'alice/open', NAME, CONTENT);
  hub.clock.advance(365 * DAY);
  await remove('alice/secret');
  await keepUp();
  hub.clock.advance(8 * DAY);
  await keepUp();
  expect(await states()).toEqual(['stored']);
  await deleteRepo({ ...hub.as('alice'), repo: 'alice/open' });
  await keepUp();
  expect(await states()).toEqual(['stored']);
  hub.clock.advance(6 * DAY);
  await keepUp();
  expect(await files()).toEqual([NAME.sha256]);
  hub.clock.advance(2 * DAY);
  await keepUp();
  expect([await states(), await files()]).toEqual([[], []]);
});

test('bytes that are uploaded again within the grace period stay', async () => {
  await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  await remove('alice/secret');
  await keepUp();
  hub.clock.advance(6 * DAY);
  await upload(hub, 'bob', 'bob/secret', NAME, CONTENT);
  hub.clock.advance(2 * DAY);
  await keepUp();
  expect(await states()).toEqual(['stored']);
  expect((await fetch(await downloadUrl(hub, 'bob', 'bob/secret', NAME))).status).toBe(200);
});

test('bytes that are being deleted are served to nobody, and can be uploaded again once they are gone', async () => {
  await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  await remove('alice/secret');
  const url = (await uploadUrl(hub, 'alice', 'alice/secret', NAME)) ?? '';
  await hub.database.transaction((tx) => tx.updateTable('blobs').set({ state: 'deleting', unused_since: 0 }).execute());
  expect((await put(url, CONTENT)).status).toBe(503);
  await keepUp();
  expect([await states(), await files()]).toEqual([[], []]);
  expect((await put(url, CONTENT)).status).toBe(200);
  expect(await states()).toEqual(['stored']);
});

test('damaged bytes are found, are not served, and are repaired by uploading the file again', async () => {
  await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  const path = join(folder, NAME.sha256.slice(0, 2), NAME.sha256.slice(2, 4), NAME.sha256);
  await writeFile(path, bytesOf(10_000, 'b'));
  await keepUp();
  expect(await states()).toEqual(['stored']);
  hub.clock.advance(91 * DAY);
  await keepUp();
  expect(await states()).toEqual(['damaged']);
  expect(await downloadUrl(hub, 'alice', 'alice/secret', NAME)).toBe('404');
  await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  expect(await states()).toEqual(['stored']);
  expect((await fetch(await downloadUrl(hub, 'alice', 'alice/secret', NAME))).status).toBe(200);
});

test('a URL from before the damage returns 500 instead of wrong bytes', async () => {
  await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  const url = await downloadUrl(hub, 'alice', 'alice/secret', NAME);
  await hub.database.transaction((tx) => tx.updateTable('blobs').set({ state: 'damaged' }).execute());
  const answer = await fetch(url);
  expect([answer.status, await answer.json()]).toEqual([
    500,
    { message: 'The stored content of this file is damaged; upload the file again' },
  ]);
});

test('missing bytes count as damaged, and intact ones are checked once per period', async () => {
  const other = bytesOf(5_000, 'b');
  await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  await upload(hub, 'alice', 'alice/secret', nameOf(other), other);
  await store.delete(NAME.sha256);
  hub.clock.advance(91 * DAY);
  await keepUp();
  expect((await states()).toSorted()).toEqual(['damaged', 'stored']);
  const { objects } = await batch(hub, 'alice', 'alice/secret', {
    operation: 'upload',
    objects: [{ oid: NAME.sha256, size: NAME.size }],
  });
  expect(objects[0]?.actions?.upload).toBeDefined();
});
