import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createAccessToken, deleteAccessToken } from '@moonbase/client/access-tokens';
import { applyHub, getRetention } from '@moonbase/client/admin';
import { createCommit } from '@moonbase/client/content';
import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { lfsBatch } from '@moonbase/client/large-files';
import { createRepo, deleteRepo } from '@moonbase/client/repositories';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { updateWatched } from '@moonbase/client/watching';
import { createWebhook } from '@moonbase/client/webhooks';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createUpkeep } from '../src/content/index.ts';
import { createHub } from '../src/hub.ts';
import { openBlobStore } from '../src/platform/blobs/open-blob-store.ts';
import { readCatalog } from '../src/platform/database/catalog.ts';
import { createGitStore } from '../src/platform/git/git-store.ts';
import type { Outbound } from '../src/platform/outbound/outbound.ts';
import { ADMIN, type BackupFixture, createBackupFixture, TEAM } from './backup-fixture.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { openBrowser } from './browser.ts';
import { createTestClock, DAY, HOUR, MINUTE, type TestClock } from './clock.ts';
import { contractFetch } from './contract-fetch.ts';
import { upkeepOf } from './git-upkeep-fixture.ts';
import { tokenOf } from './harness.ts';
import { type Ages, stuckRows } from './no-stuck-rows.ts';
import { engine } from './test-database.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';

const DAYS = 7;
/** The hours between rounds of work. */
const STEP_HOURS = 4;
/** Europe/Berlin has no half past two on 29 March 2026, the fourth of these days: it is half past one in UTC. */
const BEGINS_AT = Date.parse('2026-03-25T21:30:00.000Z');
const KEPT = 3;
const SETTINGS = {
  MOONBASE_WEBHOOK_LOG_DAYS: '1',
  MOONBASE_NOTIFICATION_DAYS: '1',
  MOONBASE_AUDIT_LOG_DAYS: '1',
  MOONBASE_JOB_DAYS: '1',
  MOONBASE_SESSION_IDLE_DAYS: '1',
  MOONBASE_SESSION_MAX_DAYS: '1',
  MOONBASE_LARGE_FILE_GRACE_DAYS: '2',
  MOONBASE_JOBS_RUNNER: 'process',
  MOONBASE_BACKUP_SCHEDULE: '30 1 * * *',
  MOONBASE_BACKUP_KEEP: `${KEPT}`,
  MOONBASE_BACKUP_FILES: 'false',
};

const AGES: Ages = { deliveries: 1, notifications: 1, audit: 1, jobs: 1, mails: 30, pace: STEP_HOURS * HOUR };

/** Tables that may have more rows at the end of the week than on its third day, and why. */
const GROWING: ReadonlySet<string> = new Set([
  'sign_in_events', // They are kept for 90 days.
  'deletions', // It has one row for each kind of thing.
]);

/** The part by which the seventh day may have more than the third, whose backups include that of the first night. */
const TOLERANCE = 0.15;

const outbound: Outbound = {
  post: async () => ({ kind: 'answered', status: 200, headers: {}, body: 'ok', durationMs: 5 }),
  async [Symbol.asyncDispose]() {},
};

