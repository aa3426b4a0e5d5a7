import { expect, test } from 'vitest';
import { createRefresher } from './refresher.ts';

const LONG_MS = 600_000;

/** Returns a refresher that shows a value of each key, and whose refreshes last until they are released. */
function shownValues(restMs: number) {
  const values = new Map<string, number>();
  const shown: [string, number][] = [];
  let waiting: (() => void)[] = [];
  const refresher = createRefresher(async (key) => {
    const value = values.get(key) ?? 0;
    await new Promise<void>((resolve) => waiting.push(resolve));
    shown.push([key, value]);
  }, restMs);
  return {
    ...refresher,
    shown,
    set: (key: string, value: number) => void values.set(key, value),
    release: async (count: number) => {
      await expect.poll(() => waiting.length).toBe(count);
      for (const go of waiting) go();
      waiting = [];
    },
  };
}

test('changes during a refresh share the one that follows, and keys do not wait for each other', async () => {
  const { set, request, run, release, shown } = shownValues(LONG_MS);
  for (const value of [1, 2, 3]) {
    set('a', value);
    request('a');
  }
  const other = run('b');
  await release(2);
  await other;
  expect(shown).toEqual([
    ['a', 1],
    ['b', 0],
  ]);
  const runs = [run('a'), run('a')];
  await release(1);
  await Promise.all(runs);
  expect(shown.slice(2)).toEqual([['a', 3]]);
});

test('after a refresh the key rests, unless somebody waits for it', async () => {
  const { set, request, run, settle, release, shown } = shownValues(LONG_MS);
  request('a');
  await release(1);
  await expect.poll(() => shown).toHaveLength(1);
  set('a', 1);
  request('a');
  const running = run('a');
  await release(1);
  await running;
  expect(shown[1]).toEqual(['a', 1]);
  set('a', 2);
  request('a');
  const settled = settle();
  await release(1);
  await settled;
  expect(shown[2]).toEqual(['a', 2]);
});

test('a change during the rest is shown after it', async () => {
  const { set, request, release, settle, shown } = shownValues(1);
  request('a');
  await release(1);
  set('a', 1);
  request('a');
  await release(1);
  await settle();
  expect(shown).toEqual([
    ['a', 0],
    ['a', 1],
  ]);
});
