import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestClock, DAY, type TestClock } from '../../../test/clock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { storeDeliveries, storedDelivery, storeUser, storeWebhook } from '../../../test/stored-deliveries.ts';
import type { EventRow } from '../../platform/database/tables.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { createIds, type Ids } from '../../platform/ids.ts';
import type { Task, TaskKind, TaskStep } from '../../platform/queue/tasks.ts';
import type { DeliveryRow, WebhookReplayRow } from '../tables.ts';
import { createPruneLog, pruneLogTask, purgeWebhook, purgeWebhookTask } from './prune.ts';

let opened: OpenTestDatabase;
let database: Database;
let clock: TestClock;
let ids: Ids;
let webhookId: string;
beforeEach(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  clock = createTestClock();
  ids = createIds(clock);
  await storeUser(database);
  webhookId = await webhook();
});
afterEach(() => opened[Symbol.asyncDispose]());

async function webhook(): Promise<string> {
  const id = ids();
  await storeWebhook(database, id);
  return id;
}

async function event(change: Partial<EventRow> = {}): Promise<string> {
  const id = ids();
  const now = clock.now();
  await database.transaction((tx) =>
    tx
      .insertInto('events')
      .values({
        id,
        topic: 'repo',
        created_at: now,
        data: '{}',
        due_at: now,
        attempts: 0,
        done_at: now,
        epoch: 0,
        ...change,
      })
      .execute(),
  );
  return id;
}

/** Stores a number of entries of one event, with their attempts; returns the ids of the entries. */
async function entries(count: number, change: Partial<DeliveryRow> = {}): Promise<string[]> {
  const eventId = change.event_id ?? (await event());
  const rows = Array.from({ length: count }, () => {
    const id = ids();
    const now = clock.now();
    return storedDelivery(id, {
      webhook_id: webhookId,
      event_id: eventId,
      trigger_key: `${eventId}/${id}`,
      created_at: now,
      status: 'delivered',
      due_at: now,
      ...change,
    });
  });
  const attempts = rows.flatMap((row) =>
    Array.from({ length: row.attempts }, (_, at) => ({
      delivery_id: row.id,
      number: at + 1,
      created_at: row.created_at,
      url: 'https://example.com',
      response_status: 200,
      response_headers: null,
      response_body: null,
      error: null,
      note: null,
      duration_ms: 1,
    })),
  );
  await storeDeliveries(database, rows);
  for (let from = 0; from < attempts.length; from += 500)
    await database.transaction((tx) =>
      tx
        .insertInto('delivery_attempts')
        .values(attempts.slice(from, from + 500))
        .execute(),
    );
  return rows.map(({ id }) => id);
}

async function replay(state: WebhookReplayRow['state']): Promise<string> {
  const id = ids();
  await database.transaction((tx) =>
    tx
      .insertInto('webhook_replays')
      .values({
        id,
        webhook_id: webhookId,
        created_at: clock.now(),
        filter: '{}',
        bound: '',
        cursor: '',
        matched: 0,
        replayed: 0,
        state,
      })
      .execute(),
  );
  return id;
}

const TABLES = ['deliveries', 'events', 'webhook_replays', 'webhooks'] as const;
const idsIn = async (table: (typeof TABLES)[number]): Promise<string[]> =>
  (await database.read.selectFrom(table).select('id').orderBy('id').execute()).map(({ id }) => id);
const attempts = () => database.read.selectFrom('delivery_attempts').select('number').execute();
const rowCount = async (): Promise<number> => {
  let count = (await attempts()).length;
  for (const table of TABLES) count += (await idsIn(table)).length;
  return count;
};

/** Runs a task to its end; returns how many rows each step deleted. */
async function doAll<Data>(kind: TaskKind<Data>, step: TaskStep<Data>, data: Data): Promise<number[]> {
  const deleted: number[] = [];
  for (let task: Task<Data> = { id: 't', data, createdAt: 0 }; ; ) {
    const before = await rowCount();
    const result = await opened.database.transaction((tx) => step(tx, task));
    deleted.push(before - (await rowCount()));
    if (result === 'done') return deleted;
    task = { ...task, data: kind.read(kind.write(result.data)) };
  }
}

