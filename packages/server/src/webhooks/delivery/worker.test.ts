import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createTestClock, HOUR, SECOND, type TestClock } from '../../../test/clock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { createTestCrashGuard } from '../../../test/set-aside.ts';
import { storeDeliveries, storedDelivery, storeUserAndEvent, storeWebhook } from '../../../test/stored-deliveries.ts';
import { createIds, type Ids } from '../../platform/ids.ts';
import { LEASE_MS } from '../../platform/queue/lease-store.ts';
import { createLeases } from '../../platform/queue/leases.ts';
import type { Deliver } from './deliver.ts';
import { loadForSending } from './delivery-store.ts';
import { createFreshDeliveries } from './fresh-deliveries.ts';
import { createDeliveryWorker } from './worker.ts';

type Answered = (status: number) => Promise<void>;

let opened: OpenTestDatabase;
let clock: TestClock;
let ids: Ids;
beforeEach(async () => {
  opened = await openTestDatabase();
  clock = createTestClock();
  ids = createIds(clock);
  await storeUserAndEvent(opened.database);
});
afterEach(() => opened[Symbol.asyncDispose]());

/** Stores a webhook for each lane, of the same name, with a number of due deliveries. */
async function backlog(count: number, ...lanes: string[]): Promise<void> {
  for (const lane of lanes) {
    await storeWebhook(opened.database, lane);
    await backlogOf(lane, count);
  }
}

/** Stores due deliveries of a lane whose webhook is stored. */
async function backlogOf(lane: string, count: number, dueAt = clock.now()): Promise<void> {
  const rows = Array.from({ length: count }, () => storedDelivery(ids(), { webhook_id: lane, lane, due_at: dueAt }));
  await storeDeliveries(opened.database, rows);
}

interface Start {
  /** Awaited before an attempt is recorded. */
  readonly recording?: Promise<void>;
  readonly recorded?: boolean;
  readonly isAlone?: boolean;
}

/** Starts a worker whose requests end when the test answers them. */
function start({ recording, recorded = true, isAlone = true }: Start = {}) {
  const { database } = opened;
  const sent: { lane: string; url: string | null; answer: Answered; open: boolean }[] = [];
  const deliver: Deliver = (delivery, answered) =>
    new Promise((resolve) => {
      const request = {
        lane: delivery.lane,
        url: delivery.url,
        open: true,
        async answer(status: number) {
          request.open = false;
          const result = { kind: 'answered' as const, status, headers: {}, body: '', durationMs: 1 };
          answered?.({ delivery, startedAt: clock.now(), url: delivery.url, result, jobId: null, note: null });
          await recording;
          if (recorded)
            await database.transaction((tx) =>
              tx.updateTable('deliveries').set({ status: 'delivered' }).where('id', '=', delivery.id).execute(),
            );
          resolve({ result, recorded });
        },
      };
      sent.push(request);
    });
  const peers = { silent: () => [], lapses: () => 0, isAlone: () => isAlone };
  const leases = createLeases({ database, clock, owner: ids(), peers });
  let nudges = 0;
  const count = () => {
    nudges += 1;
  };
  const nudge = Object.assign(count, { wait: async () => false, take: () => false });
  const worker = createDeliveryWorker({
    ...{ database, clock, leases, nudge, deliver },
    crashGuard: createTestCrashGuard(database, clock),
  });
  return { worker, sent, open: () => sent.filter((request) => request.open), nudges: () => nudges };
}

/** Runs rounds until one finds nothing to do; returns how many found something. */
async function rounds({ worker }: ReturnType<typeof start>, most = 50): Promise<number> {
  for (let count = 0; count < most; count++) if ((await worker.round()).done === 0) return count;
  return most;
}

test('a receiver that responds once and then hangs does not block the worker', async () => {
  await backlog(40, 'a');
  const hub = start();
  await rounds(hub);
  await hub.sent[0]?.answer(200);
  expect(await rounds(hub)).toBeLessThan(3);
  expect(hub.open()).toHaveLength(8);
});

test('however many receivers hang, one that responds is served at full speed', async () => {
  const lane = (at: number) => String(at).padStart(4, '0');
  await backlog(3, ...Array.from({ length: 700 }, (_, at) => lane(at)));
  await backlog(30, 'healthy');
  const hub = start();
  let answers = 0;
  for (let turn = 0; turn < 40; turn++) {
    await rounds(hub);
    const [healthy] = hub.open().filter((request) => request.lane === 'healthy');
    if (healthy) {
      answers += 1;
      await healthy.answer(200);
    }
    // Some of the hanging requests come to their deadlines at each turn.
    for (const request of hub.open().slice(0, 20)) if (request.lane !== 'healthy') await request.answer(500);
    clock.advance(500);
  }
  expect(answers).toBeGreaterThan(5);
});

