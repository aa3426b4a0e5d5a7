import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { anyTopic } from '../../../test/any-form.ts';
import { createTestClock, DAY, SECOND, type TestClock } from '../../../test/clock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { createTestCrashGuard, queuesWith } from '../../../test/set-aside.ts';
import { engine } from '../../../test/test-database.ts';
import { ConnectionLost } from '../database/sql-errors.ts';
import type { Database, ReadExecutor } from '../database/transaction.ts';
import { createIds, type Ids } from '../ids.ts';
import { createSetAside } from '../queue/dead-letters.ts';
import { LOCKED_RETRY_MS } from '../queue/due.ts';
import { ValueNotFetched } from '../queue/fault.ts';
import { createDeadEvents } from './dead-events.ts';
import { createEvents, type HubEvent } from './events.ts';
import { onTopic, type Reaction as ReactionTo, type TopicReactions } from './reaction.ts';
import { createRelay } from './relay.ts';
import { defineTopic } from './topic.ts';

type Reaction = ReactionTo<object>;
interface Given {
  readonly database?: Database;
  readonly errors?: object[];
}
type Reactions = Readonly<Record<string, Readonly<Record<string, Reaction>>>>;

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

const events = () =>
  createEvents({
    clock,
    ids,
    nudge: () => {
      nudges += 1;
    },
  });

/** Records an event in a transaction of its own; returns its id. */
const happen = (topic: string, data: Record<string, unknown> = {}) =>
  database.transaction((tx) => events().record(tx, anyTopic(topic), data));

const relayWith = (reactions: Reactions, given: Given = {}) =>
  relayTo(
    Object.entries(reactions).map(([topic, each]) => onTopic(anyTopic(topic), each)),
    given,
  );

const relayTo = (reactions: readonly TopicReactions[], given: Given = {}) =>
  createRelay({
    database: given.database ?? database,
    clock,
    logger: { error: (details) => given.errors?.push(details) },
    reactions,
    crashGuard: createTestCrashGuard(database, clock),
    setAside: createSetAside({
      clock,
      ids,
      logger: { error() {} },
      queues: queuesWith({ events: createDeadEvents({ clock, nudge() {} }) }),
    }),
  });

/** Returns a reaction that leaves a trace in the database, which a rollback removes. */
const leavesTrace =
  (name: string): Reaction =>
  async (tx, event) => {
    await tx
      .insertInto('settings')
      .values({ name: `${name} ${event.id}`, value: '1' })
      .execute();
    return undefined;
  };
const traces = async (): Promise<string[]> =>
  (await database.read.selectFrom('settings').select('name').orderBy('name').execute()).map(({ name }) => name);

