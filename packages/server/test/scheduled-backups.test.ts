import { mkdir, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { applyHub, getHubStatus } from '@moonbase/client/admin';
import { createCommit } from '@moonbase/client/content';
import { createRepo } from '@moonbase/client/repositories';
import { getMetrics } from '@moonbase/client/service';
import { expect, test } from 'vitest';
import { restoreFiles } from '../src/backup.ts';
import { readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { leaseLanes } from '../src/platform/queue/lease-store.ts';
import { ADMIN, type BackupFixture, createBackupFixture, isEmpty, restoreAt, TEAM } from './backup-fixture.ts';
import { type S3Server, startS3Server } from './blobs/s3-server.ts';
import { createTestClock, DAY, HOUR, MINUTE, SECOND } from './clock.ts';
import { contractFetch } from './contract-fetch.ts';
import { tokenOf } from './harness.ts';
import { keepingLogger } from './logged-lines.ts';
import { engine } from './test-database.ts';

/** The clock of these tests begins at noon of this day. */
const FIRST = 'moonbase-2026-01-05T120000Z.backup';

/** Starts the hub of a fixture, whose background work runs by `drain` unless told otherwise. */
async function startAt({ config }: Pick<BackupFixture, 'config'>, clock = createTestClock(), background = false) {
  const { logger, lines } = keepingLogger('info');
  const hub = await createHub(config, { background, logger, clock });
  await hub.prepare();
  const hubUrl = await hub.start();
  const as = (accessToken: string) => ({ hubUrl, accessToken, fetch: contractFetch, retry: false as const });
  return {
    ...{ clock, as, database: hub.database, drain: () => hub.drain(), stop: () => hub.stop() },
    lines: () => lines.map((line): Record<string, unknown> => JSON.parse(line)),
    status: async () => (await getHubStatus(as(ADMIN))).backup,
    metric: async (name: string) => {
      const line = (await getMetrics(as(ADMIN))).split('\n').find((text) => text.startsWith(`moonbase_backup_${name}`));
      return line?.split(' ').at(-1);
    },
    [Symbol.asyncDispose]: () => hub.stop(),
  };
}

const configured = ({ environment }: BackupFixture, settings: Readonly<Record<string, string>>) => ({
  config: readConfig({ ...environment, ...settings }),
});

/** Returns a fixture whose hub keeps backups in the folder `backups` beside its data. */
async function fixtureWithFolder(settings: Readonly<Record<string, string>> = {}) {
  const fixture = await createBackupFixture(engine);
  const place = join(fixture.folder, 'backups');
  return { ...fixture, ...configured(fixture, { MOONBASE_BACKUP_TO: place, ...settings }), place };
}

const backupsIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.startsWith('moonbase-2')).sort();

test('the first backup is made at once, the next ones by the schedule, and the oldest are deleted', async () => {
  await using old = await fixtureWithFolder({ MOONBASE_BACKUP_SCHEDULE: '30 4 * * *', MOONBASE_BACKUP_KEEP: '2' });
  await using fresh = await createBackupFixture(engine);
  await mkdir(old.place);
  await writeFile(join(old.place, 'moonbase-2020-01-01T000000Z.backup'), 'of somebody else');
  {
    await using hub = await startAt(old);
    expect(await hub.status()).toBeUndefined();
    expect(await hub.metric('last_success_timestamp_seconds')).toBeUndefined();
    await applyHub({ ...hub.as(ADMIN), document: TEAM });
    await hub.drain();
    expect(await backupsIn(old.place)).toEqual(['moonbase-2020-01-01T000000Z.backup', FIRST]);

    hub.clock.advance(16 * HOUR + 29 * MINUTE);
    await hub.drain();
    expect(await backupsIn(old.place)).toHaveLength(2);
    await createRepo({ ...hub.as(tokenOf('alice')), repo: 'acme/bert' });
    const change = { summary: 'first', files: [{ path: 'a', content: 'b' }] };
    const operations = new Blob([JSON.stringify(change)], { type: 'application/json' });
    const where = { type: 'model', repo: 'acme/bert', branch: 'main' } as const;
    await createCommit({ ...hub.as(tokenOf('alice')), ...where, operations });
    hub.clock.advance(MINUTE);
    await hub.drain();
    hub.clock.advance(DAY);
    await hub.drain();
    expect(await backupsIn(old.place)).toEqual([
      'moonbase-2020-01-01T000000Z.backup',
      'moonbase-2026-01-06T043000Z.backup',
      'moonbase-2026-01-07T043000Z.backup',
    ]);
    expect(await hub.status()).toEqual({
      place: old.place,
      last: {
        name: 'moonbase-2026-01-07T043000Z.backup',
        startedAt: '2026-01-07T04:30:00.000Z',
        bytes: expect.any(Number),
        seconds: expect.any(Number),
        faultyFiles: 0,
      },
      failures: 0,
    });
    expect(await hub.metric('last_success_timestamp_seconds')).toBe(String(Date.parse('2026-01-07T04:30:00Z') / 1000));
    expect(Number(await hub.metric('last_size_bytes'))).toBeGreaterThan(1000);
    expect(hub.lines().filter(({ msg }) => msg === 'a backup was written')).toHaveLength(3);
    expect(hub.lines().filter(({ msg }) => msg === 'no files beside the backups may be deleted')).toMatchObject([
      { level: 'warn', hindrance: expect.stringMatching(/^moonbase-2020-01-01T000000Z\.backup is no backup/) },
    ]);
  }
  const newest = join(old.place, 'moonbase-2026-01-07T043000Z.backup');
  expect(await restoreFiles(fresh.config, newest)).toEqual({ gitFolders: 1, blobs: 0, faulty: [] });
  await restoreAt(fresh, newest);
  await using hub = await startAt(fresh);
  const answer = await fetch(`${hub.as('').hubUrl}/acme/bert/resolve/main/a`, {
    headers: { authorization: `Bearer ${tokenOf('alice')}` },
  });
  expect(await answer.text()).toBe('b');
  expect(await hub.status()).toBeUndefined();
});

test('a backup that fails deletes none, is told, and is tried again after 15 minutes and then less often', async () => {
  await using fixture = await fixtureWithFolder({ MOONBASE_BACKUP_KEEP: '1' });
  await using hub = await startAt(fixture);
  await hub.drain();
  const away = `${fixture.place}-away`;
  await rename(fixture.place, away);
  await writeFile(fixture.place, 'in the way');

  hub.clock.advance(DAY);
  await hub.drain();
  expect(await hub.status()).toMatchObject({ last: { name: FIRST }, failures: 1, lastError: /EEXIST|ENOTDIR/ });
  expect(await hub.metric('failing')).toBe('1');
  expect(await hub.metric('failures_total')).toBe('1');
  const told = () => hub.lines().filter(({ msg }) => msg === 'a backup failed');
  expect(told()).toMatchObject([{ level: 'error', place: fixture.place, failures: 1 }]);

  for (const [minutes, failures] of [
    [14, 1],
    [1, 2],
    [29, 2],
    [1, 3],
  ] as const) {
    hub.clock.advance(minutes * MINUTE);
    await hub.drain();
    expect(told()).toHaveLength(failures);
  }
  await rm(fixture.place);
  await rename(away, fixture.place);
  expect(await backupsIn(fixture.place)).toEqual([FIRST]);
  hub.clock.advance(HOUR);
  await hub.drain();
  expect(await backupsIn(fixture.place)).toEqual(['moonbase-2026-01-06T134500Z.backup']);
  expect(await hub.status()).toMatchObject({ last: { name: 'moonbase-2026-01-06T134500Z.backup' }, failures: 0 });
  expect(await hub.metric('failing')).toBe('0');
});

test('what a killed hub has left is deleted by the next backup, unless it is whole', async () => {
  await using fixture = await fixtureWithFolder();
  const clock = createTestClock();
  const [half, whole] = ['moonbase-2026-01-04T120000Z.backup', 'moonbase-2026-01-04T130000Z.backup'];
  {
    await using hub = await startAt(fixture, clock);
    const none = { ended_at: null, bytes: null, duration_ms: null, faulty: null, error: null };
    for (const [id, name] of [
      ['1', half],
      ['2', whole],
    ] as const)
      await hub.database.transaction((tx) =>
        tx
          .insertInto('backups')
          .values({ id, place: fixture.place, name, state: 'writing', started_at: clock.now() - HOUR, ...none })
          .execute(),
      );
    await mkdir(fixture.place);
    await writeFile(join(fixture.place, `${half}.partial`), 'half');
    await writeFile(join(fixture.place, whole), 'whole');
    await hub.drain();
    expect(hub.lines()).toContainEqual(expect.objectContaining({ msg: 'a backup failed', name: half }));
    expect(await hub.status()).toMatchObject({ failures: 2, lastError: expect.stringContaining('The hub ended') });
    clock.advance(30 * MINUTE);
    await hub.drain();
    expect(await readdir(fixture.place)).not.toContain(`${half}.partial`);
    expect(await backupsIn(fixture.place)).toEqual([whole, 'moonbase-2026-01-05T123000Z.backup']);
    expect(await hub.status()).toMatchObject({ failures: 0, last: { name: 'moonbase-2026-01-05T123000Z.backup' } });
  }
});

test('files that no backup needs are deleted after the rotation, unless the hub lacks files of its own', async () => {
  await using fixture = await fixtureWithFolder();
  await using hub = await startAt(fixture);
  const files = join(fixture.place, 'moonbase-files');
  const unneeded = join(files, 'blobs/ab/cd', `abcd${'0'.repeat(60)}`);
  await mkdir(dirname(unneeded), { recursive: true });
  const old = (Date.now() - 100 * DAY) / 1000;
  for (const path of [join(files, 'fresh-since'), unneeded]) {
    await writeFile(path, 'of long ago');
    await utimes(path, old, old);
  }
  await applyHub({ ...hub.as(ADMIN), document: TEAM });
  await createRepo({ ...hub.as(tokenOf('alice')), repo: 'acme/bert' });
  const [sha256, at] = ['e'.repeat(64), hub.clock.now()];
  await hub.database.transaction(async (tx) => {
    const { id: repo_id } = await tx.selectFrom('repositories').select('id').executeTakeFirstOrThrow();
    const forNobody = {
      unused_since: null,
      last_repo_id: null,
      last_owner_id: null,
      held_until: null,
      kept_until: null,
    };
    await tx
      .insertInto('blobs')
      .values({ sha256, size: 1, state: 'stored', checked_at: at, ...forNobody })
      .execute();
    const nobody = { pusher_id: null, filename: null, ref: null };
    await tx
      .insertInto('repo_files')
      .values({ repo_id, sha256, size: 1, pushed_at: at, ...nobody })
      .execute();
  });
  await hub.drain();
  expect(await hub.status()).toMatchObject({ last: { faultyFiles: 1 } });
  expect(await readdir(dirname(unneeded))).toHaveLength(1);

  await hub.database.transaction((tx) => tx.deleteFrom('repo_files').execute());
  hub.clock.advance(DAY);
  await hub.drain();
  expect(await readdir(dirname(unneeded))).toEqual([]);
  expect(hub.lines()).toContainEqual(
    expect.objectContaining({ msg: 'files that no backup needs were deleted', files: 1, bytes: 11 }),
  );
});

test('one process makes backups: another one waits while the lease lasts', async () => {
  await using fixture = await fixtureWithFolder();
  await using hub = await startAt(fixture);
  const lease = { owner: 'another', now: hub.clock.now() };
  expect(await hub.database.transaction((tx) => leaseLanes(tx, ['backups'], lease))).toEqual(['backups']);
  await hub.drain();
  expect(await hub.status()).toBeUndefined();
  hub.clock.advance(11 * SECOND);
  await hub.drain();
  expect(await hub.status()).toMatchObject({ last: { startedAt: '2026-01-05T12:00:11.000Z' } });
});

/** Starts a bucket, and returns a fixture whose hub keeps backups there. */
async function fixtureWithBucket() {
  const s3 = await startS3Server();
  const fixture = await createBackupFixture(engine);
  const { config } = configured(fixture, {
    MOONBASE_BACKUP_TO: 's3://bucket/hubs/one',
    MOONBASE_BACKUP_KEEP: '1',
    MOONBASE_BACKUP_S3_ENDPOINT: s3.bucket.endpoint,
    MOONBASE_BACKUP_S3_REGION: s3.bucket.region,
    MOONBASE_BACKUP_S3_ACCESS_KEY: s3.bucket.accessKey,
    MOONBASE_BACKUP_S3_SECRET_KEY: s3.bucket.secretKey,
  });
  return {
    ...{ s3, config, folder: fixture.folder },
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await s3[Symbol.asyncDispose]();
    },
  };
}