test('lanes that have just got deliveries are served first, for at most 25 ms without a look at the others', async () => {
  await backlog(1, 'a', 'b', 'c', 'd');
  const { worker, sent } = start();
  worker.expect(['b']);
  expect(await worker.round()).toEqual({ done: 1, dueInMs: 25 });
  clock.advance(24);
  worker.expect(['d']);
  expect(await worker.round()).toEqual({ done: 1, dueInMs: 1 });
  expect(sent.map(({ lane }) => lane)).toEqual(['b', 'd']);
  clock.advance(1);
  await backlog(1, 'e');
  worker.expect(['e']);
  expect(await worker.round()).toMatchObject({ done: 3 });
  expect(sent.map(({ lane }) => lane)).toEqual(['b', 'd', 'a', 'c', 'e']);
});

test.each([
  ['beside nothing else', 0],
  ['beside a webhook that has enough in flight in another lane', 9],
])('a lane is not paused because a look found its new deliveries before they were told of, %s', async (_, waiting) => {
  await backlog(waiting, 'hanging');
  const hub = start();
  await rounds(hub);
  await backlog(1, 'a');
  await rounds(hub);
  hub.worker.expect(['a']);
  await hub.worker.round();
  await backlogOf('a', 1);
  hub.worker.expect(['a']);
  await hub.worker.round();
  expect(hub.sent.filter(({ lane }) => lane === 'a')).toHaveLength(2);
});

test('a place that becomes free wakes the worker only if deliveries may wait for it', async () => {
  await backlog(1, 'quiet');
  await backlog(9, 'busy');
  const hub = start();
  await rounds(hub);
  const answer = (lane: string) =>
    hub
      .open()
      .find((request) => request.lane === lane)
      ?.answer(200);
  await answer('quiet');
  expect(hub.nudges()).toBe(0);
  await answer('busy');
  expect(hub.nudges()).toBe(1);
  // The only one that waited is taken, even if others have just got deliveries.
  await backlog(1, 'new');
  hub.worker.expect(['new']);
  expect(await hub.worker.round()).toMatchObject({ done: 2 });
  for (const { lane } of hub.open()) await answer(lane);
  expect(hub.nudges()).toBe(1);
});

test('a backlog of one webhook is sent as fast as its receiver responds', async () => {
  await backlog(120, 'a');
  const hub = start();
  await rounds(hub);
  while (hub.open().length > 0) {
    const nudges = hub.nudges();
    for (const request of hub.open()) await request.answer(200);
    if (hub.nudges() > nudges) await rounds(hub);
  }
  expect(hub.sent).toHaveLength(120);
});

