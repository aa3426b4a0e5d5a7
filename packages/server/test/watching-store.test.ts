import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Database } from '../src/platform/database/transaction.ts';
import type { Caller } from '../src/platform/http/authenticate.ts';
import { createSettings, notificationsOn, turnOff } from '../src/settings/index.ts';
import { DECIDING_KEYS } from '../src/settings/policy.ts';
import { createWatching, hasMuted } from '../src/watching/index.ts';
import { createAuditRecorder } from './audit-recorder.ts';
import { createTestClock } from './clock.ts';
import { openTestDatabase } from './open-test-database.ts';

const id = (number: number) => number.toString(16).padStart(24, '0');
const [ALICE, BOB, CAROL] = [id(1), id(2), id(3)];
/** The ids of papers begin here. */
const PAPERS = 1_000_000;

let database: Database;
beforeEach(async () => {
  const opened = await openTestDatabase();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  database = opened.database;
  for (const [at, name] of ['alice', 'bob', 'carol'].entries())
    await database.transaction((tx) =>
      tx
        .insertInto('accounts')
        .values({ id: id(at + 1), kind: 'user', name, name_key: name, fullname: name, created_at: 0 } as never)
        .execute(),
    );
});

const callerOf = (userId: string): Caller => ({
  baseUrl: '',
  hubUrl: '',
  url: '',
  address: '',
  userAgent: undefined,
  requestId: '',
  principal: { userId, userName: '', siteAdmin: false, token: { id: '', role: 'write' } },
});
const watching = () => createWatching({ database, clock: createTestClock() });
const thread = (at: number) => ({ id: id(PAPERS + at), type: 'discussion' as const });

/** Inserts papers, and a mute of each by alice. */
async function mutePapers(count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, at) => id(PAPERS + at));
  for (let from = 0; from < count; from += 1000) {
    const part = ids.slice(from, from + 1000);
    await database.transaction((tx) =>
      tx
        .insertInto('papers')
        .values(part.map((paper) => ({ id: paper, arxiv_id: paper, title: paper, summary: '', created_at: 0 })))
        .execute(),
    );
    await database.transaction((tx) =>
      tx
        .insertInto('mutes')
        .values(part.map((paper) => ({ user_id: ALICE, target_type: 'discussion', target_id: paper, created_at: 0 })))
        .execute(),
    );
  }
}

test('a user has at most 10,000 items; deleted targets do not count', async () => {
  await mutePapers(10_000);
  const alice = callerOf(ALICE);
  const add = (at: number) => watching().changeMuted(alice, { add: [thread(at)], delete: [] });
  await add(7);
  await database.transaction((tx) =>
    tx
      .insertInto('papers')
      .values({ id: id(PAPERS + 10_000), arxiv_id: 'x', title: '', summary: '', created_at: 0 })
      .execute(),
  );
  await expect(add(10_000)).rejects.toMatchObject({
    status: 409,
    message: 'More than 10000 items cannot be muted; delete some',
  });
  const count = async () =>
    Number((await sql<{ n: number }>`select count(*) as n from mutes`.execute(database.read)).rows[0]?.n);
  expect(await count()).toBe(10_000);
  await watching().changeMuted(alice, { add: [thread(10_000)], delete: [thread(0)] });
  expect(await count()).toBe(10_000);
  await database.transaction((tx) => tx.deleteFrom('papers').where('id', '<', thread(500).id).execute());
  await database.transaction((tx) =>
    tx
      .insertInto('papers')
      .values({ ...PAPER, id: thread(10_001).id })
      .execute(),
  );
  await add(10_001);
  expect(await count()).toBe(9_502);
});
const PAPER = { arxiv_id: 'y', title: '', summary: '', created_at: 0 };

test('1,000 items are added with few statements', async () => {
  await mutePapers(1000);
  const statements: string[] = [];
  const counted = new Proxy(database, {
    get(target, key) {
      if (key !== 'transaction') return Reflect.get(target, key) as unknown;
      return (work: Parameters<Database['transaction']>[0]) =>
        target.transaction((tx) => {
          const execute = tx.getExecutor().executeQuery.bind(tx.getExecutor());
          tx.getExecutor().executeQuery = (query) => {
            statements.push(query.sql);
            return execute(query);
          };
          return work(tx);
        });
    },
  });
  const items = Array.from({ length: 1000 }, (_, at) => thread(at));
  await createWatching({ database: counted, clock: createTestClock() }).changeMuted(callerOf(BOB), {
    add: items,
    delete: items,
  });
  expect((await watching().listMuted(callerOf(BOB), { limit: 1000 })).items).toHaveLength(1000);
  expect(statements.length).toBeGreaterThan(0);
  expect(statements.length).toBeLessThan(15);
});

test('a condition finds users who muted a target', async () => {
  await mutePapers(1);
  const muters = (target: string) =>
    database.read
      .selectFrom('accounts')
      .select('name')
      .where(hasMuted(sql.ref('accounts.id'), sql.val(target)))
      .execute();
  expect(await muters(thread(0).id)).toEqual([{ name: 'alice' }]);
  expect(await muters(thread(1).id)).toEqual([]);
});

test.each(DECIDING_KEYS)(
  'a condition finds users who have %s on; a mail can turn this setting off and no other',
  async (key) => {
    const settings = createSettings({ database, audit: createAuditRecorder() });
    await settings.updateNotifications(callerOf(ALICE), { notifications: { announcements: false } });
    await settings.updateNotifications(callerOf(BOB), { notifications: { [key]: false } });
    const wanting = async (which: typeof key) =>
      (
        await database.read
          .selectFrom('accounts')
          .select('name')
          .where(notificationsOn(sql.ref('accounts.id'), which))
          .orderBy('name')
          .execute()
      ).map(({ name }) => name);
    expect(await wanting(key)).toEqual(['alice', 'carol']);

    const others = DECIDING_KEYS.filter((other) => other !== key);
    for (const who of [CAROL, CAROL, ALICE]) await database.transaction((tx) => turnOff(tx, who, key));
    expect(await wanting(key)).toEqual([]);
    for (const other of others) expect(await wanting(other)).toEqual(['alice', 'bob', 'carol']);
    const { notifications } = await settings.getNotifications(callerOf(ALICE));
    expect(notifications).toMatchObject({ announcements: false, [key]: false, user_follows: true });

    await settings.updateNotifications(callerOf(ALICE), { notifications: { [key]: true } });
    expect(await wanting(key)).toEqual(['alice']);
  },
);
