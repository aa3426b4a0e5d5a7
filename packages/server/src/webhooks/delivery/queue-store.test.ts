import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { storeDeliveries, storedDelivery, storeUserAndEvent, storeWebhook } from '../../../test/stored-deliveries.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { laneOf, streamTarget } from '../matching/lane.ts';
import type { DeliveryRow } from '../tables.ts';
import { type LaneClaim, nextOfLanes, waitingLanes } from './queue-store.ts';

const NOW = 1_000_000;
let opened: OpenTestDatabase;
let database: Database;
beforeEach(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  await storeUserAndEvent(database);
});
afterEach(() => opened[Symbol.asyncDispose]());

const webhook = (id: string) => storeWebhook(database, id);
const delivery = (id: string, given: Partial<DeliveryRow> = {}) =>
  storedDelivery(id, { webhook_id: 'w', due_at: NOW, ...given });
const deliveries = (...rows: DeliveryRow[]) => storeDeliveries(database, rows);

const CLAIM: LaneClaim = { lane: 'one', limit: 100, perWebhook: 16, exceptWebhooks: [], from: 0 };

async function next({
  now = NOW,
  inFlight = [],
  ...claim
}: Partial<LaneClaim> & { now?: number; inFlight?: string[] } = {}) {
  const given = { ...CLAIM, ...claim };
  return (await nextOfLanes(database.read, [given], { now, inFlight })).get(given.lane)?.ids;
}

describe('the next deliveries of a lane', () => {
  beforeEach(() => webhook('w'));

  test('are those that are due and not in flight, oldest first', async () => {
    await deliveries(
      delivery('d1'),
      delivery('d2', { lane: 'two' }),
      delivery('d3', { status: 'failed' }),
      delivery('d4', { due_at: NOW - 1 }),
      delivery('d5', { due_at: NOW + 1 }),
    );
    expect(await next()).toEqual(['d4', 'd1']);
    expect(await next({ limit: 1 })).toEqual(['d4']);
    expect(await next({ inFlight: ['d4'] })).toEqual(['d1']);
    expect(await next({ now: NOW + 1 })).toEqual(['d4', 'd1', 'd5']);
    expect(await next({ lane: 'two' })).toEqual(['d2']);
    expect(await next({ lane: 'three' })).toEqual([]);
  });

  test('are shared among its webhooks, so that the backlog of one does not hide another', async () => {
    await webhook('v');
    const backlog = Array.from({ length: 50 }, (_, at) => delivery(`d${10 + at}`, { due_at: NOW - 100 + at }));
    await deliveries(...backlog, delivery('late', { webhook_id: 'v' }));
    expect(await next({ perWebhook: 3 })).toEqual(['d10', 'd11', 'd12', 'late']);
    expect(await next({ perWebhook: 3, inFlight: ['d10', 'd11', 'd12', 'late'] })).toEqual(['d13', 'd14', 'd15']);
  });

  test('leave out webhooks that have enough in flight, however old their deliveries are', async () => {
    await webhook('v');
    const backlog = Array.from({ length: 300 }, (_, at) => delivery(`d${100 + at}`, { due_at: NOW - 1000 + at }));
    await deliveries(...backlog, delivery('late', { webhook_id: 'v' }));
    expect(await next({ exceptWebhooks: ['w'] })).toEqual(['late']);
  });

  test('are found for several lanes at once, each within its own limits', async () => {
    await webhook('v');
    await deliveries(
      ...['a1', 'a2', 'a3'].map((id) => delivery(id)),
      ...['b1', 'b2'].map((id) => delivery(id, { lane: 'two' })),
      delivery('b3', { lane: 'two', webhook_id: 'v' }),
      delivery('c1', { lane: 'three' }),
    );
    const claims = [
      { ...CLAIM, limit: 2 },
      { ...CLAIM, lane: 'two', exceptWebhooks: ['v'] },
      { ...CLAIM, lane: 'three', perWebhook: 0 },
      { ...CLAIM, lane: 'four' },
    ];
    const found = await nextOfLanes(database.read, claims, { now: NOW, inFlight: ['b1'] });
    expect(Object.fromEntries(found)).toEqual({
      one: { ids: ['a1', 'a2'], oldest: NOW },
      two: { ids: ['b2'], oldest: NOW },
      three: { ids: [], oldest: NOW },
      four: { ids: [], oldest: null },
    });
  });

  test('are looked for from a due time on; the first that waits is told where the whole lane was looked at', async () => {
    await deliveries(
      delivery('d1', { due_at: NOW - 9 }),
      delivery('d2', { due_at: NOW - 5 }),
      delivery('d3', { due_at: NOW - 3 }),
      delivery('d4', { status: 'delivered', due_at: NOW - 20 }),
    );
    const from = async (time: number, inFlight: string[]) =>
      (await nextOfLanes(database.read, [{ ...CLAIM, from: time }], { now: NOW, inFlight })).get(CLAIM.lane);
    expect(await from(0, ['d1'])).toEqual({ ids: ['d2', 'd3'], oldest: NOW - 5 });
    expect(await from(NOW - 5, [])).toEqual({ ids: ['d2', 'd3'], oldest: null });
    expect(await from(NOW - 4, ['d3'])).toEqual({ ids: [], oldest: null });
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
    // The worker leaves this delivery to its connection.
    delivery('d6', { lane: laneOf({ url: streamTarget('w') }), due_at: NOW - 9 }),
  );
  expect(await waitingLanes(database.read, '', 2)).toEqual([
    { lane: 'a', dueAt: NOW - 5 },
    { lane: 'b', dueAt: NOW + 5 },
  ]);
  expect(await waitingLanes(database.read, '', 2, { from: new Map(), inFlight: ['d3', 'd1'] })).toEqual([
    { lane: 'a', dueAt: NOW },
    { lane: 'b', dueAt: null },
  ]);
  expect(await waitingLanes(database.read, '', 2, { from: new Map([['a', null]]), inFlight: [] })).toEqual([
    { lane: 'a', dueAt: null },
    { lane: 'b', dueAt: NOW + 5 },
  ]);
  expect(await waitingLanes(database.read, 'b', 2)).toEqual([{ lane: 'd', dueAt: NOW }]);
  // Known lanes come whether or not anything waits in them; nothing is looked for before their times.
  const known = new Map([
    ['aa', NOW],
    ['b', NOW + 6],
    ['d', NOW - 1],
    ['e', 0],
  ]);
  expect(await waitingLanes(database.read, 'a', 9, { from: known, inFlight: [] })).toEqual([
    { lane: 'aa', dueAt: null },
    { lane: 'b', dueAt: null },
    { lane: 'd', dueAt: NOW },
    { lane: 'e', dueAt: null },
  ]);
  expect(await waitingLanes(database.read, 'd', 2)).toEqual([]);
});
