import { expect, test } from 'vitest';
import { createRefresher } from './refresher.ts';

test('calls during a refresh share one that follows it, and every call sees its own change', async () => {
  const rows = new Map([
    ['a', 0],
    ['b', 0],
  ]);
  const shown = new Map<string, number>();
  const release: (() => void)[] = [];
  let refreshes = 0;
  const refresher = createRefresher(async (key) => {
    refreshes++;
    const value = rows.get(key) ?? 0;
    await new Promise<void>((resolve) => release.push(resolve));
    shown.set(key, value);
  });
  const calls = [1, 2, 3].map((value) => {
    rows.set('a', value);
    return refresher.run('a').then(() => expect(shown.get('a')).toBeGreaterThanOrEqual(value));
  });
  const other = refresher.run('b');
  expect(refreshes).toBe(2);
  for (const go of release.splice(0)) go();
  await calls[0];
  await other;
  await expect.poll(() => release.length).toBe(1);
  for (const go of release.splice(0)) go();
  await Promise.all(calls);
  await refresher.settle();
  expect(refreshes).toBe(3);
  expect(shown.get('a')).toBe(3);
  const again = refresher.run('a');
  for (const go of release.splice(0)) go();
  await again;
  expect(refreshes).toBe(4);
});
