import { expect, test } from 'vitest';
import type { Attempt } from '../send.ts';
import { createAttemptRecorder } from './attempt-recorder.ts';

const attempt = (id: string) => ({ delivery: { id } }) as Attempt;
const idsOf = (attempts: readonly Attempt[]) => attempts.map(({ delivery }) => delivery.id);

/** Returns a recorder whose writes wait until the test lets them through. */
function slowly() {
  const batches: string[][] = [];
  const open: (() => void)[] = [];
  const recorder = createAttemptRecorder({
    onFailure: async () => {},
    logger: { error() {} },
    async record(attempts) {
      batches.push(idsOf(attempts));
      await new Promise<void>((resolve) => open.push(resolve));
    },
  });
  const letThrough = async () => {
    open.shift()?.();
    await new Promise(setImmediate);
  };
  return { recorder, batches, letThrough };
}

test('attempts that arrive while a batch is written are written together, in their order', async () => {
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

test('an attempt that is not urgent waits for others, up to a hundred', async () => {
  const { recorder, batches, letThrough } = slowly();
  const all = Array.from({ length: 100 }, (_, at) => recorder.add(attempt(`${at}`), false));
  expect(batches.map((batch) => batch.length)).toEqual([100]);
  await letThrough();
  expect(await Promise.all(all)).toHaveLength(100);
});

test('a single attempt is written a moment later', async () => {
  const recorder = createAttemptRecorder({
    onFailure: async () => {},
    logger: { error() {} },
    record: async () => {},
  });
  expect(await recorder.add(attempt('a'), false)).toBe(true);
});

test('an attempt that cannot be written is reported, and does not affect others', async () => {
  const errors: object[] = [];
  const written: string[][] = [];
  const recorder = createAttemptRecorder({
    onFailure: async () => {},
    logger: { error: (details: object) => errors.push(details) },
    async record(attempts) {
      if (idsOf(attempts).includes('bad')) throw new Error('it is no text');
      written.push(idsOf(attempts));
    },
  });
  const results = ['a', 'bad', 'b'].map((id) => recorder.add(attempt(id), id === 'b'));
  expect(await Promise.all(results)).toEqual([true, false, true]);
  expect(written).toEqual([['a'], ['b']]);
  expect(errors).toMatchObject([{ deliveryId: 'bad' }]);
});
