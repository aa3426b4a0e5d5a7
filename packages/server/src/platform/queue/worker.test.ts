import { expect, test } from 'vitest';
import type { Nudge } from './nudge.ts';
import { createWorker } from './worker.ts';

type Outcome = { done: number; dueInMs?: number } | Error;

/** Returns a worker whose rounds have the given outcomes, and whose sleeps end when the test says so. */
function workerWith(...outcomes: Outcome[]) {
  return resting(undefined, ...outcomes);
}

/** Returns the same for a worker that may rest. */
function resting(mayRest: (() => boolean) | undefined, ...outcomes: Outcome[]) {
  const rounds: number[] = [];
  const wereNudged: boolean[] = [];
  const sleeps: number[] = [];
  const errors: object[] = [];
  let wake = (_wasNudged?: boolean) => {};
  let fellAsleep = () => {};
  let asleep = new Promise<void>((resolve) => {
    fellAsleep = resolve;
  });
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<boolean>((resolve) => {
      sleeps.push(ms);
      wake = (wasNudged = true) => resolve(wasNudged);
      if (signal.aborted) resolve(false);
      signal.addEventListener('abort', () => resolve(false));
      fellAsleep();
    });
  const nudge: Nudge = Object.assign(() => wake(), { wait, take: () => false });
  const worker = createWorker({
    name: 'test',
    nudge,
    logger: { error: (details) => errors.push(details) },
    mayRest,
    async round(nudged) {
      wereNudged.push(nudged);
      rounds.push(rounds.length);
      const outcome = outcomes[rounds.length - 1] ?? { done: 0 };
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  return {
    worker,
    rounds,
    wereNudged,
    sleeps,
    errors,
    asleep: () => asleep,
    /** Ends the sleep, and resolves when the worker sleeps again. */
    wake: async (wasNudged = true) => {
      asleep = new Promise<void>((resolve) => {
        fellAsleep = resolve;
      });
      wake(wasNudged);
      await asleep;
    },
  };
}

test('rounds follow each other while there is something to do, then the worker sleeps until it is woken', async () => {
  const { worker, rounds, wereNudged, sleeps, asleep, wake } = workerWith(
    { done: 3 },
    { done: 1 },
    { done: 0 },
    { done: 2 },
  );
  worker.start();
  await asleep();
  expect(rounds).toHaveLength(3);
  await wake();
  expect(rounds).toHaveLength(5);
  expect(wereNudged).toEqual([true, false, false, true, false]);
  expect(sleeps).toEqual([1000, 1000]);
  await worker.stop();
});

test('the sleep ends when something is due, and after a second at the latest', async () => {
  const { worker, sleeps, asleep, wake } = workerWith(
    { done: 0, dueInMs: 40 },
    { done: 0, dueInMs: 60_000 },
    { done: 0 },
  );
  worker.start();
  await asleep();
  await wake();
  await wake();
  expect(sleeps).toEqual([40, 1000, 1000]);
  await worker.stop();
});

test('a worker that may rest looks less often once it has found nothing for ten rounds, until it is nudged', async () => {
  let alone = true;
  const { worker, sleeps, asleep, wake } = resting(() => alone, { done: 1 });
  const sleepsOf = async (times: number) => {
    sleeps.length = 0;
    for (let at = 0; at < times; at++) await wake(false);
    return sleeps;
  };
  worker.start();
  await asleep();
  expect(await sleepsOf(11)).toEqual([...Array<number>(8).fill(1000), 5000, 5000, 5000]);
  alone = false;
  expect(await sleepsOf(1)).toEqual([1000]);
  alone = true;
  expect(await sleepsOf(1)).toEqual([5000]);
  sleeps.length = 0;
  await wake();
  expect(sleeps).toEqual([1000]);
  expect(await sleepsOf(10)).toEqual([...Array<number>(9).fill(1000), 5000]);
  await worker.stop();
});

test('a round that fails is logged, and the next one follows after a pause', async () => {
  const failure = new Error('the database does not answer');
  const { worker, rounds, sleeps, errors, asleep, wake } = workerWith(failure, { done: 0 });
  worker.start();
  await asleep();
  expect(errors).toEqual([{ err: failure, worker: 'test' }]);
  expect(sleeps).toEqual([1000]);
  await wake();
  expect(rounds).toHaveLength(2);
  expect(errors).toHaveLength(1);
  await worker.stop();
});

test('stopping ends a sleep, and no further round begins', async () => {
  const { worker, rounds, asleep } = workerWith({ done: 0 });
  worker.start();
  await asleep();
  await worker.stop();
  expect(rounds).toHaveLength(1);
});

test('stopping waits for the round that is under way', async () => {
  let finish = () => {};
  let begun = () => {};
  const underWay = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const steps: string[] = [];
  const worker = createWorker({
    name: 'test',
    nudge: Object.assign(() => {}, { wait: async () => false, take: () => false }),
    logger: { error: () => {} },
    round: () =>
      new Promise((resolve) => {
        begun();
        finish = () => {
          steps.push('round');
          resolve({ done: 1 });
        };
      }),
  });
  worker.start();
  await underWay;
  const stopped = worker.stop().then(() => steps.push('stopped'));
  finish();
  await stopped;
  expect(steps).toEqual(['round', 'stopped']);
});

test('starting twice starts one loop, and stopping a worker that never started ends at once', async () => {
  const twice = workerWith({ done: 0 });
  twice.worker.start();
  twice.worker.start();
  await twice.asleep();
  await twice.worker.stop();
  expect(twice.rounds).toHaveLength(1);
  const never = workerWith();
  await never.worker.stop();
  expect(never.rounds).toEqual([]);
});
