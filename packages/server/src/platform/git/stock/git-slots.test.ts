import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createGitSlots } from './git-slots.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const slotsOf = (count: number) => createGitSlots({ count, maxStallMs: 5_000, maxWaitMs: 60_000 });

test('waiting users are served in turn', async () => {
  const slots = slotsOf(1);
  const first = await slots.acquire('alice');
  const order: string[] = [];
  const next = async (user: string) => {
    using _slot = await slots.acquire(user);
    order.push(user);
  };
  const all = Promise.all([next('alice'), next('alice'), next('bob')]);
  expect(slots.counts()).toEqual({ running: 1, waiting: 3 });
  first?.[Symbol.dispose]();
  await all;
  expect(order).toEqual(['alice', 'bob', 'alice']);
  expect(slots.counts()).toEqual({ running: 0, waiting: 0 });
});

test('while somebody waits, a holder without progress is ended, and one with progress is not', async () => {
  const slots = slotsOf(2);
  const ended: string[] = [];
  const hold = async (name: string, activeAt: () => number) => {
    const slot = await slots.acquire(name);
    slot?.hold({
      activeAt,
      end() {
        ended.push(name);
        slot[Symbol.dispose]();
      },
    });
  };
  const began = performance.now();
  await hold('stalled', () => began);
  await hold('busy', () => performance.now());
  await vi.advanceTimersByTimeAsync(30_000);
  expect(ended).toEqual([]);
  const waiting = slots.acquire('carol');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await waiting).toBeDefined();
  expect(ended).toEqual(['stalled']);
});

test('a caller that waits too long gets no slot, neither then nor later', async () => {
  const slots = slotsOf(1);
  const first = await slots.acquire('alice');
  const late = slots.acquire('bob');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await late).toBeUndefined();
  first?.[Symbol.dispose]();
  first?.[Symbol.dispose]();
  expect(slots.counts()).toEqual({ running: 0, waiting: 0 });
});
