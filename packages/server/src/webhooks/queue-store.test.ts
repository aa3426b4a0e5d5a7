import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenTestDatabase, openTestDatabase } from '../../test/open-test-database.ts';
import { storeDeliveries, storedDelivery, storeUserAndEvent, storeWebhook } from '../../test/stored-deliveries.ts';
import type { DeliveryRow } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { claimLane, handAllBack, handBack, LEASE_MS, waitingLanes } from './queue-store.ts';

const NOW = 1_000_000;
let opened: OpenTestDatabase;
let db: Executor;
beforeEach(async () => {
  opened = await openTestDatabase();
  db = opened.database.executor;
  await storeUserAndEvent(db);
});
afterEach(() => opened[Symbol.asyncDispose]());

const webhook = (id: string) => storeWebhook(db, id);
const delivery = (id: string, given: Partial<DeliveryRow> = {}) =>
  storedDelivery(id, { webhook_id: 'w', due_at: NOW, ...given });
const deliveries = (...rows: DeliveryRow[]) => storeDeliveries(db, rows);

const take = async (given: Partial<Parameters<typeof claimLane>[1]> = {}, from = db) =>
  (
    await claimLane(from, { lane: 'one', lease: 'a', now: NOW, limit: 100, perWebhook: 16, butNotOf: [], ...given })
  ).sort();

describe('a claim', () => {
  beforeEach(() => webhook('w'));

  test('takes what is due of its lane, oldest first', async () => {
    await deliveries(
      delivery('d1'),
      delivery('d2', { lane: 'two' }),
      delivery('d3', { status: 'failed' }),
      delivery('d4', { due_at: NOW - 1 }),
      delivery('d5', { due_at: NOW + 1 }),
    );
    expect(await take({ limit: 1 })).toEqual(['d4']);
    expect(await take()).toEqual(['d1']);
    expect(await take({ lane: 'two' })).toEqual(['d2']);
    expect(await take({ lane: 'three' })).toEqual([]);
  });

  test('holds for as long as the lease, unless it is handed back by who holds it', async () => {
    await deliveries(delivery('d1'));
    expect(await take()).toEqual(['d1']);
    expect(await take({ lease: 'b', now: NOW + LEASE_MS - 1 })).toEqual([]);
    expect(await take({ lease: 'b', now: NOW + LEASE_MS })).toEqual(['d1']);
    await handBack(db, ['d1'], 'a', NOW);
    expect(await take({ lease: 'c', now: NOW })).toEqual([]);
    await handBack(db, ['d1'], 'b', NOW);
    expect(await take({ lease: 'c', now: NOW })).toEqual(['d1']);
  });

  test('of a process that died is handed back as a whole; what waits for its time and what is done stays', async () => {
    await deliveries(
      delivery('d1'),
      delivery('d2', { due_at: NOW + 500 }),
      delivery('d3', { status: 'failed', lease: 'z' }),
    );
    await take();
    await handAllBack(db, NOW + 1);
    expect(await take({ lease: 'b', now: NOW + 1 })).toEqual(['d1']);
    expect(await take({ lease: 'b', now: NOW + 500 })).toEqual(['d2']);
  });

  test('is shared among the webhooks of the lane, so that the backlog of one does not hide another', async () => {
    await webhook('v');
    const backlog = Array.from({ length: 50 }, (_, at) => delivery(`d${10 + at}`, { due_at: NOW - 100 + at }));
    await deliveries(...backlog, delivery('late', { webhook_id: 'v' }));
    expect(await take({ perWebhook: 3 })).toEqual(['d10', 'd11', 'd12', 'late']);
    expect(await take({ perWebhook: 3 })).toEqual(['d13', 'd14', 'd15']);
  });

  test('leaves out webhooks that have enough in flight, however much of theirs is older', async () => {
    await webhook('v');
    const backlog = Array.from({ length: 300 }, (_, at) => delivery(`d${100 + at}`, { due_at: NOW - 1000 + at }));
    await deliveries(...backlog, delivery('late', { webhook_id: 'v' }));
    expect(await take({ butNotOf: ['w'] })).toEqual(['late']);
  });

  test('by many at once takes each delivery once', async () => {
    await deliveries(...Array.from({ length: 40 }, (_, at) => delivery(`d${at}`)));
    const takes = [opened.database, opened.again(), opened.again()].map((database, at) =>
      database.transaction((tx) => take({ lease: `lease ${at}`, perWebhook: 100 }, tx)),
    );
    const all = (await Promise.all(takes)).flat();
    expect([...new Set(all)]).toHaveLength(all.length);
    expect(all).toHaveLength(40);
  });
});

test('the waiting lanes come in their order, window by window, with the time of their first delivery', async () => {
  await webhook('w');
  await deliveries(
    delivery('d1', { lane: 'b', due_at: NOW + 5 }),
    delivery('d2', { lane: 'a' }),
    delivery('d3', { lane: 'a', due_at: NOW - 5 }),
    delivery('d4', { lane: 'c', status: 'delivered' }),
    delivery('d5', { lane: 'd' }),
  );
  expect(await waitingLanes(db, '', 2)).toEqual([
    { lane: 'a', dueAt: NOW - 5 },
    { lane: 'b', dueAt: NOW + 5 },
  ]);
  expect(await waitingLanes(db, 'b', 2)).toEqual([{ lane: 'd', dueAt: NOW }]);
  expect(await waitingLanes(db, 'd', 2)).toEqual([]);
});
