import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDeadEvents } from '../../packages/server/src/platform/events/dead-events.ts';
import { createIds } from '../../packages/server/src/platform/ids.ts';
import { createCrashGuard } from '../../packages/server/src/platform/queue/crash-guard/crash-guard.ts';
import { createProcesses } from '../../packages/server/src/platform/queue/crash-guard/processes.ts';
import { createSetAside, type SetAside } from '../../packages/server/src/platform/queue/dead-letters.ts';
import { EVENTS } from '../../packages/server/src/platform/queue/due-store.ts';
import { createLeases } from '../../packages/server/src/platform/queue/leases.ts';
import { keysOf } from '../../packages/server/src/platform/typed-objects.ts';
import { createTestClock, HOUR, MINUTE, SECOND } from '../../packages/server/test/clock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../packages/server/test/open-test-database.ts';
import { queuesWith } from '../../packages/server/test/set-aside.ts';
import { engine } from '../../packages/server/test/test-database.ts';

const EVENT = 'e'.repeat(24);

let opened: OpenTestDatabase;
beforeEach(async () => {
  opened = await openTestDatabase();
  await opened.database.transaction((tx) =>
    tx
      .insertInto('events')
      .values({
        ...{ id: EVENT, topic: 'repo', created_at: 0, data: '{}', due_at: 0, attempts: 0, epoch: 0 },
        ...{ done_at: null, progress: null, trace: null },
      })
      .execute(),
  );
});
afterEach(() => opened[Symbol.asyncDispose]());

/**
 * Starts a process of the hub on the shared database, with a clock that tests set and a steady clock that they cannot.
 */
function processOf(name: string, given: { setAside?: SetAside } = {}) {
  const { database } = opened;
  const owner = name.repeat(24);
  const clock = createTestClock();
  const silent = { error() {}, warn() {} };
  const queues = queuesWith({ events: createDeadEvents({ clock, nudge() {} }) });
  const setAside = given.setAside ?? createSetAside({ clock, ids: createIds(clock), logger: silent, queues });
  const crashGuard = createCrashGuard({ database, clock, owner });
  const time = { elapsed: 0 };
  const processes = createProcesses({
    ...{ database, clock, owner, crashGuard, setAside, logger: silent, queues: keysOf(queues) },
    elapsed: () => time.elapsed,
  });
  return {
    owner,
    clock,
    crashGuard,
    processes,
    /** Lets time pass without a check, as in a process that stalls. */
    stalls(ms: number) {
      time.elapsed += ms;
    },
    async passes(ms: number) {
      time.elapsed += ms;
      return await processes.checkProcesses();
    },
  };
}

const suspects = () => opened.database.read.selectFrom('suspects').selectAll().execute();
const letters = () => opened.database.read.selectFrom('dead_letters').selectAll().execute();

/** Creates the rows of a process that died, or that seems to have died. */
async function leftBehind(id: string, deaths: number) {
  await opened.database.transaction((tx) =>
    tx.insertInto('processes').values({ id, started_at: 0, seen_at: 0 }).execute(),
  );
  await opened.database.transaction((tx) =>
    tx.insertInto('suspects').values({ queue: 'events', item_id: EVENT, deaths, held_by: id }).execute(),
  );
}

