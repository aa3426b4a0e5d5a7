import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { applyHub } from '@moonbase/client/admin';
import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { getNotificationPage } from '@moonbase/client/notifications';
import { whoAmI } from '@moonbase/client/profiles';
import { createBranch, createRepo } from '@moonbase/client/repositories';
import { createWebhook, getDelivery, listDeliveries, listWebhooks, testWebhook } from '@moonbase/client/webhooks';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../packages/server/src/platform/database/transaction.ts';
import {
  ADMIN,
  type BackupFixture,
  type Content,
  contentAt,
  createBackupFixture,
  isEmpty,
  TEAM,
  WAYS,
} from '../../packages/server/test/backup-fixture.ts';
import { collect, tokenOf } from '../../packages/server/test/harness.ts';
import { engine } from '../../packages/server/test/test-database.ts';
import { startHubProcess } from '../hub-process.ts';
import { moonbase, startMoonbase } from '../moonbase-process.ts';
import { pause, seeded } from './pace.ts';
import { startSink } from './sink.ts';

const KILLS = 10;
const WRITERS = 4;

/** The output of `moonbase backup --json`. */
interface Said {
  readonly rows: number;
  readonly tables: readonly { readonly table: string; readonly rows: number; readonly sha256: string }[];
}

const backUp = async (fixture: BackupFixture, file: string): Promise<Said> =>
  JSON.parse(await moonbase(['backup', '--json', file], fixture.environment)) as Said;
const restore = (fixture: BackupFixture, file: string) => moonbase(['restore', file], fixture.environment);

/** Creates branches, discussions and comments until `until`; records the acknowledged refs and titles. */
async function write(hubUrl: string, prefix: string, acknowledged: Set<string>, until: AbortSignal): Promise<void> {
  const bob = { hubUrl, accessToken: tokenOf('bob'), type: 'model', repo: 'acme/bert' } as const;
  for (let at = 0; !until.aborted; at++) {
    const name = `${prefix}-${at}`;
    await createBranch({ ...bob, branch: name });
    acknowledged.add(`refs/heads/${name}`);
    const { num } = await createDiscussion({ ...bob, title: name, description: 'hello @alice' });
    acknowledged.add(name);
    await commentDiscussion({ ...bob, num, comment: name });
  }
}

async function numbersOf(database: Database, query: string): Promise<number[]> {
  const { rows } = await sql.raw<Record<string, unknown>>(query).execute(database.read);
  return rows.flatMap((row) => Object.values(row).map(Number));
}

/** Checks the invariants that hold between any two transactions. */
async function checkMoment(fixture: BackupFixture, acknowledged: ReadonlySet<string>): Promise<void> {
  await using database = fixture.open();
  const numbers = (query: string) => numbersOf(database, query);
  const [counted, there] = await numbers(
    'select (select max(discussion_count) from repositories) as a, (select count(*) from discussions) as b',
  );
  expect(counted).toBe(there);
  expect(
    await numbers(`select count(*) from discussions d where comment_count <> (
      select count(*) from discussion_events e where e.discussion_id = d.id and e.type = 'comment')`),
  ).toEqual([0]);
  expect(
    await numbers(`select count(*) from inboxes i where all_count <> (
      select count(*) from notifications n where n.user_id = i.user_id)`),
  ).toEqual([0]);
  expect(
    await numbers(`select count(*) from audit_chains c where seq <> (
      select max(seq) from audit_events e where e.org_id = c.org_id)`),
  ).toEqual([0]);
  expect(await numbers('select count(*) from deliveries where event_id not in (select id from events)')).toEqual([0]);
  const { rows: titles } = await sql<{ name: string }>`
    select title as name from discussions union all select ref from refs`.execute(database.read);
  const names = new Set(titles.map(({ name }) => name));
  expect([...acknowledged].filter((name) => !names.has(name))).toEqual([]);
  if (database.engine === 'sqlite')
    expect((await sql`pragma foreign_key_check`.execute(database.read)).rows).toEqual([]);
}

