import { expect, test } from 'vitest';
import { createBoundedQueue } from './bounded-queue.ts';

test('work is done one at a time, in turn, and what is too much is not begun', async () => {
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

test('what fails holds up nobody', async () => {
  const queue = createBoundedQueue(1);
  const failing = queue(() => Promise.reject(new Error('broken')));
  const next = queue(async () => 'fine');
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('fine');
});
