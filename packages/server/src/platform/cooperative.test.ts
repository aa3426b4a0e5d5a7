import { expect, test } from 'vitest';
import { createRest, mapCooperatively } from './cooperative.ts';

const busyFor = (ms: number) => {
  for (const until = performance.now() + ms; performance.now() < until; );
};

test('other work gets its turn between items that take long', async () => {
  const log: string[] = [];
  setImmediate(() => log.push('something else'));
  const mapped = mapCooperatively([1, 2, 3], (item) => {
    busyFor(11);
    log.push(`item ${item}`);
    return item * 2;
  });
  expect(await mapped).toEqual([2, 4, 6]);
  expect(log).toEqual(['item 1', 'something else', 'item 2', 'item 3']);
});

test('quick items are mapped in one turn', async () => {
  let others = 0;
  setImmediate(() => (others += 1));
  expect(await mapCooperatively([1, 2, 3], String)).toEqual(['1', '2', '3']);
  expect(others).toBe(0);
});

test('work that nobody waits for rests as long as it worked, and ends when it is told to', async () => {
  const ending = new AbortController();
  const rest = createRest(ending.signal);
  await rest();
  busyFor(20);
  const since = performance.now();
  await rest();
  expect(performance.now() - since).toBeGreaterThan(15);
  ending.abort(new Error('enough'));
  await expect(rest()).rejects.toThrow('enough');
});