describe.runIf(engine === 'postgres')('processes that share a database', () => {
  test.each([
    ['is an hour ahead', HOUR - MINUTE],
    ['is an hour behind', MINUTE - HOUR],
  ])('a process whose clock %s is not considered dead, however long this lasts', async (_, ms) => {
    const [here, there] = [processOf('a'), processOf('b')];
    there.clock.advance(ms);
    for (const { processes } of [here, there]) await processes.begin();
    await there.crashGuard.begin(['events']);
    expect(await there.crashGuard.admit('events', [EVENT])).toEqual([EVENT]);
    for (let time = 0; time < 20; time++) {
      for (const each of [here, there]) {
        each.clock.advance(5 * SECOND);
        await each.passes(5 * SECOND);
      }
    }
    expect(await suspects()).toMatchObject([{ deaths: -1, held_by: there.owner }]);
  });

  test('a process whose clock is changed considers no other process dead, and is not considered dead', async () => {
    const [here, there] = [processOf('a'), processOf('b')];
    for (const { processes } of [here, there]) await processes.begin();
    await there.crashGuard.begin(['events']);
    await there.crashGuard.admit('events', [EVENT]);
    for (const ms of [2 * HOUR, -3 * HOUR, HOUR]) {
      here.clock.advance(ms);
      there.clock.advance(-ms);
      for (const each of [here, there, here, there]) await each.passes(5 * SECOND);
    }
    expect(await suspects()).toMatchObject([{ deaths: -1, held_by: there.owner }]);
  });

  test('a process that was suspended for an hour considers no other process dead', async () => {
    const [here, there] = [processOf('a'), processOf('b')];
    for (const { processes } of [here, there]) await processes.begin();
    await there.crashGuard.begin(['events']);
    await there.crashGuard.admit('events', [EVENT]);
    await here.passes(HOUR);
    expect(await suspects()).toMatchObject([{ held_by: there.owner }]);
  });

  test('a repeatedly slow process makes no suspects of items that it survives', async () => {
    const [here, slow] = [processOf('a'), processOf('b')];
    for (const { processes } of [here, slow]) await processes.begin();
    for (let time = 0; time < 5; time++) {
      await slow.crashGuard.begin(['events']);
      expect(await slow.crashGuard.admit('events', [EVENT])).toEqual([EVENT]);
      for (let look = 0; look < 25; look++) await here.passes(SECOND);
      expect(await suspects()).toMatchObject([{ held_by: null }]);
      await slow.crashGuard.survived('events', [EVENT]);
      await slow.crashGuard.endFirstPass('events', []);
      await slow.passes(5 * SECOND);
    }
    expect(await suspects()).toEqual([]);
    expect(await letters()).toEqual([]);
  });

  test('the lanes of a silent process are taken over after three checks, and it notices when it was only slow', async () => {
    const [here, slow] = [processOf('a'), processOf('b')];
    for (const { processes } of [here, slow]) await processes.begin();
    const leases = createLeases({ ...opened, clock: here.clock, owner: here.owner, peers: here.processes });
    const ofSlow = createLeases({ ...opened, clock: slow.clock, owner: slow.owner, peers: slow.processes });
    expect(await ofSlow.acquire(['lane'])).toEqual(new Set());
    for (const each of [here, slow]) await each.passes(SECOND);
    for (const becameSilent of [false, false, false, true]) {
      expect(await leases.acquire(['lane'])).toEqual(new Set(['lane']));
      expect(await here.passes(SECOND)).toBe(becameSilent);
    }
    expect(await here.passes(SECOND)).toBe(false);
    expect(await leases.acquire(['lane'])).toEqual(new Set());

    slow.stalls(5 * SECOND);
    expect(await ofSlow.acquire(['lane'])).toEqual(new Set(['lane']));
    await slow.passes(SECOND);
    await here.passes(SECOND);
    expect(await ofSlow.acquire(['lane'])).toEqual(new Set(['lane']));
    expect(await leases.acquire(['lane'])).toEqual(new Set());
  });

  test('a process that stalled trusts none of its leases, whether or not its next heartbeat comes first', async () => {
    for (const beatsFirst of [true, false]) {
      const [here, slow] = [processOf('a'), processOf('b')];
      for (const { processes } of [here, slow]) await processes.begin();
      const leases = createLeases({ ...opened, clock: here.clock, owner: here.owner, peers: here.processes });
      const ofSlow = createLeases({ ...opened, clock: slow.clock, owner: slow.owner, peers: slow.processes });
      await ofSlow.acquire([`lane of ${beatsFirst}`]);
      for (let look = 0; look < 5; look++) await here.passes(SECOND);
      await leases.acquire([`lane of ${beatsFirst}`]);
      slow.stalls(4 * SECOND);
      if (beatsFirst) await slow.passes(0);
      expect(await ofSlow.acquire([`lane of ${beatsFirst}`])).toEqual(new Set([`lane of ${beatsFirst}`]));
      for (const { processes } of [here, slow]) await processes.end();
    }
  });

  test('what a process has leased since it is back is not taken over, even by one that still thinks it silent', async () => {
    const [here, slow] = [processOf('a'), processOf('b')];
    for (const { processes } of [here, slow]) await processes.begin();
    const leases = createLeases({ ...opened, clock: here.clock, owner: here.owner, peers: here.processes });
    const ofSlow = createLeases({ ...opened, clock: slow.clock, owner: slow.owner, peers: slow.processes });
    expect(await ofSlow.acquire(['before'])).toEqual(new Set());
    for (let look = 0; look < 5; look++) await here.passes(SECOND);
    slow.clock.advance(4 * SECOND);
    await slow.passes(4 * SECOND);
    expect(await ofSlow.acquire(['since'])).toEqual(new Set());
    expect(await leases.acquire(['before', 'since'])).toEqual(new Set(['since']));
  });

  test('a process without a heartbeat in twenty checks in a row is dead, and its items in hand count one death', async () => {
    const [here, other] = [processOf('a'), processOf('c')];
    for (const { processes } of [here, other]) await processes.begin();
    await leftBehind('d'.repeat(24), 1);
    for (let look = 0; look < 25; look++) for (const each of [here, other]) await each.passes(SECOND);
    expect(await suspects()).toMatchObject([{ deaths: 2, held_by: null }]);
    expect(here.crashGuard.isActive('events')).toBe(true);
  });
});

test('a suspect that cannot be set aside is not started, prevents no start, and is set aside by the next process', async () => {
  await leftBehind('d'.repeat(24), 2);
  const broken = processOf('a', { setAside: () => Promise.reject(new Error('No')) });
  await broken.processes.begin();
  expect(await letters()).toEqual([]);
  expect(await broken.crashGuard.admit('events', [EVENT])).toEqual([]);
  expect(await suspects()).toMatchObject([{ deaths: 3, held_by: null }]);
  await broken.processes.end();
  await opened.database.transaction((tx) =>
    tx
      .insertInto('processes')
      .values({ id: 'c'.repeat(24), started_at: 0, seen_at: 0 })
      .execute(),
  );
  await processOf('b').processes.begin();
  expect(await letters()).toMatchObject([{ item_id: EVENT, deaths: 3 }]);
  expect(await suspects()).toEqual([]);
});

test('suspects that are done or deleted leave no rows', async () => {
  for (const id of ['1'.repeat(24), '2'.repeat(24)])
    await opened.database.transaction((tx) =>
      tx.insertInto('suspects').values({ queue: 'events', item_id: id, deaths: 2, held_by: null }).execute(),
    );
  const { crashGuard, processes, clock } = processOf('a');
  await processes.begin();
  clock.advance(SECOND);
  const worked: string[] = [];
  for (let round = 0; round < 3; round++)
    await crashGuard.processDue(EVENTS, 50, async (ids) => {
      worked.push(...ids);
      await opened.database.transaction((tx) =>
        tx.updateTable('events').set({ done_at: 1 }).where('id', 'in', ids).execute(),
      );
      return ids.length;
    });
  expect(worked).toEqual([EVENT]);
  expect(await suspects()).toEqual([]);
  expect(crashGuard.isActive('events')).toBe(false);
});