describe('retention', () => {
  const prune = () => doAll(pruneLogTask, createPruneLog({ clock, days: 30 }), null);

  test('deletes counts of attempts of hours that are no longer shown, in steps', async () => {
    const hour = Math.floor(clock.now() / 3_600_000);
    const tally = { webhook_id: '', outcome: 'delivered' as const, count: 1 };
    const rows = [
      ...Array.from({ length: 600 }, (_, latency) => ({ ...tally, hour: hour - 24, latency })),
      { ...tally, hour: hour - 23, latency: 0 },
    ];
    await opened.database.transaction((tx) => tx.insertInto('webhook_tallies').values(rows).execute());
    await prune();
    const left = await opened.database.read.selectFrom('webhook_tallies').select('hour').execute();
    expect(left).toEqual([{ hour: hour - 23 }]);
  });

  test('deletes entries with their attempts, and events, that are older than the configured days, and nothing younger', async () => {
    await entries(3, { attempts: 2 });
    clock.advance(1000);
    const kept = await entries(2, { attempts: 1 });
    clock.advance(30 * DAY);
    await prune();
    expect(await idsIn('deliveries')).toEqual(kept);
    expect(await attempts()).toHaveLength(2);
    // An entry that is sent again meanwhile may still need its event.
    expect(await idsIn('events')).toHaveLength(2);
    await prune();
    expect(await idsIn('events')).toHaveLength(1);
  });

  test('keeps pending entries, however old, and their event', async () => {
    const old = await event();
    const pending = await entries(2, { status: 'pending', event_id: old });
    await entries(2, { event_id: old });
    await entries(1, { status: 'failed' });
    await entries(1, { status: 'throttled' });
    clock.advance(100 * DAY);
    await prune();
    await prune();
    expect(await idsIn('deliveries')).toEqual(pending);
    expect(await idsIn('events')).toEqual([old]);
  });

  test('keeps an event while a younger entry needs it, and one whose reactions have not run', async () => {
    const old = await event();
    await entries(1, { event_id: old });
    const waiting = await event({ done_at: null });
    await event();
    clock.advance(100 * DAY);
    const replayed = await entries(1, { event_id: old, kind: 'replay' });
    await prune();
    expect(await idsIn('deliveries')).toEqual(replayed);
    expect(await idsIn('events')).toEqual([old, waiting]);
    clock.advance(100 * DAY);
    await prune();
    await prune();
    expect(await idsIn('events')).toEqual([waiting]);
  });

  test('deletes replays that have ended, and none that is running', async () => {
    const running = await replay('running');
    await replay('done');
    await replay('canceled');
    clock.advance(31 * DAY);
    const young = await replay('done');
    await prune();
    expect(await idsIn('webhook_replays')).toEqual([running, young]);
  });

  test('deletes at most 500 rows per step, attempts included', async () => {
    await entries(700, { attempts: 8 });
    await entries(1500);
    clock.advance(31 * DAY);
    const steps = [...(await prune()), ...(await prune())];
    expect(Math.max(...steps)).toBeLessThanOrEqual(500);
    expect(steps.reduce((sum, count) => sum + count)).toBe(700 * 9 + 1500 + 2);
    expect(steps.length).toBeLessThan(40);
    expect(await rowCount()).toBe(1);
  });

  test('looks at the rows that it keeps only once, however many', async () => {
    await entries(3000, { status: 'pending' });
    clock.advance(31 * DAY);
    // The steps are a page of events and their end, six pages of entries and their end, and the end of the replays.
    expect(await prune()).toEqual(Array(10).fill(0));
  });
});

describe('the purge of a deleted webhook', () => {
  test('deletes its log, pending or not, in steps of at most 500 rows, then the webhook; other logs stay', async () => {
    await entries(300, { attempts: 8 });
    await entries(200, { status: 'pending' });
    await replay('running');
    const doomed = webhookId;
    webhookId = await webhook();
    const kept = await entries(5, { attempts: 1 });
    const steps = await doAll(purgeWebhookTask, purgeWebhook, { webhookId: doomed });
    expect(Math.max(...steps)).toBeLessThanOrEqual(500);
    expect(steps.length).toBeGreaterThan(2);
    expect(await idsIn('webhooks')).toEqual([webhookId]);
    expect(await idsIn('deliveries')).toEqual(kept);
    expect(await attempts()).toHaveLength(5);
    expect(await idsIn('webhook_replays')).toEqual([]);
  });

  test('has nothing to do if the webhook was deleted with its owner', async () => {
    await entries(5);
    await database.transaction((tx) => tx.deleteFrom('accounts').execute());
    expect(await idsIn('deliveries')).toEqual([]);
    expect(await doAll(purgeWebhookTask, purgeWebhook, { webhookId })).toEqual([0]);
  });
});
