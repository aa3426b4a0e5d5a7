import { expect, test } from 'vitest';
import { createBoundedQueue } from './bounded-queue.ts';

test('work runs one piece at a time, in order, and work that finds the queue full does not run', async () => {
  const queue = createBoundedQueue(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const work = (at: number) => () => {
    begun.push(at);
    return new Promise<number>((resolve) => ends.push(() => resolve(at)));
  };
  const results = [0, 1, 2, 3].map((at) => queue(work(at)));
  expect(await results[3]).toBeUndefined();
  for (const at of [0, 1, 2]) {
    expect(begun).toEqual([0, 1, 2].slice(0, at + 1));
    ends[at]?.();
    expect(await results[at]).toBe(at);
    await Promise.resolve();
  }
  expect(await queue(async () => 'again')).toBe('again');
});

test('work that fails does not hold up the next', async () => {
  const queue = createBoundedQueue(1);
  const failing = queue(() => Promise.reject(new Error('broken')));
  const next = queue(async () => 'fine');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('fine');
});