describe('deliveries that were read with their event', () => {
  /** Returns the pending deliveries, as if they had been read with another URL. */
  async function readBefore() {
    const { read } = opened.database;
    const rows = await read.selectFrom('deliveries').select('id').where('status', '=', 'pending').execute();
    const found = await loadForSending(
      read,
      rows.map(({ id }) => id),
    );
    const since = clock.now();
    return found.map((each) => ({ delivery: { ...each, url: 'https://read.example' }, since }));
  }
  const urls = (hub: ReturnType<typeof start>) => hub.sent.map(({ lane, url }) => `${lane} ${url?.slice(8)}`);

  test('are sent as they were read; those of other lanes are read', async () => {
    await backlog(1, 'a', 'b', 'c');
    const hub = start();
    hub.worker.expect(
      ['a', 'b'],
      (await readBefore()).filter(({ delivery }) => delivery.lane !== 'b'),
    );
    expect(await hub.worker.round()).toEqual({ done: 2, dueInMs: 25 });
    expect(urls(hub)).toEqual(['a read.example', 'b example.com']);
    await rounds(hub);
    expect(urls(hub).slice(2)).toEqual(['c example.com']);
  });

  test('are read again if they have to wait, and share the places of their lane', async () => {
    await backlog(12, 'a');
    const hub = start();
    hub.worker.expect(['a'], await readBefore());
    expect(await hub.worker.round()).toEqual({ done: 8, dueInMs: 25 });
    for (const request of hub.open()) await request.answer(200);
    await rounds(hub);
    expect(urls(hub)).toEqual([
      ...Array.from({ length: 8 }, () => 'a read.example'),
      ...Array.from({ length: 4 }, () => 'a example.com'),
    ]);
  });

  test('are read again if older ones may wait', async () => {
    await backlog(20, 'a');
    const hub = start();
    await rounds(hub);
    await backlogOf('a', 1);
    const [newest] = (await readBefore()).slice(-1);
    await hub.open()[0]?.answer(200);
    hub.worker.expect(['a'], newest ? [newest] : []);
    await rounds(hub);
    expect(new Set(urls(hub))).toEqual(new Set(['a example.com']));
  });

  test('are sent as they were read while the webhook of another lane has enough in flight', async () => {
    await backlog(9, 'a');
    const hub = start();
    await rounds(hub);
    await backlog(1, 'b');
    hub.worker.expect(
      ['b'],
      (await readBefore()).filter(({ delivery }) => delivery.lane === 'b'),
    );
    await rounds(hub);
    expect(urls(hub).at(-1)).toBe('b read.example');
  });

  test('are sent to receivers that respond before one that failed', async () => {
    await backlog(1, 'a', 'b');
    const hub = start();
    await rounds(hub);
    for (const request of hub.open()) await request.answer(request.lane === 'a' ? 500 : 200);
    await backlogOf('a', 1);
    await backlogOf('b', 1);
    hub.worker.expect(['a', 'b'], await readBefore());
    expect(await hub.worker.round()).toMatchObject({ done: 2 });
    expect(urls(hub).slice(2)).toEqual(['b read.example', 'a read.example']);
  });

  test('are sent once, even if a look takes them before they are told of, or before their turn', async () => {
    await backlog(2, 'a');
    const hub = start();
    const read = await readBefore();
    await hub.worker.round();
    hub.worker.expect(['a'], read);
    for (const request of hub.open()) await request.answer(200);
    await rounds(hub);
    expect(urls(hub)).toEqual(['a example.com', 'a example.com']);

    const fresh = createFreshDeliveries({ clock, isTaken: () => false });
    fresh.add(['a', 'b'], read);
    fresh.forget(read.slice(0, 1).map(({ delivery }) => delivery));
    expect(fresh.take()).toEqual(
      new Map([
        ['a', read.slice(1)],
        ['b', []],
      ]),
    );
  });

  test('are read again half a second after they were read, however late their event was committed', async () => {
    await backlog(1, 'a');
    const hub = start();
    const read = await readBefore();
    clock.advance(300);
    hub.worker.expect(['a'], read);
    clock.advance(200);
    await rounds(hub);
    expect(urls(hub)).toEqual(['a example.com']);
  });

  test('wait until other workers no longer hold their lane', async () => {
    await backlog(1, 'a');
    const first = start();
    await rounds(first);
    await backlogOf('a', 1);
    const second = start();
    second.worker.expect(['a'], await readBefore());
    expect(await second.worker.round()).toMatchObject({ done: 0 });
    expect(second.sent).toEqual([]);
  });

  test('are read again if another worker may have sent them since, which held their lane', async () => {
    const another = () => start({ isAlone: false });
    await backlog(1, 'a');
    const first = another();
    const second = another();
    second.worker.expect(['a'], await readBefore());
    await rounds(first);
    clock.advance(1);
    await first.sent[0]?.answer(200);
    await first.worker.finish();
    await rounds(second);
    expect(second.sent).toEqual([]);

    await backlogOf('a', 1);
    clock.advance(1);
    second.worker.expect(['a'], await readBefore());
    await rounds(second);
    expect(urls(second)).toEqual(['a read.example']);
  });
});

test('a lease from a clock that was far ahead holds up nobody', async () => {
  await backlog(1, 'a');
  await rounds(start());
  clock.advance(-HOUR);
  await backlogOf('a', 1);
  const second = start();
  await rounds(second);
  expect(second.sent).toHaveLength(1);
});

test('a lane that was thought to have more does not pause: its next delivery is sent at once', async () => {
  await backlog(8, 'a');
  let goOn = () => {};
  const recording = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const hub = start({ recording });
  await rounds(hub);
  const answers = hub.open().map((request) => request.answer(200));
  await rounds(hub);
  await backlogOf('a', 1);
  await rounds(hub);
  expect(hub.sent).toHaveLength(9);
  goOn();
  await Promise.all(answers);
});