const rowOf = (id: string, executor: ReadExecutor = database.read) =>
  executor.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('an event', () => {
  test('reaches every reaction to its topic once, in their order, as it was recorded', async () => {
    const seen: [string, HubEvent][] = [];
    const sees =
      (name: string): Reaction =>
      async (_tx, event) => {
        seen.push([name, event]);
        return undefined;
      };
    const relay = relayWith({
      repo: { first: sees('first'), second: sees('second') },
      discussion: { other: sees('other') },
    });
    const id = await happen('repo', { name: 'größe', list: [1, null] });
    expect(await relay()).toEqual({ done: 1, dueInMs: LOCKED_RETRY_MS });
    const data = { name: 'größe', list: [1, null] };
    const event = {
      id,
      topic: 'repo',
      createdAt: clock.now(),
      epoch: 0,
      data,
      text: JSON.stringify(data),
      trace: null,
    };
    expect(seen).toEqual([
      ['first', event],
      ['second', event],
    ]);
    expect(await relay()).toEqual({ done: 0, dueInMs: undefined });
    expect(seen).toHaveLength(2);
  });

  test('without reactions is done, and so is one that is recorded quietly', async () => {
    const relay = relayWith({ repo: { seen: leavesTrace('seen') } });
    const ignored = await happen('nothing');
    const quiet = await database.transaction((tx) => events().recordQuiet(tx, anyTopic('repo'), {}));
    expect(await relay()).toEqual({ done: 1, dueInMs: LOCKED_RETRY_MS });
    expect(await rowOf(ignored)).toMatchObject({ done_at: clock.now() });
    expect(await rowOf(quiet)).toMatchObject({ done_at: clock.now() });
    expect(await traces()).toEqual([]);
  });

  test('nudges the relay only once it is durable', async () => {
    await database.transaction(async (tx) => {
      await events().record(tx, anyTopic('repo'), {});
      expect(nudges).toBe(0);
    });
    expect(nudges).toBe(1);
    await expect(
      database.transaction(async (tx) => {
        await events().record(tx, anyTopic('repo'), {});
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(nudges).toBe(1);
    expect(await relayWith({})()).toEqual({ done: 1, dueInMs: LOCKED_RETRY_MS });
  });

  test('waits for a later round if fifty others are before it', async () => {
    await database.transaction(async (tx) => {
      for (let at = 0; at < 51; at++) await events().record(tx, anyTopic('repo'), {});
    });
    const relay = relayWith({ repo: { seen: leavesTrace('seen') } });
    const rounds: number[] = [];
    for (let done = 1; done > 0; rounds.push(done)) done = (await relay()).done;
    expect(Math.max(...rounds)).toBeLessThanOrEqual(50);
    expect(rounds.reduce((sum, done) => sum + done)).toBe(51);
    expect(await traces()).toHaveLength(51);
  });

  test('is taken by one relay, however many run at once', async () => {
    for (let at = 0; at < 20; at++) await happen('repo');
    const reactions = { repo: { seen: leavesTrace('seen') } };
    const rounds = [database, opened.again(), opened.again()].map((each) => relayWith(reactions, { database: each })());
    const done = (await Promise.all(rounds)).map((round) => round.done);
    expect(done.reduce((sum, count) => sum + count)).toBe(20);
    expect(await traces()).toHaveLength(20);
  });
});

describe('a topic', () => {
  const topic = (version: number, data: z.ZodType<{ name: string }>) => defineTopic({ name: 'repo', version, data });
  const first = topic(1, z.object({ name: z.string() }));
  const second = topic(2, z.object({ name: z.string(), size: z.number().default(0) }));
  const namesIn = (names: string[], of = first) =>
    onTopic(of, {
      async note(_tx, { data }) {
        names.push(data.name);
        return undefined;
      },
    });

  test('refuses an event of another form: its reaction fails, and the error says where it differs', async () => {
    const errors: object[] = [];
    const names: string[] = [];
    const relay = relayTo([namesIn(names)], { errors });
    const bad = await happen('repo', { name: 7 });
    await happen('repo', { name: 'good', of: 'later' });
    for (let done = 1; done > 0; ) done = (await relay()).done;
    expect(names).toEqual(['good']);
    const message = expect.stringMatching(/^An event of the topic repo .* name: .*string/);
    expect(errors).toEqual([{ err: expect.objectContaining({ message }), eventId: bad, failures: 1 }]);
  });

  test('leaves an event of a newer version to a newer process, however long that takes', async () => {
    const names: string[] = [];
    const id = await database.transaction((tx) => events().record(tx, second, { name: 'new' }));
    const old = relayTo([namesIn(names)]);
    for (let attempt = 1; attempt <= 10; attempt++) {
      expect(await old()).toEqual({ done: 1 });
      clock.advance((await rowOf(id)).due_at - clock.now());
    }
    expect(await rowOf(id)).toMatchObject({ done_at: null });
    const both = relayTo([namesIn(names, second)]);
    await database.transaction((tx) => events().record(tx, first, { name: 'old' }));
    for (let done = 1; done > 0; ) done = (await both()).done;
    expect(names.sort()).toEqual(['new', 'old']);
  });

  test('cannot have two reactions with one name', () => {
    expect(() => relayTo([namesIn([]), namesIn([])])).toThrow('Two reactions to the topic repo are named note');
  });
});

describe('several events of a topic', () => {
  /** Returns a reaction that notes what it reads ahead and what it reacts to, in an array. */
  const noting = (notes: string[], readAhead?: () => Promise<unknown>): Reaction =>
    Object.assign<Reaction, Pick<Reaction, 'readAhead'>>(
      async (_tx, { data }) => {
        notes.push(`to ${JSON.stringify(data)}`);
        return undefined;
      },
      {
        async readAhead(_tx, topic, all) {
          notes.push(`ahead of ${topic} ${JSON.stringify(all.map(({ data }) => data))}`);
          await readAhead?.();
        },
      },
    );
  const reactions = ['to {"at":1}', 'to {"at":2}'];

  test('in a row let a reaction read what it needs of them at once, where each statement waits for its answer', async () => {
    const notes: string[] = [];
    const relay = relayWith({ repo: { note: noting(notes) }, other: { note: noting(notes) } });
    for (const topic of ['repo', 'repo', 'other', 'repo', 'repo']) {
      await happen(topic, { at: 0 });
      clock.advance(1);
    }
    expect((await relay()).done).toBe(5);
    const pair = ['to {"at":0}', 'to {"at":0}'];
    const ahead = engine === 'postgres' ? ['ahead of repo [{"at":0},{"at":0}]'] : [];
    expect(notes).toEqual([...ahead, ...pair, 'to {"at":0}', ...ahead, ...pair]);
  });

  test('are reacted to one by one if that fails', async () => {
    const notes: string[] = [];
    const errors: object[] = [];
    const fails = () => Promise.reject(new Error('not now'));
    const relay = relayWith({ repo: { note: noting(notes, fails) } }, { errors });
    await happen('repo', { at: 1 });
    await happen('repo', { at: 2 });
    for (let done = 1; done > 0; ) done = (await relay()).done;
    expect(notes.filter((note) => note.startsWith('to'))).toEqual(reactions);
    expect(errors).toEqual([]);
  });

  test('do not wait for one of them that cannot be parsed', async () => {
    const notes: string[] = [];
    const topic = defineTopic({ name: 'repo', version: 1, data: z.object({ at: z.number() }) });
    const relay = relayTo([onTopic(topic, { note: noting(notes) })]);
    await happen('repo', { at: 1 });
    await happen('repo', { at: 'nowhere' });
    await happen('repo', { at: 2 });
    for (let done = 1; done > 0; ) done = (await relay()).done;
    expect(new Set(notes.filter((note) => note.startsWith('to')))).toEqual(new Set(reactions));
    expect(notes.includes('ahead of repo [{"at":1},{"at":2}]')).toBe(engine === 'postgres');
  });
});

describe('a reaction that fails', () => {
  const fails: Reaction = async () => {
    throw new Error('not now');
  };

  test('does not hold up the others, and leaves nothing behind', async () => {
    const errors: object[] = [];
    const relay = relayWith(
      { bad: { half: leavesTrace('half'), fails }, good: { good: leavesTrace('good') } },
      { errors },
    );
    const first = await happen('good');
    const bad = await happen('bad');
    const last = await happen('good');
    for (let done = 1; done > 0; ) done = (await relay()).done;
    expect(await traces()).toEqual([`good ${first}`, `good ${last}`]);
    expect(errors).toEqual([{ err: expect.objectContaining({ message: 'not now' }), eventId: bad, failures: 1 }]);
  });

  test('is tried again later, each time after a longer wait, and set aside after the fifth failure', async () => {
    const relay = relayWith({ bad: { fails } });
    const id = await happen('bad');
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt++) {
      expect(await relay()).toEqual({ done: 1 });
      const { attempts, due_at, done_at } = await rowOf(id);
      expect({ attempts, done_at }).toEqual({ attempts: attempt, done_at: null });
      const wait = due_at - clock.now();
      waits.push(wait / SECOND);
      clock.advance(wait - 1);
      expect((await relay()).done).toBe(0);
      clock.advance(1);
    }
    expect(waits).toEqual([1, 2, 4, 8]);
    await relay();
    expect(await rowOf(id)).toMatchObject({ attempts: 5, done_at: clock.now() });
    clock.advance(DAY);
    expect(await relay()).toEqual({ done: 0, dueInMs: undefined });
    expect(await database.read.selectFrom('dead_letters').selectAll().execute()).toMatchObject([
      { queue: 'events', item_id: id, kind: 'bad', error: 'Error: not now', failures: 5, deaths: 0 },
    ]);
  });

  test('for want of a database is tried again without end', async () => {
    const lost: Reaction = async () => {
      throw new ConnectionLost('gone');
    };
    const relay = relayWith({ bad: { lost } });
    const id = await happen('bad');
    for (let attempt = 1; attempt <= 20; attempt++) {
      expect(await relay()).toEqual({ done: 1 });
      clock.advance((await rowOf(id)).due_at - clock.now());
    }
    expect(await rowOf(id)).toMatchObject({ attempts: 4, done_at: null });
  });

  test('is done when it succeeds at last, together with the other reactions to its event', async () => {
    let broken = true;
    const mended: Reaction = async (tx, event) => {
      if (broken) throw new Error('not now');
      return leavesTrace('second')(tx, event, undefined);
    };
    const relay = relayWith({ bad: { first: leavesTrace('first'), mended } });
    const id = await happen('bad');
    await relay();
    expect(await traces()).toEqual([]);
    broken = false;
    clock.advance(SECOND);
    expect(await relay()).toEqual({ done: 1, dueInMs: LOCKED_RETRY_MS });
    expect(await traces()).toEqual([`first ${id}`, `second ${id}`]);
    expect(await rowOf(id)).toMatchObject({ done_at: clock.now() });
  });

  test('makes the relay say when the event is due again', async () => {
    const relay = relayWith({ bad: { fails } });
    await happen('bad');
    await relay();
    expect(await relay()).toEqual({ done: 0, dueInMs: SECOND });
  });
});

describe('a reaction that never returns', () => {
  const never: Reaction = () => new Promise(() => {});

  test('is cut off, rolled back and put off, and reactions to other events run', async () => {
    const errors: object[] = [];
    const reactions = { bad: { half: leavesTrace('half'), never }, good: { good: leavesTrace('good') } };
    const relay = relayWith(reactions, { errors });
    const bad = await happen('bad');
    const good = await happen('good');
    for (let done = 1; done > 0; ) done = (await relay()).done;
    expect(await traces()).toEqual([`good ${good}`]);
    expect(errors).toEqual([{ err: expect.objectContaining({ name: 'NeverSettled' }), eventId: bad, failures: 1 }]);
  });

  test('changes nothing if it goes on after all', async () => {
    let goOn = () => {};
    let refused: unknown;
    const late: Reaction = async (tx, event) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      await leavesTrace('late')(tx, event, undefined).catch((error: unknown) => {
        refused = error;
      });
      return undefined;
    };
    await happen('bad');
    await relayWith({ bad: { late } })();
    goOn();
    await expect.poll(() => refused).toMatchObject({ name: 'NeverSettled' });
    expect(await traces()).toEqual([]);
  });
});

describe('after a crash', () => {
  test('in the middle of the reactions, all of them run again', async () => {
    const id = await happen('repo');
    // This process dies before the commit of each transaction.
    const dying: Database = {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          await work(tx);
          throw new Error('killed');
        }),
    };
    const ran: string[] = [];
    const counts: Reaction = async (_tx, event) => {
      ran.push(event.id);
      return undefined;
    };
    const reactions = { repo: { seen: leavesTrace('seen'), counts } };
    await expect(relayWith(reactions, { database: dying })()).rejects.toThrow('killed');
    expect(ran.length).toBeGreaterThan(0);
    expect(await traces()).toEqual([]);
    expect(await relayWith(reactions)()).toEqual({ done: 1, dueInMs: LOCKED_RETRY_MS });
    expect(ran.at(-1)).toBe(id);
    expect(await traces()).toEqual([`seen ${id}`]);
  });

  test.runIf(engine === 'postgres')('an event that another process holds is left to that process', async () => {
    const id = await happen('repo');
    const relay = relayWith({ repo: { seen: leavesTrace('seen') } }, { database: opened.again() });
    await database.transaction(async (tx) => {
      await tx.selectFrom('events').select('id').where('id', '=', id).forUpdate().execute();
      expect(await relay()).toEqual({ done: 0, dueInMs: 50 });
    });
    expect(await relay()).toEqual({ done: 1, dueInMs: LOCKED_RETRY_MS });
  });
});

