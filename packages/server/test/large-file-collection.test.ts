import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collectStorage } from '@moonbase/client/admin';
import { deleteLargeFile, duplicateLargeFiles, lfsBatch } from '@moonbase/client/large-files';
import { createRepo, deleteRepo } from '@moonbase/client/repositories';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createUpkeep } from '../src/content/index.ts';
import { createFolderStore } from '../src/platform/blobs/folder/folder-store.ts';
import { ask } from './ask.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { DAY, HOUR } from './clock.ts';
import { idOf, startWithRepos, upload } from './large-files-fixture.ts';

/** Starts a hub with four files: two that their repositories lose now, one that is kept, and one that was lost before. */
async function fixture() {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-blobs-'));
  const store = createFolderStore({ folder, now: () => Date.now() });
  const hub = await startWithRepos({}, { blobs: store });
  onTestFinished(async () => {
    await hub[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const files = ['a', 'b', 'c', 'd'].map((letter, at) => bytesOf(1000 * (at + 1), letter));
  const [early, removed, deleted, kept] = files.map(nameOf);
  if (!early || !removed || !deleted || !kept) throw new Error('There are four files');
  const send = (user: string, repo: string, at: number) =>
    upload(hub, user, repo, nameOf(files[at] ?? Buffer.alloc(0)), files[at] ?? Buffer.alloc(0));
  const remove = (user: string, repo: string, sha: string) =>
    deleteLargeFile({ ...hub.as(user), type: 'model', repo, sha });
  const keepUp = async () => {
    const { database, clock } = hub;
    const options = { graceDays: 7, checkDays: 90, isLeader: async () => true, isCommitted: async () => true };
    const upkeep = createUpkeep({ database, clock, logger: pino({ level: 'silent' }), store, ...options });
    while ((await upkeep.round()).done > 0);
  };
  const ids = {
    open: await idOf(hub, 'repositories', 'alice/open'),
    secret: await idOf(hub, 'repositories', 'bob/secret'),
  };
  await send('alice', 'alice/open', 0);
  await send('alice', 'alice/open', 1);
  await send('bob', 'bob/secret', 2);
  await send('bob', 'bob/open', 3);
  await remove('alice', 'alice/open', early.sha256);
  await keepUp();
  hub.clock.advance(5 * DAY);
  await remove('alice', 'alice/open', removed.sha256);
  await deleteRepo({ ...hub.as('bob'), repo: 'bob/secret' });
  return {
    ...{ hub, ids, keepUp },
    early: early.sha256,
    kept: kept.sha256,
    collect: (dryRun: boolean) => collectStorage({ ...hub.admin, dryRun }),
    stored: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
  };
}

const timeAt = (ms: number) => new Date(ms).toISOString();

test('a dry run tells by owner and repository what would go and when, and changes nothing', async () => {
  const { hub, ids, collect, stored } = await fixture();
  const rows = () => hub.database.read.selectFrom('blobs').selectAll().orderBy('sha256').execute();
  const before = await rows();
  const now = hub.clock.now();
  const { repositories, ...sums } = await collect(true);
  expect(sums).toEqual({
    ...{ dryRun: true, graceDays: 7 },
    due: { files: 0, bytes: 0 },
    waiting: { files: 3, bytes: 6000 },
  });
  expect(repositories.toSorted((one, other) => ((one.owner ?? '') < (other.owner ?? '') ? -1 : 1))).toEqual([
    {
      ...{ owner: 'alice', repository: { id: ids.open, type: 'model', name: 'alice/open' } },
      due: { files: 0, bytes: 0 },
      waiting: { files: 2, bytes: 3000 },
      ...{ nextAt: timeAt(now + 2 * DAY), lastAt: timeAt(now + 7 * DAY) },
    },
    {
      // Of a repository that is gone, the administrator learns the id and the owner.
      ...{ owner: 'bob', repository: { id: ids.secret } },
      due: { files: 0, bytes: 0 },
      waiting: { files: 1, bytes: 3000 },
      ...{ nextAt: timeAt(now + 7 * DAY), lastAt: timeAt(now + 7 * DAY) },
    },
  ]);
  expect(await rows()).toEqual(before);
  expect(await stored()).toHaveLength(4);
});

test('the real run deletes exactly what the dry run told', async () => {
  const { hub, early, collect, keepUp, stored } = await fixture();
  hub.clock.advance(2 * DAY + HOUR);
  const told = await collect(true);
  expect(told.due).toEqual({ files: 1, bytes: 1000 });
  const done = await collect(false);
  expect({ ...done, dryRun: true }).toEqual(told);
  const deleting = await hub.database.read
    .selectFrom('blobs')
    .select('sha256')
    .where('state', '=', 'deleting')
    .execute();
  expect(deleting.map(({ sha256 }) => sha256)).toEqual([early]);
  expect((await collect(true)).due).toEqual({ files: 0, bytes: 0 });
  await keepUp();
  expect(await stored()).not.toContain(early);
  expect(await stored()).toHaveLength(3);
  hub.clock.advance(7 * DAY + 1);
  const rest = await collect(true);
  expect([rest.due, rest.waiting]).toEqual([
    { files: 2, bytes: 5000 },
    { files: 0, bytes: 0 },
  ]);
  expect(await collect(false)).toEqual({ ...rest, dryRun: false });
  await keepUp();
  expect(await stored()).toHaveLength(1);
});

test('a file that another repository has got in the meantime is not told of, and stays', async () => {
  const { hub, collect, kept: sha256 } = await fixture();
  const target = { type: 'model' as const, name: 'alice/open' };
  await duplicateLargeFiles({ ...hub.as('alice'), type: 'model', repo: 'bob/open', target, files: [{ sha256 }] });
  await deleteRepo({ ...hub.as('bob'), repo: 'bob/open' });
  hub.clock.advance(30 * DAY);
  expect((await collect(false)).waiting).toEqual({ files: 2, bytes: 5000 });
  await deleteLargeFile({ ...hub.as('alice'), type: 'model', repo: 'alice/open', sha: sha256 });
  const after = await collect(true);
  expect(after.repositories.map(({ repository }) => repository?.name)).toContain('alice/open');
  expect(after.waiting).toEqual({ files: 3, bytes: 9000 });
});

test('only a site administrator with a token that writes may collect', async () => {
  const { hub } = await fixture();
  for (const dryRun of [true, false])
    await expect(collectStorage({ ...hub.as('alice'), dryRun })).rejects.toMatchObject({ status: 403 });
  const unclear = await ask(hub.admin, 'POST /api/admin/storage/collect', {});
  expect(unclear.status).toBe(400);
});

test('a deleted repository loses its files in steps, and nobody gets at them meanwhile', async () => {
  const { hub, collect, keepUp } = await fixture();
  const { read } = hub.database;
  const { id } = await createRepo({ ...hub.as('bob'), repo: 'bob/many' });
  const rows = Array.from({ length: 600 }, (_, at) => ({
    ...{ sha256: nameOf(Buffer.from(`${at}`)).sha256, size: 1, state: 'stored' as const, unused_since: null },
    ...{ checked_at: hub.clock.now(), held_until: null, last_repo_id: id, last_owner_id: null },
  }));
  await hub.database.transaction(async (tx) => {
    await tx.insertInto('blobs').values(rows).execute();
    const granted = rows.map(({ sha256 }) => ({ repo_id: id, sha256, size: 1, pusher_id: null, pushed_at: 0 }));
    await tx
      .insertInto('repo_files')
      .values(granted.map((row) => ({ ...row, filename: null, ref: null })))
      .execute();
  });
  const left = async () =>
    (await read.selectFrom('repo_files').select('sha256').where('repo_id', '=', id).execute()).length;
  const unused = async () => (await collect(true)).waiting.files;
  const before = await unused();
  await deleteRepo({ ...hub.as('bob'), repo: 'bob/many' });
  expect([await left(), await unused()]).toEqual([600, before + 600]);
  // The hub finds them in another repository with the name as little as in none.
  await createRepo({ ...hub.as('bob'), repo: 'bob/many' });
  const asked = { oid: rows[0]?.sha256 ?? '', size: 1 };
  const { objects } = await lfsBatch({ ...hub.as('bob'), repo: 'bob/many', operation: 'download', objects: [asked] });
  expect(objects[0]).toMatchObject({ error: { code: 404 } });
  await keepUp();
  expect([await left(), await unused()]).toEqual([0, before + 600]);
  hub.clock.advance(7 * DAY + 1);
  await collect(false);
  await keepUp();
  expect(await unused()).toBe(0);
});
