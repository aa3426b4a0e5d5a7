import { afterEach, beforeEach, expect, test } from 'vitest';
import { anyTask } from '../../../test/any-form.ts';
import { createTestClock, HOUR, SECOND, type TestClock } from '../../../test/clock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../../test/open-test-database.ts';
import { createIds } from '../ids.ts';
import { createClockWatch } from './clock-watch.ts';
import { createTasks } from './tasks.ts';

let opened: OpenTestDatabase;
let clock: TestClock;
let elapsed: number;
let moved: number[];
let round: ReturnType<typeof createClockWatch>;
beforeEach(async () => {
  opened = await openTestDatabase();
  clock = createTestClock();
  elapsed = 0;
  moved = [];
  round = createClockWatch({
    clock,
    database: opened.database,
    logger: { warn: () => {} },
    elapsed: () => elapsed,
    async shiftOthers(_tx, _now, byMs) {
      moved.push(byMs);
    },
  });
});
afterEach(() => opened[Symbol.asyncDispose]());

/** Lets a second pass, in which the clock moves by the given time. */
async function second(clockMovesBy: number): Promise<void> {
  elapsed += SECOND;
  clock.advance(clockMovesBy);
  await round();
}

async function dueIn(...waits: number[]): Promise<void> {
  const tasks = createTasks({ clock, ids: createIds(clock), nudge: () => {} });
  const now = clock.now();
  await opened.database.transaction(async (tx) => {
    for (const wait of waits) await tasks.enqueue(tx, anyTask('test'), {}, { dueAt: now + wait });
  });
}

const waits = async () => {
  const rows = await opened.database.read.selectFrom('tasks').select('due_at').orderBy('id').execute();
  return rows.map(({ due_at }) => due_at - clock.now());
};

test('if the clock is set back, waiting tasks are due earlier by as much, but not before now', async () => {
  await dueIn(-SECOND, 0, 10 * SECOND, 12 * HOUR);
  await second(-HOUR);
  expect(moved).toEqual([HOUR + SECOND]);
  // A task that was due stays due; one of a far time keeps its time of day.
  expect(await waits()).toEqual([0, 0, 9 * SECOND, 13 * HOUR]);
  await second(SECOND);
  expect(moved).toHaveLength(1);
});

test.each([
  ['stands still', 0],
  ['goes on', SECOND],
  ['is corrected by a second', -SECOND],
  ['is set forward', HOUR],
])('nothing moves if the clock %s', async (_what, by) => {
  await dueIn(10 * SECOND);
  await second(by);
  expect(moved).toEqual([]);
  expect(await waits()).toEqual([10 * SECOND - by]);
});