describe('a reaction of several pages', () => {
  /** Does three pages, each of which leaves a trace of where it began. */
  const inPages: Reaction = async (tx, event, after = '0') => {
    await leavesTrace(`page ${after}`)(tx, event, undefined);
    return after === '2' ? undefined : String(Number(after) + 1);
  };

  test('does a page in each round, and the event is done with the last one', async () => {
    const relay = relayWith({ repo: { inPages } });
    const id = await happen('repo');
    const done: (number | null)[] = [];
    for (let round = 0; round < 4; round++) {
      await relay();
      done.push((await rowOf(id)).done_at);
    }
    expect(done).toEqual([null, null, clock.now(), clock.now()]);
    expect(await traces()).toEqual([`page 0 ${id}`, `page 1 ${id}`, `page 2 ${id}`]);
  });

  test('lets another event go first if a page took long', async () => {
    const relay = relayWith({ repo: { inPages }, discussion: { once: leavesTrace('once') } });
    const long = await happen('repo');
    const other = await happen('discussion');
    let time = 0;
    const slow = vi.spyOn(performance, 'now').mockImplementation(() => (time += 1000));
    try {
      for (let round = 0; round < 2; round++) {
        clock.advance(1);
        await relay();
      }
    } finally {
      slow.mockRestore();
    }
    expect(await traces()).toEqual([`once ${other}`, `page 0 ${long}`]);
  });

  test('is resumed after a failure where it was, and the other reactions to the event do not run again', async () => {
    let broken = true;
    const breaks: Reaction = async (tx, event, after) => {
      if (after === '1' && broken) throw new Error('not now');
      return inPages(tx, event, after);
    };
    const relay = relayWith({ repo: { once: leavesTrace('once'), breaks } });
    const id = await happen('repo');
    await relay();
    await relay();
    broken = false;
    clock.advance(SECOND);
    await relay();
    await relay();
    expect(await traces()).toEqual([`once ${id}`, `page 0 ${id}`, `page 1 ${id}`, `page 2 ${id}`]);
    expect(await rowOf(id)).toMatchObject({ done_at: clock.now() });
  });
});