const keysOf = ({ objects }: S3Server) => [...objects.keys()];

test('a bucket gets backups that can be restored, and keeps as many as it should', async () => {
  await using fixture = await fixtureWithBucket();
  await using fresh = await createBackupFixture(engine);
  const { s3 } = fixture;
  s3.objects.set('hubs/one/other', Buffer.from('of somebody else'));
  {
    await using hub = await startAt(fixture);
    await applyHub({ ...hub.as(ADMIN), document: TEAM });
    await hub.drain();
    hub.clock.advance(DAY);
    await hub.drain();
    expect(await hub.status()).toMatchObject({ place: 's3://bucket/hubs/one/', failures: 0 });
  }
  const name = 'moonbase-2026-01-06T120000Z.backup';
  expect(keysOf(s3)).toEqual(['hubs/one/other', `hubs/one/${name}`]);
  expect(s3.uploads.size).toBe(0);
  const file = join(fresh.folder, name);
  await writeFile(file, s3.objects.get(`hubs/one/${name}`) ?? '');
  expect((await restoreAt(fresh, file)).tables.find(({ table }) => table === 'accounts')?.rows).toBe(4);
  expect(await isEmpty(fresh)).toBe(false);
});

test('a bucket that fails is told with its reason, and what it kept of a backup is deleted by the next one', async () => {
  await using fixture = await fixtureWithBucket();
  const { s3 } = fixture;
  await using hub = await startAt(fixture);
  // Neither the parts nor the end of an upload are accepted.
  s3.control.fault = (method) => (method === 'PUT' || method === 'DELETE' ? 500 : undefined);
  await hub.drain();
  expect(await hub.status()).toMatchObject({ failures: 1, lastError: expect.stringContaining('answered 500') });
  expect(await hub.status()).not.toHaveProperty('last');
  expect([keysOf(s3), s3.uploads.size]).toEqual([[], 1]);
  expect(JSON.stringify(hub.lines())).not.toContain(s3.bucket.secretKey);

  s3.control.fault = undefined;
  hub.clock.advance(15 * MINUTE);
  await hub.drain();
  expect([keysOf(s3), s3.uploads.size]).toEqual([['hubs/one/moonbase-2026-01-05T121500Z.backup'], 0]);
});

test('a hub that stops does not wait for a bucket, and begins the backup anew at its next start', async () => {
  await using fixture = await fixtureWithBucket();
  const { s3 } = fixture;
  const clock = createTestClock();
  {
    s3.control.fault = (method) => (method === 'PUT' ? 'hang' : undefined);
    const hub = await startAt(fixture, clock, true);
    await expect.poll(() => s3.requests.some((request) => request.startsWith('PUT')), { timeout: 10_000 }).toBe(true);
    await hub.stop();
    expect(hub.lines().filter(({ msg }) => msg === 'a backup failed')).toEqual([]);
  }
  s3.control.fault = undefined;
  clock.advance(HOUR);
  await using hub = await startAt(fixture, clock);
  await hub.drain();
  expect([keysOf(s3), s3.uploads.size]).toEqual([['hubs/one/moonbase-2026-01-05T130000Z.backup'], 0]);
});
