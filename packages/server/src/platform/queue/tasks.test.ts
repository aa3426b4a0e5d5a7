import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { anyTask } from '../../../test/any-form.ts';
import { createTestClock, DAY, HOUR, SECOND, type TestClock } from '../../../test/clock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { createTestCrashGuard, queuesWith } from '../../../test/set-aside.ts';
import { engine } from '../../../test/test-database.ts';
import type { Database } from '../database/transaction.ts';
import { createIds, type Ids } from '../ids.ts';
import { createSetAside } from './dead-letters.ts';
import { createDeadTasks } from './dead-tasks.ts';
import { createTaskWorker } from './task-worker.ts';
import {
  createTasks,
  defineTask,
  enqueueScheduled,
  onSchedule,
  onTask,
  type TaskStep as StepOfTask,
  type TaskWork,
} from './tasks.ts';

interface Given {
  readonly database?: Database;
  readonly errors?: object[];
}
type TaskStep = StepOfTask<unknown>;
type TaskMap = Readonly<Record<string, { readonly step: TaskStep; readonly everyMs?: number }>>;

let opened: OpenTestDatabase;
let database: Database;
let clock: TestClock;
let ids: Ids;
let nudges: number;
beforeEach(async () => {
  opened = await openTestDatabase();
  database = opened.database;
  clock = createTestClock();
  ids = createIds(clock);
  nudges = 0;
});
afterEach(() => opened[Symbol.asyncDispose]());

const tasks = () =>
  createTasks({
    clock,
    ids,
    nudge: () => {
      nudges += 1;
    },
  });

const enqueue = (kind: string, data: unknown, options?: { key?: string; dueAt?: number }) =>
  database.transaction((tx) => tasks().enqueue(tx, anyTask(kind), data, options));

const tableOf = (map: TaskMap) =>
  Object.entries(map).map(([kind, { step, everyMs }]) =>
    everyMs === undefined ? onTask(anyTask(kind), step) : onSchedule(anyTask(kind), everyMs, step),
  );

const setAside = () =>
  createSetAside({
    clock,
    ids,
    logger: { error() {} },
    queues: queuesWith({ tasks: createDeadTasks({ clock, nudge() {} }) }),
  });

const workerWith = (map: TaskMap, given: Given = {}) => workerOn(tableOf(map), given);

const workerOn = (table: readonly TaskWork[], given: Given = {}) =>
  createTaskWorker({
    database: given.database ?? database,
    clock,
    logger: { error: (details) => given.errors?.push(details) },
    tasks: table,
    crashGuard: createTestCrashGuard(database, clock),
    setAside: setAside(),
  });

/** Runs rounds until nothing is due. */
async function quiet(round: () => Promise<{ done: number }>): Promise<void> {
  while ((await round()).done > 0);
}

/** Does a task of `of` steps, each of which leaves a trace in the database: `name 1`, `name 2` and so on. */
const counting: TaskStep = async (tx, { data }) => {
  const { name, at, of } = data as { name: string; at: number; of: number };
  await tx
    .insertInto('settings')
    .values({ name: `${name} ${at}`, value: '1' })
    .execute();
  return at < of ? { data: { name, at: at + 1, of } } : 'done';
};
const count = (name: string, of: number) => ({ name, at: 1, of });
const traces = async (): Promise<string[]> =>
  (await database.read.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name);
const deadLetters = () => database.read.selectFrom('dead_letters').selectAll().execute();
const rows = () => database.read.selectFrom('tasks').selectAll().orderBy('id').execute();