describe('a value that a reaction would have to wait for', () => {
  const untilQuiet = async (relay: ReturnType<typeof createRelay>) => {
    while ((await relay()).done > 0);
  };
  const needs = (get: () => Promise<unknown>, isThere: () => boolean): Reactions => ({
    repo: {
      before: leavesTrace('before'),
      async needs() {
        if (!isThere()) throw new ValueNotFetched('a text', get);
        return undefined;
      },
    },
  });

  test('is fetched outside its transaction, so that others can write meanwhile', async () => {
    let written = '';
    const others = () => database.transaction((tx) => events().record(tx, anyTopic('other'), {}));
    const reactions = needs(
      async () => {
        written = await others();
      },
      () => written !== '',
    );
    const first = await happen('repo');
    const second = await happen('repo');
    const errors: object[] = [];
    await untilQuiet(relayWith(reactions, { errors }));
    expect(await traces()).toEqual([`before ${first}`, `before ${second}`]);
    expect(errors).toEqual([]);
    for (const id of [first, second, written]) expect((await rowOf(id)).done_at).not.toBeNull();
  });

  test('and that cannot be fetched never sets the event aside, and holds up no other event', async () => {
    const other = await happen('other');
    const id = await happen('repo');
    const errors: object[] = [];
    const relay = relayWith(
      needs(
        async () => {},
        () => false,
      ),
      { errors },
    );
    for (let time = 0; time < 10; time++) {
      await untilQuiet(relay);
      clock.advance(DAY);
    }
    expect(await rowOf(id)).toMatchObject({ done_at: null, attempts: 4 });
    expect((await rowOf(other)).done_at).not.toBeNull();
    expect(errors.length).toBeGreaterThan(5);
  });
});