test('a delivery that is due earlier than what was seen is found within a second', async () => {
  await backlog(1, 'a');
  const hub = start();
  await rounds(hub);
  await backlogOf('a', 1, clock.now() - 2 * SECOND);
  await rounds(hub);
  expect(hub.sent).toHaveLength(1);
  clock.advance(SECOND);
  await rounds(hub);
  expect(hub.sent).toHaveLength(2);
});

describe('a lane', () => {
  const lanes = ['100', '101', '102'];

  test('is served by one worker as long as deliveries are in flight, and by the next one when that worker is gone', async () => {
    await backlog(2, ...lanes);
    const first = start();
    const second = start();
    await rounds(first);
    expect(first.open()).toHaveLength(6);
    await backlog(1, '200');
    for (let passed = 0; passed < 3 * LEASE_MS; passed += SECOND) {
      clock.advance(SECOND);
      await second.worker.round();
      await first.worker.round();
    }
    expect(first.open()).toHaveLength(6);
    expect(second.open().map((request) => request.lane)).toEqual(['200']);

    clock.advance(LEASE_MS - 1);
    await rounds(second);
    expect(second.open()).toHaveLength(1);
    clock.advance(LEASE_MS);
    await rounds(second);
    expect(second.open()).toHaveLength(7);
  });

  test('is released when its worker finishes', async () => {
    await backlog(2, ...lanes);
    const first = start();
    await rounds(first);
    for (const request of first.open()) await request.answer(200);
    await backlog(1, '103');
    await first.worker.finish();
    const second = start();
    await opened.database.transaction((tx) => tx.updateTable('deliveries').set({ status: 'pending' }).execute());
    await rounds(second);
    expect(second.open()).toHaveLength(7);
  });
});

test('a delivery that could not be recorded is sent again, but not at once', async () => {
  await backlog(1, 'a');
  const hub = start({ recorded: false });
  await rounds(hub);
  await hub.sent[0]?.answer(200);
  await rounds(hub);
  clock.advance(29 * SECOND);
  await rounds(hub);
  expect(hub.sent).toHaveLength(1);
  clock.advance(SECOND);
  await rounds(hub);
  expect(hub.sent).toHaveLength(2);
});

test('a delivery that was prefetched for a second is read again before it is sent', async () => {
  await backlog(40, 'a');
  const hub = start();
  await rounds(hub);
  for (const request of hub.open().slice(0, 2)) await request.answer(200);
  await rounds(hub);
  expect(hub.open()).toHaveLength(8);
  await opened.database.transaction((tx) => tx.updateTable('webhooks').set({ url: 'https://example.org' }).execute());
  clock.advance(SECOND);
  await hub.open()[0]?.answer(200);
  expect(hub.open()).toHaveLength(7);
  await rounds(hub);
  expect(hub.open().map((request) => request.url)).toEqual([
    ...Array.from({ length: 7 }, () => 'https://example.com'),
    'https://example.org',
  ]);
});

test('a clock that is stepped back stops no lane', async () => {
  await backlog(40, 'a');
  const hub = start();
  await rounds(hub);
  await hub.sent[0]?.answer(200);
  await rounds(hub);
  clock.advance(-HOUR);
  for (const request of hub.open()) await request.answer(200);
  const before = hub.sent.length;
  await opened.database.transaction((tx) => tx.updateTable('deliveries').set({ due_at: clock.now() }).execute());
  await rounds(hub);
  expect(hub.sent.length).toBeGreaterThan(before);
});

test('if recording does not keep up, nothing more is sent until it does', async () => {
  await backlog(150, ...Array.from({ length: 20 }, (_, at) => `${100 + at}`));
  let goOn = () => {};
  const recording = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const hub = start({ recording });
  const answers: Promise<void>[] = [];
  for (let turn = 0; turn < 30; turn++) {
    await rounds(hub);
    clock.advance(100);
    answers.push(...hub.open().map((request) => request.answer(200)));
  }
  expect(hub.sent.length).toBeLessThan(2900);
  goOn();
  await Promise.all(answers);
  for (let turn = 0; turn < 30; turn++) {
    await rounds(hub);
    clock.advance(100);
    await Promise.all(hub.open().map((request) => request.answer(200)));
  }
  expect(hub.sent).toHaveLength(3000);
});

test('a stop ends the current round: deliveries that it did not take are left to the next process', async () => {
  await backlog(1, ...Array.from({ length: 60 }, (_, at) => `${100 + at}`));
  const hub = start();
  const { round } = hub.worker;
  const going = round();
  hub.worker.stop();
  await going;
  expect(hub.sent.length).toBeLessThan(60);
});
