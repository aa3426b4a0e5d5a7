import { expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.ts';

test('the queue takes from all senders in turn, and from each in order', () => {
  const queue = createFairQueue<string>((item) => item.length);
  for (const item of ['a1', 'a2', 'a3', 'b1', 'a4', 'c1', 'b2']) queue.add(item.charAt(0), item);
  expect(queue.sizeFrom('a')).toBe(8);
  const taken = Array.from({ length: 8 }, () => queue.take());
  expect(taken).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', undefined]);
  expect(queue.sizeFrom('a')).toBe(0);
});