test.each(WAYS)('each backup of a hub under writes, from %s to %s, is one moment', async (from, to) => {
  await using old = await createBackupFixture(from);
  await using sink = await startSink();
  const file = join(old.folder, 'hub.backup');
  const hub = await startHubProcess(old.environment);
  const acknowledged = new Set<string>();
  const stopped = new AbortController();
  try {
    await applyHub({ hubUrl: hub.url, accessToken: ADMIN, document: TEAM });
    const alice = { hubUrl: hub.url, accessToken: tokenOf('alice') };
    await createRepo({ ...alice, repo: 'acme/bert' });
    const webhook = { url: sink.url, secret: 'hush', watched: [{ type: 'org' as const, name: 'acme' }] };
    await createWebhook({ ...alice, webhook: { ...webhook, domains: ['repo', 'discussion'] } });
    const writers = Array.from({ length: WRITERS }, (_, at) => write(hub.url, `w${at}`, acknowledged, stopped.signal));
    for (let round = 0; round < 3; round++) {
      await pause(500);
      const before = new Set(acknowledged);
      const said = await backUp(old, file);
      expect(acknowledged.size, 'changes were acknowledged during the backup').toBeGreaterThan(before.size);
      await using fresh = await createBackupFixture(to);
      await restore(fresh, file);
      await checkMoment(fresh, before);
      const again = await backUp(fresh, join(fresh.folder, 'again.backup'));
      expect(again.tables).toEqual(said.tables);
      console.log(`${from} to ${to}: ${said.rows} rows, ${acknowledged.size - before.size} changes meanwhile`);
    }
    stopped.abort();
    await Promise.all(writers);
  } finally {
    stopped.abort();
    await hub.stop();
  }

  // All writers have stopped, so the two databases can be compared.
  await backUp(old, file);
  await using fresh = await createBackupFixture(to);
  await restore(fresh, file);
  const content: Record<string, Content> = await contentAt(fresh);
  expect(content).toEqual(await contentAt(old));
  expect(content.notifications?.rows).toBeGreaterThan(0);

  const again = await startHubProcess(fresh.environment);
  try {
    const alice = { hubUrl: again.url, accessToken: tokenOf('alice') };
    expect((await whoAmI(alice)).name).toBe('alice');
    // The restored hub handles the events that waited in the backup: each discussion becomes one thread of the inbox.
    await expect.poll(async () => (await getNotificationPage(alice)).count.all).toBe(content.discussions?.rows);
    const [webhook] = await listWebhooks(alice);
    const { id } = await testWebhook({ ...alice, webhookId: webhook!.id });
    expect(await getDelivery({ ...alice, webhookId: webhook!.id, logId: id })).toMatchObject({
      status: 'delivered',
    });
    expect((await collect(listDeliveries({ ...alice, webhookId: webhook!.id }))).length).toBeGreaterThan(10);
    const environment = { MOONBASE_URL: again.url, MOONBASE_TOKEN: tokenOf('alice') };
    const log = join(fresh.folder, 'audit.json');
    await moonbase(['audit', 'export', 'acme', '-o', log], environment);
    const head = (await moonbase(['audit', 'head', 'acme'], environment)).trim();
    expect(await moonbase(['audit', 'verify', log, '--head', head], {})).toContain('nothing was changed');
  } finally {
    await again.stop();
  }
});

test(`killing the restore of a database on ${engine} leaves it empty or restored`, async () => {
  const random = seeded(31);
  await using source = await createBackupFixture('sqlite');
  const hub = await startHubProcess(source.environment);
  await hub.stop();
  await (async () => {
    await using database = source.open();
    await database.transaction((tx) =>
      sql`insert into events (id, topic, created_at, data, due_at, done_at)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 60000)
        select 'e' || i, 'repo', i, '{"some":"text of the usual length, more or less, of an event"}', i, i from n`.execute(
        tx,
      ),
    );
  })();
  const file = join(source.folder, 'hub.backup');
  await backUp(source, file);
  const content = await contentAt(source);

  const startedAt = performance.now();
  await using first = await createBackupFixture(engine);
  await restore(first, file);
  const whole = performance.now() - startedAt;
  let empty = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    await using target = await createBackupFixture(engine);
    const { child, ended } = startMoonbase(['restore', file], target.environment);
    await pause(whole * (0.2 + 0.75 * random()));
    child.kill('SIGKILL');
    await ended;
    if (await isEmpty(target)) {
      empty += 1;
      await restore(target, file);
    }
    expect(await contentAt(target)).toEqual(content);
  }
  console.log(`${engine}: ${empty} of ${KILLS} kills came before the end (of ${whole.toFixed(0)} ms)`);
  expect(empty).toBeGreaterThan(0);
});

test('killing a backup leaves the previous one intact', async () => {
  const random = seeded(32);
  await using source = await createBackupFixture('sqlite');
  const hub = await startHubProcess(source.environment);
  const file = join(source.folder, 'hub.backup');
  try {
    await backUp(source, file);
    const before = readFileSync(file);
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = startMoonbase(['backup', file], source.environment);
      await pause(50 + 250 * random());
      child.kill('SIGKILL');
      const { status } = await ended;
      if (status === null) expect(readFileSync(file).equals(before)).toBe(true);
    }
    await backUp(source, file);
    await using fresh = await createBackupFixture('sqlite');
    await restore(fresh, file);
  } finally {
    rmSync(`${file}.partial`, { force: true });
    await hub.stop();
  }
});