describe('a task', () => {
  test('is done step by step, each with the data that the one before left, and is then gone', async () => {
    const round = workerWith({ count: { step: counting } });
    await enqueue('count', count('a', 3));
    expect([await round(), await round(), await round()]).toEqual([{ done: 1 }, { done: 1 }, { done: 1 }]);
    expect(await traces()).toEqual(['a 1', 'a 2', 'a 3']);
    expect(await rows()).toEqual([]);
    expect(await round()).toEqual({ done: 0, dueInMs: undefined });
  });

  test('nudges the worker only once it is durable', async () => {
    await database.transaction(async (tx) => {
      await tasks().enqueue(tx, anyTask('count'), null);
      expect(nudges).toBe(0);
    });
    expect(nudges).toBe(1);
    await expect(
      database.transaction(async (tx) => {
        await tasks().enqueue(tx, anyTask('count'), null);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(nudges).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  test('is not added while another with its key exists, and is added afterwards', async () => {
    const round = workerWith({ count: { step: counting } });
    await enqueue('count', count('a', 1), { key: 'one' });
    await enqueue('count', count('b', 1), { key: 'one' });
    await enqueue('count', count('c', 1));
    await enqueue('count', count('d', 1));
    await quiet(round);
    expect(await traces()).toEqual(['a 1', 'c 1', 'd 1']);
    await enqueue('count', count('b', 1), { key: 'one' });
    await quiet(round);
    expect(await traces()).toContain('b 1');
  });

  test('waits for its time, and between its steps for as long as they say', async () => {
    const pausing: TaskStep = async (tx, task) => {
      const result = await counting(tx, task);
      return result === 'done' ? result : { ...result, afterMs: SECOND };
    };
    const round = workerWith({ pause: { step: pausing } });
    await enqueue('pause', count('a', 2), { dueAt: clock.now() + HOUR });
    expect(await round()).toEqual({ done: 0, dueInMs: HOUR });
    clock.advance(HOUR);
    await quiet(round);
    expect(await traces()).toEqual(['a 1']);
    expect(await round()).toEqual({ done: 0, dueInMs: SECOND });
    clock.advance(SECOND);
    await quiet(round);
    expect(await traces()).toEqual(['a 1', 'a 2']);
  });

  test('of many steps is not in the way of another: their steps alternate', async () => {
    const order: string[] = [];
    const noting: TaskStep = async (tx, task) => {
      order.push((task.data as { name: string }).name);
      clock.advance(1);
      return counting(tx, task);
    };
    const round = workerWith({ count: { step: noting } });
    await enqueue('count', count('long', 4));
    await enqueue('count', count('short', 2));
    await quiet(round);
    expect(order).toEqual(['long', 'short', 'long', 'short', 'long', 'long']);
  });

  test('behind more tasks than a round takes does not wait for all their second steps', async () => {
    const order: string[] = [];
    const noting: TaskStep = async (tx, task) => {
      order.push((task.data as { name: string }).name);
      clock.advance(1);
      return counting(tx, task);
    };
    const round = workerWith({ count: { step: noting } });
    for (let at = 10; at < 30; at++) await enqueue('count', count(`long${at}`, 2));
    clock.advance(1);
    await enqueue('count', count('last', 1));
    await quiet(round);
    // Within a round the order does not matter.
    expect(order.indexOf('last')).toBeLessThan(30);
    expect(order).toHaveLength(41);
  });

  test('leaves the event loop to others between its steps', async () => {
    const round = workerWith({ count: { step: counting } });
    for (const name of ['a', 'b', 'c']) await enqueue('count', count(name, 1));
    let turns = 0;
    let working = true;
    const turn = () => {
      turns += 1;
      if (working) setImmediate(turn);
    };
    setImmediate(turn);
    await round();
    working = false;
    expect(turns).toBeGreaterThanOrEqual(3);
  });
});

describe('a step that fails', () => {
  const failing: TaskStep = async (tx, task) => {
    await counting(tx, task);
    throw new Error('not now');
  };

  test('leaves nothing behind, does not hold up others, is tried again after growing waits, and is set aside at last', async () => {
    const errors: object[] = [];
    const round = workerWith({ bad: { step: failing }, count: { step: counting } }, { errors });
    await enqueue('bad', count('bad', 1));
    await enqueue('count', count('good', 2));
    await quiet(round);
    expect(await traces()).toEqual(['good 1', 'good 2']);
    const [bad] = await rows();
    expect(errors).toEqual([
      { err: expect.objectContaining({ message: 'not now' }), taskId: bad!.id, kind: 'bad', failures: 1 },
    ]);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt++) {
      const [row] = await rows();
      expect(row).toMatchObject({ attempts: attempt, data: JSON.stringify(count('bad', 1)) });
      waits.push((row!.due_at - clock.now()) / SECOND);
      clock.advance(row!.due_at - clock.now());
      expect(await round()).toEqual({ done: 1 });
    }
    expect(waits).toEqual([1, 2, 4, 8]);
    expect(await rows()).toMatchObject([{ attempts: 5, data: JSON.stringify(count('bad', 1)) }]);
    clock.advance(DAY);
    expect(await round()).toMatchObject({ done: 0 });
    expect(await deadLetters()).toMatchObject([{ queue: 'tasks', item_id: bad!.id, kind: 'bad', failures: 5 }]);
  });

  test('is followed by the next step when it succeeds at last, and its failures are forgotten', async () => {
    let broken = true;
    const mended: TaskStep = (tx, task) => (broken ? failing(tx, task) : counting(tx, task));
    const round = workerWith({ count: { step: mended } });
    await enqueue('count', count('a', 2));
    await quiet(round);
    expect(await traces()).toEqual([]);
    broken = false;
    clock.advance(SECOND);
    await round();
    expect(await rows()).toMatchObject([{ attempts: 0, data: JSON.stringify({ name: 'a', at: 2, of: 2 }) }]);
    await quiet(round);
    expect(await traces()).toEqual(['a 1', 'a 2']);
  });

  test('may have data of another form than its kind, and the error says where they differ', async () => {
    const errors: object[] = [];
    const kind = defineTask<unknown>('count', z.object({ name: z.string(), at: z.number(), of: z.number() }));
    await enqueue('count', { ...count('bad', 1), at: 'one' });
    await enqueue('count', count('good', 1));
    await quiet(workerOn([onTask(kind, counting)], { errors }));
    expect(await traces()).toEqual(['good 1']);
    const message = expect.stringMatching(/^A task of the kind count .* at: .*number/);
    expect(errors).toMatchObject([{ err: { message }, failures: 1 }]);
  });

  test('may be of a kind that only a newer version knows and does', async () => {
    const errors: object[] = [];
    await enqueue('of tomorrow', count('a', 1));
    await quiet(workerWith({}, { errors }));
    expect(errors).toMatchObject([
      { err: { message: 'This version does not know tasks of the kind of tomorrow' }, failures: 1 },
    ]);
    clock.advance(SECOND);
    await quiet(workerWith({ 'of tomorrow': { step: counting } }));
    expect(await traces()).toEqual(['a 1']);
  });
});

describe('a scheduled task', () => {
  test('that is set aside is tried every hour, and is no longer a dead letter once it succeeds', async () => {
    let broken = true;
    const step: TaskStep = async () => {
      if (broken) throw new Error('not now');
      return 'done';
    };
    const scheduled: TaskMap = { retain: { step, everyMs: HOUR } };
    await database.transaction((tx) => enqueueScheduled(tx, tasks(), tableOf(scheduled)));
    const round = workerWith(scheduled);
    for (let attempt = 1; attempt <= 5; attempt++) {
      await quiet(round);
      clock.advance(16 * SECOND);
    }
    expect(await deadLetters()).toMatchObject([{ kind: 'retain', failures: 5 }]);
    clock.advance(HOUR);
    await quiet(round);
    expect(await deadLetters()).toMatchObject([{ kind: 'retain', failures: 6 }]);
    broken = false;
    clock.advance(HOUR);
    await quiet(round);
    expect(await deadLetters()).toEqual([]);
    expect(await rows()).toMatchObject([{ kind: 'retain', attempts: 0, due_at: clock.now() + HOUR }]);
  });

  const map: TaskMap = {
    sweep: {
      everyMs: HOUR,
      async step(tx, task) {
        const at = (task.data as number | null) ?? 1;
        await tx
          .insertInto('settings')
          .values({ name: `${clock.now()} ${at}`, value: '1' })
          .execute();
        return at < 2 ? { data: at + 1 } : 'done';
      },
    },
    count: { step: counting },
  };
  const schedule = () => database.transaction((tx) => enqueueScheduled(tx, tasks(), tableOf(map)));

  test('is there once, however often the hub starts, and begins again when its time has come', async () => {
    const round = workerWith(map);
    await schedule();
    await schedule();
    const first = clock.now();
    await quiet(round);
    clock.advance(HOUR - 1);
    await schedule();
    await quiet(round);
    expect(await traces()).toEqual([`${first} 1`, `${first} 2`]);
    clock.advance(1);
    await quiet(round);
    expect(await traces()).toEqual([1, 2].flatMap((at) => [`${first} ${at}`, `${first + HOUR} ${at}`]).sort());
    expect(await rows()).toMatchObject([{ kind: 'sweep', key: 'sweep', data: 'null', due_at: first + 2 * HOUR }]);
  });
});

describe('after a crash', () => {
  test('in the middle of a step, that step is done again, and no other', async () => {
    // From the third step on, this process dies before the commit of each transaction.
    let steps = 0;
    const dying: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          steps += 1;
          if (steps > 2) throw new Error('killed');
          return result;
        }),
    };
    const map = { count: { step: counting } };
    await enqueue('count', count('a', 4));
    const round = workerWith(map, { database: dying });
    await round();
    await round();
    await expect(round()).rejects.toThrow('killed');
    expect(await traces()).toEqual(['a 1', 'a 2']);
    await quiet(workerWith(map));
    expect(await traces()).toEqual(['a 1', 'a 2', 'a 3', 'a 4']);
  });
});

describe('of several workers', () => {
  const map = { count: { step: counting } };

  test('only one does a step, however many run at once', async () => {
    for (let at = 10; at < 30; at++) await enqueue('count', count(`t${at}`, 3));
    const errors: object[] = [];
    const workers = [database, opened.again(), opened.again()].map((each) =>
      workerWith(map, { database: each, errors }),
    );
    await Promise.all(workers.map(quiet));
    await quiet(workers[0]!);
    expect(await traces()).toHaveLength(60);
    expect(errors).toEqual([]);
    expect(await rows()).toEqual([]);
  });

  /** Returns a database before whose nth transaction, counted from 1, something else happens. */
  function overtaken(nth: number, meanwhile: () => Promise<void>): Database {
    let transactions = 0;
    return {
      ...database,
      async transaction(work) {
        transactions += 1;
        if (transactions === nth) await meanwhile();
        return database.transaction(work);
      },
    };
  }

  test('one that comes late to a task does nothing with it', async () => {
    await enqueue('count', count('a', 1));
    const errors: object[] = [];
    const slow = overtaken(1, () => quiet(workerWith(map)));
    expect(await workerWith(map, { database: slow, errors })()).toEqual({ done: 0, dueInMs: undefined });
    expect(await traces()).toEqual(['a 1']);
    expect(errors).toEqual([]);
  });

  test('one that fails does not put off a task that another has done since', async () => {
    const failing: TaskStep = async () => {
      throw new Error('not now');
    };
    const pausing: TaskStep = async (tx, task) => {
      await counting(tx, task);
      return { data: count('a', 2), afterMs: HOUR };
    };
    await enqueue('count', count('a', 2));
    const errors: object[] = [];
    const other = workerWith({ count: { step: pausing } });
    const slow = overtaken(2, () => quiet(other));
    await workerWith({ count: { step: failing } }, { database: slow, errors })();
    expect(await rows()).toMatchObject([{ attempts: 0, due_at: clock.now() + HOUR }]);
    expect(errors).toMatchObject([{ err: { message: 'not now' }, failures: undefined }]);
  });

  test.runIf(engine === 'postgres')('one holds its task until the commit, while others do the rest', async () => {
    await enqueue('long', count('a', 1));
    await enqueue('count', count('b', 1));
    const other = workerWith({ long: { step: counting }, ...map }, { database: opened.again() });
    const longStep: TaskStep = async (tx, task) => {
      clock.advance(HOUR);
      expect(await other()).toEqual({ done: 1 });
      expect(await traces()).toEqual(['b 1']);
      expect(await other()).toEqual({ done: 0, dueInMs: 50 });
      return counting(tx, task);
    };
    const errors: object[] = [];
    expect(await workerWith({ long: { step: longStep }, ...map }, { errors })()).toEqual({ done: 1 });
    expect(await traces()).toEqual(['a 1', 'b 1']);
    expect(errors).toEqual([]);
  });
});
