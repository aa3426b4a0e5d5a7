import { expect, test } from 'vitest';
import { createSharedRuns } from './shared-runs.ts';

/** Runs whose ends the test decides. */
function controlledRuns() {
  const ends: ((fails: boolean) => void)[] = [];
  let running = 0;
  let most = 0;
  const run = createSharedRuns(async (_key: string) => {
    most = Math.max(most, ++running);
    const at = ends.length;
    try {
      return await new Promise<number>((resolve, reject) => {
        ends.push((fails) => (fails ? reject(new Error(`run ${at}`)) : resolve(at)));
      });
    } finally {
      running--;
    }
  });
  return { run, ends, most: () => most };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('calls during a run share the next one, and other keys run beside it', async () => {
  const { run, ends, most } = controlledRuns();
  const first = run('a');
  const others = [run('a'), run('a')];
  const beside = run('b');
  expect(ends).toHaveLength(2);
  ends[0]?.(false);
  expect(await first).toBe(0);
  await settle();
  const last = run('a');
  expect(ends).toHaveLength(3);
  ends[2]?.(false);
  expect(await Promise.all(others)).toEqual([2, 2]);
  await settle();
  ends[3]?.(false);
  ends[1]?.(false);
  expect(await Promise.all([last, beside])).toEqual([3, 1]);
  expect(most()).toBe(2);
});

test('a run that fails fails its own calls only', async () => {
  const { run, ends } = controlledRuns();
  const first = run('a');
  const second = run('a');
  ends[0]?.(true);
  await expect(first).rejects.toThrow('run 0');
  await settle();
  ends[1]?.(false);
  expect(await second).toBe(1);
});
