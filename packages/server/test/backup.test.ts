import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyHub } from '@moonbase/client/admin';
import { exportAuditLog } from '@moonbase/client/audit-log';
import { setUserAvatar } from '@moonbase/client/avatars';
import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { getNotificationPage } from '@moonbase/client/notifications';
import { getUserOverview, whoAmI } from '@moonbase/client/profiles';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { createWebhook, listDeliveries, listWebhooks } from '@moonbase/client/webhooks';
import { CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { NO_HASH } from '../src/audit-log/chain.ts';
import { keptTables, knownTables } from '../src/platform/backup/table-plan.ts';
import { readCatalog } from '../src/platform/database/catalog.ts';
import { migrate } from '../src/platform/database/migrate.ts';
import { TABLE_PLAN } from '../src/tables.ts';
import {
  ADMIN,
  backedUp,
  contentAt,
  contentOf,
  createBackupFixture,
  KINDS,
  restoreAt,
  startAt,
  TEAM,
  WAYS,
} from './backup-fixture.ts';
import { type Connection, collect, tokenOf } from './harness.ts';
import { migrations, openTestDatabase } from './open-test-database.ts';
import { flat } from './pictures.ts';
import { startReceiver } from './receiver.ts';

const KEPT = keptTables(TABLE_PLAN);
const KNOWN = knownTables(TABLE_PLAN);

/** Returns the picture at the address of alice's avatar. */
async function pictureOf(alice: Connection): Promise<Buffer> {
  const { avatarUrl } = await getUserOverview({ ...alice, username: 'alice' });
  const answer = await fetch(new URL(new URL(avatarUrl).pathname, alice.hubUrl));
  expect(answer.headers.get('content-type')).toBe('image/webp');
  return Buffer.from(await answer.arrayBuffer());
}

test.each(WAYS)('a hub on %s continues from its backup on %s', async (from, to) => {
  await using old = await createBackupFixture(from);
  await using fresh = await createBackupFixture(to);
  await using receiver = await startReceiver();
  const repo = { type: 'model', repo: 'acme/bert' } as const;
  const before = await (async () => {
    await using hub = await startAt(old);
    await applyHub({ ...hub.as(ADMIN), document: TEAM });
    const [alice, bob] = [hub.as(tokenOf('alice')), hub.as(tokenOf('bob'))];
    const picture = new Blob([new Uint8Array(await flat('png'))], { type: 'image/png' });
    await setUserAvatar({ ...alice, username: 'alice', picture });
    await createRepo({ ...alice, repo: 'acme/bert', private: true });
    await updateRepoSettings({ ...alice, ...repo, settings: { gated: 'auto' } });
    const webhook = { url: receiver.url, secret: 'hush', watched: [{ type: 'org' as const, name: 'acme' }] };
    await createWebhook({ ...alice, webhook: { ...webhook, domains: ['repo', 'discussion'] } });
    await createDiscussion({ ...bob, ...repo, title: 'Licence?', description: 'Grüße @alice „🤗“\n\u2028' });
    await hub.drain();
    // Earlier events are delivered and notified; those of the second comment are still to be processed.
    await commentDiscussion({ ...bob, ...repo, num: 1, comment: 'On its way' });
    const taken = await backedUp(old);
    const content = await contentOf(hub.database);
    // The later repository is not in the backup.
    await createRepo({ ...alice, repo: 'acme/later' });
    const inbox = await getNotificationPage(alice);
    return { ...taken, content, inbox, picture: await pictureOf(alice) };
  })();
  expect(before.summary.header).toMatchObject({ engine: from, format: 1 });

  const restored = await restoreAt(fresh, before.file);
  expect(restored).toEqual(before.summary);
  expect(await contentAt(fresh)).toEqual(before.content);
  for (const table of ['tokens', 'avatars', 'deliveries', 'notifications', 'audit_events'])
    expect([table, before.content[table]?.rows]).not.toEqual([table, 0]);

  await using hub = await startAt(fresh);
  const alice = hub.as(tokenOf('alice'));
  expect((await whoAmI(alice)).name).toBe('alice');
  await expect(whoAmI(hub.as(tokenOf('nobody')))).rejects.toMatchObject({ status: 401 });
  expect(await pictureOf(alice)).toEqual(before.picture);

  const inbox = await getNotificationPage(alice);
  const plainOf = ({ notifications, ...counts }: typeof inbox) => ({
    ...counts,
    ids: notifications.map((entry) => ('discussion' in entry ? entry.discussion?.title : entry.type)),
  });
  expect(plainOf(inbox)).toEqual(plainOf(before.inbox));

  const sent = receiver.received.length;
  await hub.drain();
  const [webhook] = await listWebhooks(alice);
  const last = receiver.received.at(-1)!;
  expect(receiver.received.slice(sent).map(({ payload }) => payload.event)).toEqual([
    { action: 'create', scope: 'discussion.comment' },
  ]);
  expect(last.headers['x-webhook-secret']).toBe('hush');
  const log = await collect(listDeliveries({ ...alice, webhookId: webhook!.id }));
  expect(log.map(({ status }) => status)).not.toContain('pending');

  await createDiscussion({ ...alice, ...repo, title: 'After', description: 'it goes on' });
  const chain = await exportAuditLog({ ...alice, name: 'acme' });
  expect(chain.length).toBeGreaterThan(2);
  expect(chain.at(-1)).toMatchObject({ seq: 1, prevHash: NO_HASH });
});

test.each(WAYS)('every column of every table survives, from %s to %s', async (from, to) => {
  await using old = await createBackupFixture(from);
  await using fresh = await createBackupFixture(to);
  await (async () => {
    await using database = old.open();
    await migrate(database, migrations, 0);
    // Every text is the same, so references lead to the only row.
    const text = `a'"\\\n\t\u2028🤗é\u0001`;
    const values: Record<string, unknown> = {
      text,
      bigint: Number.MAX_SAFE_INTEGER,
      integer: 2 ** 31 - 1,
      bytea: Buffer.from([0, 255, 10, 34, 92, 128]),
    };
    const catalog = await readCatalog(database);
    await database.transaction(async (tx) => {
      for (const table of KEPT) {
        const columns = [...(catalog.get(table) ?? [])];
        expect([table, columns.filter(([, type]) => !(type in values))]).toEqual([table, []]);
        const fixtures = columns.map((_, at) => (from === 'postgres' ? `$${at + 1}` : '?'));
        const insert = `insert into ${table} (${columns.map(([name]) => name).join(', ')}) values (${fixtures.join(', ')})`;
        await tx.executeQuery(
          CompiledQuery.raw(
            insert,
            columns.map(([, type]) => values[type]),
          ),
        );
      }
    });
  })();
  const { file, summary } = await backedUp(old);
  // The text where the check of the key should be.
  expect(summary.rows).toBe(KEPT.length);
  await restoreAt(fresh, file);
  expect(await contentAt(fresh)).toEqual(await contentAt(old));
  const again = await backedUp(fresh);
  expect(again.summary.tables).toEqual(summary.tables);
});

test('every table of the schema is kept or omitted for a reason, referenced tables first; none has a sequence', async () => {
  await using opened = await openTestDatabase();
  const { database } = opened;
  expect([...(await readCatalog(database)).keys()].sort()).toEqual([...KNOWN].sort());
  const references =
    database.engine === 'sqlite'
      ? sql<{ child: string; parent: string }>`select t.name as child, f."table" as parent
          from sqlite_master t join pragma_foreign_key_list(t.name) f where t.type = 'table'`
      : sql<{ child: string; parent: string }>`select c.relname as child, p.relname as parent from pg_constraint f
          join pg_class c on c.oid = f.conrelid join pg_class p on p.oid = f.confrelid
          where f.contype = 'f' and c.relnamespace = current_schema()::regnamespace`;
  const { rows } = await references.execute(database.read);
  expect(rows.length).toBeGreaterThan(20);
  const order = (table: string) => KNOWN.indexOf(table);
  expect(rows.filter(({ child, parent }) => order(parent) >= order(child))).toEqual([]);
  // A backup would have to state the value of a counter.
  const counters =
    database.engine === 'sqlite'
      ? sql`select name from sqlite_master where sql like '%autoincrement%'`
      : sql`select sequence_name from information_schema.sequences where sequence_schema = current_schema()`;
  expect((await counters.execute(database.read)).rows).toEqual([]);
});

test.each(WAYS)(
  'a backup of an older schema, from %s to %s, is restored with that schema and then migrated',
  async (from, to) => {
    await using old = await createBackupFixture(from);
    await using fresh = await createBackupFixture(to);
    const folder = await mkdtemp(join(tmpdir(), 'moonbase-migrations-'));
    try {
      for (const name of await readdir(migrations))
        if (name.slice(0, 4) <= '0012') await copyFile(join(migrations, name), join(folder, name));
      await using database = old.open();
      await migrate(database, folder, 0);
      await database.transaction(async (tx) => {
        const run = (statement: string) => sql.raw(statement).execute(tx);
        await run(`insert into accounts (id, kind, name, name_key, fullname, created_at)
        values ('a', 'user', 'alice', 'alice', 'Alice', 1)`);
        await run(`insert into repositories (id, type, owner_id, name, name_key, created_at)
        values ('r', 'model', 'a', 'letters', 'letters', 10)`);
        await run(`insert into discussions (id, repo_id, num, title, status, is_pull_request, created_at)
        values ('d', 'r', 1, 'A Question', 'open', 0, 20)`);
        await run(`insert into discussion_events (id, discussion_id, type, author_id, created_at, data)
        values ('e', 'd', 'comment', 'a', 30, '{}')`);
      });
    } finally {
      await rm(folder, { recursive: true });
    }
    const { file, summary } = await backedUp(old);
    expect(summary.header.migrations.at(-1)).toBe('0012-threads');
    await restoreAt(fresh, file);

    await using database = fresh.open();
    const participants = await database.read.selectFrom('thread_participants').selectAll().execute();
    expect(participants).toEqual([
      { thread_id: 'd', user_id: 'a', source_id: 'r', wrote: 1, mentioned: 0, last_at: 30 },
    ]);
    const newest = (await readdir(migrations))
      .filter((name) => name.endsWith('.sql') && !name.includes('postgres'))
      .sort();
    const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(database.read);
    expect(rows.map(({ name }) => `${name}.sql`)).toEqual(newest);
  },
);

test.each(KINDS)(
  'on %s, a restore into a database with a hub is refused, and so is a backup of one without',
  async (kind) => {
    await using fixture = await createBackupFixture(kind);
    await using source = await createBackupFixture('sqlite');
    if (kind === 'postgres') await expect(backedUp(fixture)).rejects.toThrow('There is no hub in this database');
    else await expect(backedUp(fixture)).rejects.toThrow('There is no database in the data folder');
    await (await startAt(source))[Symbol.asyncDispose]();
    const { file } = await backedUp(source);
    await (await startAt(fixture))[Symbol.asyncDispose]();
    const before = await contentAt(fixture);
    await expect(restoreAt(fixture, file)).rejects.toThrow('The database is not empty');
    expect(await contentAt(fixture)).toEqual(before);
  },
);

test('nothing is restored into the folder of a running hub', async () => {
  await using fixture = await createBackupFixture('sqlite');
  await using hub = await startAt(fixture);
  const { file } = await backedUp(fixture);
  await expect(restoreAt(fixture, file)).rejects.toThrow('in use by another Moonbase process');
  expect((await whoAmI(hub.as(ADMIN))).name).toBe('admin');
  await using memory = await createBackupFixture('sqlite', { MOONBASE_DATA_DIR: ':memory:' });
  await expect(backedUp(memory)).rejects.toThrow('MOONBASE_DATA_DIR is :memory:');
  await expect(restoreAt(memory, file)).rejects.toThrow('MOONBASE_DATA_DIR is :memory:');
});