const zone = process.env.TZ;
beforeAll(() => {
  process.env.TZ = 'Europe/Berlin';
});
afterAll(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

interface Around {
  readonly fixture: BackupFixture;
  readonly clock: TestClock;
  readonly runner: TestRunner;
  readonly place: string;
}

/** Starts the hub of a fixture, as after a restart. */
async function start({ fixture, clock, runner, place }: Around) {
  const config = readConfig({ ...fixture.environment, ...SETTINGS, MOONBASE_BACKUP_TO: place });
  const logger = pino({ level: 'silent' });
  const hub = await createHub(config, { background: false, logger, clock, runner, outbound });
  await hub.prepare();
  const hubUrl = await hub.start();
  const as = (accessToken: string) => ({ hubUrl, accessToken, fetch: contractFetch, retry: false as const });
  const store = openBlobStore({ dataDir: config.dataDir, s3: undefined });
  const { database } = hub;
  const blobs = createUpkeep({
    ...{ database, clock, logger, store, graceDays: config.largeFiles.graceDays, checkDays: 90 },
    isLeader: async () => true,
    isCommitted: async () => true,
  });
  const git = upkeepOf({ database, clock }, createGitStore(join(config.dataDir, 'git'), { durable: false }));
  return {
    ...{ hubUrl, database, as, alice: as(tokenOf('alice')), bob: as(tokenOf('bob')), admin: as(ADMIN) },
    async work() {
      await hub.drain();
      await git.finish();
      while ((await blobs.round()).done > 0);
    },
    async stop() {
      await hub.stop();
      await store[Symbol.asyncDispose]();
    },
  };
}

type Running = Awaited<ReturnType<typeof start>>;

/** What the team does in each round, in a repository of the day; that of the day before is deleted. */
async function activity({ alice, bob, hubUrl }: Running, day: number, hour: number): Promise<void> {
  const repo = `acme/day-${day}`;
  if (hour === 0) {
    await createRepo({ ...alice, repo });
    if (day > 0) await deleteRepo({ ...alice, repo: `acme/day-${day - 1}` });
  }
  await Promise.all([
    commit(alice, repo, hour, `${day} ${hour}`.repeat(100)),
    talk(alice, bob, repo, `Hour ${hour}`),
    upload(alice, repo, bytesOf(200_000, `${day}-${hour}`)),
    hour % 8 === 0 && signIn(bob, hubUrl, `of ${day}-${hour}`),
  ]);
}

type Connection = ReturnType<Running['as']>;

async function commit(by: Connection, repo: string, hour: number, content: string): Promise<void> {
  const change = { summary: `Hour ${hour}`, files: [{ path: `at-${hour}.txt`, content }] };
  const operations = new Blob([JSON.stringify(change)], { type: 'application/json' });
  await createCommit({ ...by, type: 'model', repo, branch: 'main', operations });
}

async function talk(alice: Connection, bob: Connection, repo: string, title: string): Promise<void> {
  const where = { type: 'model', repo } as const;
  const { num } = await createDiscussion({ ...bob, ...where, title, description: 'Look, @alice' });
  await commentDiscussion({ ...alice, ...where, num, comment: 'Looked, @bob' });
}

async function upload(by: Connection, repo: string, bytes: Buffer): Promise<void> {
  const asked = { oid: nameOf(bytes).sha256, size: bytes.length };
  const { objects } = await lfsBatch({ ...by, repo, operation: 'upload', objects: [asked] });
  const { href = '' } = objects[0]?.actions?.upload ?? {};
  expect((await fetch(href, { method: 'PUT', body: new Uint8Array(bytes) })).status).toBe(200);
}

async function signIn(by: Connection, url: string, displayName: string): Promise<void> {
  const { status } = await openBrowser({ url }).ask('POST /api/sign-in/token', { token: by.accessToken });
  expect(status).toBe(200);
  const { id } = await createAccessToken({ ...by, displayName, role: 'read' });
  await deleteAccessToken({ ...by, tokenId: id });
}

/** Creates the team, a webhook and a scheduled job. */
async function setUp(hub: Running): Promise<void> {
  await applyHub({ ...hub.admin, document: TEAM });
  const watched = [{ type: 'org' as const, name: 'acme' }];
  const webhook = { url: 'https://good.example/hook', watched, domains: ['repo' as const, 'discussion' as const] };
  await createWebhook({ ...hub.alice, webhook });
  await updateWatched({ ...hub.bob, add: [{ type: 'org', id: 'acme' }] });
  await createScheduledJob({
    ...{ ...hub.alice, namespace: 'alice', schedule: '30 1,9,17 * * *' },
    jobSpec: { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' },
  });
}

async function rowsOfTables({ database }: Running): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of (await readCatalog(database)).keys()) {
    const { rows } = await sql<{ n: number | string }>`select count(*) as n from ${sql.table(table)}`.execute(
      database.read,
    );
    counts[table] = Number(rows[0]?.n);
  }
  return counts;
}

/** Returns the bytes of the files in a folder, without those of the database. */
async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.name.startsWith('moonbase.db'));
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/**
 * Returns the bytes of SQLite's pages. The log beside them is written back as time passes, of which a simulation has little;
 * how much PostgreSQL takes depends on its vacuum, and the rows are counted.
 */
