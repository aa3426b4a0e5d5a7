import { expect, test } from 'vitest';
import { createRecorder } from './recorder.ts';
import type { Attempt } from './send.ts';

const attempt = (id: string) => ({ delivery: { id } }) as Attempt;
const idsOf = (attempts: readonly Attempt[]) => attempts.map(({ delivery }) => delivery.id);

/** A recorder whose writes wait until they are let through. */
function slowly(fails: (ids: string[]) => boolean = () => false) {
  const batches: string[][] = [];
  const open: (() => void)[] = [];
  const errors: object[] = [];
  const recorder = createRecorder({
    logger: { error: (details: object) => errors.push(details) },
    async record(attempts) {
      const ids = idsOf(attempts);
      batches.push(ids);
      await new Promise<void>((resolve) => open.push(resolve));
      if (fails(ids)) throw new Error('the disk is full');
    },
  });
  const letThrough = async () => {
    open.shift()?.();
    await new Promise(setImmediate);
  };
  return { recorder, batches, errors, letThrough };
}

test('what comes while a batch is written is written together, in its order', async () => {
  const { recorder, batches, letThrough } = slowly();
  const first = recorder.add(attempt('a'), true);
  const others = ['b', 'c', 'd'].map((id) => recorder.add(attempt(id), true));
  expect(batches).toEqual([['a']]);
  await letThrough();
  expect(await first).toBe(true);
  expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
  await letThrough();
  expect(await Promise.all(others)).toEqual([true, true, true]);
});

test('what is not urgent waits for company, for a hundred at the most', async () => {
  const { recorder, batches, letThrough } = slowly();
  const all = Array.from({ length: 100 }, (_, at) => recorder.add(attempt(`${at}`), false));
  expect(batches.map((batch) => batch.length)).toEqual([100]);
  await letThrough();
  expect(await Promise.all(all)).toHaveLength(100);
});

test('what is alone is written all the same, a moment later', async () => {
  const recorder = createRecorder({ logger: { error() {} }, record: async () => {} });
  expect(await recorder.add(attempt('a'), false)).toBe(true);
});

test('a batch that cannot be written is reported, and the next one goes on', async () => {
  const { recorder, errors, letThrough } = slowly((ids) => ids.includes('bad'));
  const bad = recorder.add(attempt('bad'), true);
  const good = recorder.add(attempt('good'), true);
  await letThrough();
  expect(await bad).toBe(false);
  expect(errors).toMatchObject([{ deliveryIds: ['bad'] }]);
  await letThrough();
  expect(await good).toBe(true);
});