test('a round that nobody nudged opens a transaction only for what is due', async () => {
  let transactions = 0;
  const counted: Database = {
    ...database,
    transaction(work, options) {
      transactions += 1;
      return database.transaction(work, options);
    },
  };
  let fails = true;
  const relay = relayWith(
    {
      change: {
        seen: async () => {
          if (fails) throw new Error('not yet');
        },
      },
    },
    { database: counted },
  );
  expect(await relay(false)).toEqual({ done: 0, dueInMs: undefined });
  expect(transactions).toBe(0);
  await happen('change');
  expect(await relay(false)).toEqual({ done: 1 });
  transactions = 0;
  expect(await relay(false)).toEqual({ done: 0, dueInMs: SECOND });
  expect(transactions).toBe(0);
  fails = false;
  clock.advance(SECOND);
  expect(await relay(false)).toEqual({ done: 1, dueInMs: LOCKED_RETRY_MS });
  expect(transactions).toBe(1);
});

test('an event that is due earlier than what was seen is found within a second, or at once after a nudge', async () => {
  const relay = relayWith({ change: { seen: leavesTrace('seen') } });
  const happenEarlier = async () => {
    const id = await happen('change');
    const dueAt = clock.now() - 2 * SECOND;
    await database.transaction((tx) => tx.updateTable('events').set({ due_at: dueAt }).where('id', '=', id).execute());
  };
  await happen('change');
  expect(await relay()).toMatchObject({ done: 1 });
  await happenEarlier();
  expect(await relay(false)).toEqual({ done: 0, dueInMs: undefined });
  clock.advance(SECOND);
  expect(await relay(false)).toMatchObject({ done: 1 });
  await happenEarlier();
  expect(await relay(true)).toMatchObject({ done: 1 });
  expect(await traces()).toHaveLength(3);
});