async function bytesOfDatabase({ database }: Running): Promise<number> {
  if (database.engine !== 'sqlite') return 0;
  const query = sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count, pragma_page_size`;
  return Number((await query.execute(database.read)).rows[0]?.bytes);
}

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  return process.memoryUsage().heapUsed;
}

type Figures = Readonly<Record<string, number>>;

/** Returns what there is at the end of a day: rows, bytes and memory. */
async function figuresOf(hub: Running, { fixture, place }: Around): Promise<Figures> {
  return {
    ...(await rowsOfTables(hub)),
    'bytes of files': await bytesIn(fixture.config.dataDir),
    'bytes of the database': await bytesOfDatabase(hub),
    'bytes of backups': await bytesIn(place),
    heap: heapAfterCollection(),
  };
}

/** Returns a sentence for each figure that is larger than before, beyond the tolerance. */
const grown = (before: Figures, after: Figures): string[] =>
  Object.entries(after).flatMap(([name, value]) => {
    const earlier = before[name] ?? 0;
    return GROWING.has(name) || value <= earlier * (1 + TOLERANCE) + 2 ? [] : [`${name}: ${earlier}, then ${value}`];
  });

const DATES = ['03-26', '03-27', '03-28', '03-29', '03-30', '03-31', '04-01'];
/** The hub was off when the night's work of this date was due. */
const LATE = '03-30';

test('a week of operation: backups rotate, retention holds, nothing grows, and no schedule skips or doubles', async () => {
  expect(new Date(BEGINS_AT + 3 * DAY + 4 * HOUR).getTimezoneOffset()).toBe(-120);
  await using fixture = await createBackupFixture(engine);
  const around = {
    ...{ fixture, clock: createTestClock(BEGINS_AT), runner: createTestRunner() },
    place: join(fixture.folder, 'backups'),
  };
  const { clock, runner, place } = around;
  let hub = await start(around);
  await setUp(hub);
  const backups = new Set<string>();
  const jobs = new Map<string, string>();
  const faults: string[] = [];
  const days: Figures[] = [];
  const work = async () => {
    await hub.work();
    for (const name of await readdir(place)) backups.add(name);
    for (const { id, created_at } of await hub.database.read.selectFrom('jobs').select(['id', 'created_at']).execute())
      jobs.set(id, new Date(created_at).toISOString().slice(5, 16));
  };
  for (let day = 0; day < DAYS; day++) {
    for (let hour = 0; hour < 24; hour += STEP_HOURS) {
      await activity(hub, day, hour);
      for (const key of runner.running()) runner.exit(0, key);
      await work();
      clock.advance(STEP_HOURS * HOUR);
      if (day !== 4 || hour !== 0) continue;
      await hub.stop();
      clock.advance(15 * MINUTE);
      hub = await start(around);
      await work();
      clock.advance(STEP_HOURS * HOUR - 15 * MINUTE);
      hour += STEP_HOURS;
    }
    const worked = clock.now() - STEP_HOURS * HOUR;
    for (const fault of await stuckRows(hub.database, worked, AGES)) faults.push(`after day ${day}: ${fault}`);
    days.push(await figuresOf(hub, around));
  }

  expect(faults).toEqual([]);
  const [, , third = {}, , , , seventh = {}] = days;
  expect(grown(third, seventh)).toEqual([]);
  const nightly = DATES.map((date) => `moonbase-2026-${date}T01${date === LATE ? '45' : '30'}00Z.backup`);
  expect([...backups].sort()).toEqual(['moonbase-2026-03-25T213000Z.backup', ...nightly]);
  expect((await readdir(place)).sort()).toEqual(nightly.slice(-KEPT));
  expect([...jobs.values()].sort()).toEqual(
    DATES.flatMap((date) => [date === LATE ? '01:45' : '01:30', '09:30', '17:30'].map((at) => `${date}T${at}`)),
  );
  const deleted = (await getRetention(hub.admin)).filter((each) => each.deleted > 0).map(({ kind }) => kind);
  const expected = ['deliveries', 'events', 'audit-events', 'sessions', 'job-logs', 'jobs', 'large-files', 'backups'];
  expect(deleted).toEqual(expect.arrayContaining(expected));
  await hub.stop();
});
