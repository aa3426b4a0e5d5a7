import { expect, test } from 'vitest';
import { latencyStep, medianOf, NO_RESPONSE } from './latency.ts';

const counted = (...times: readonly number[]) => times.map((ms) => ({ latency: latencyStep(ms), count: 1 }));

test('a median is within a tenth or a millisecond of the real one, from a millisecond to half a minute', () => {
  for (let ms = 1; ms < 30_000; ms = Math.ceil(ms * 1.13)) {
    const median = medianOf(counted(0, ms, 30_000));
    expect(Math.abs((median ?? Number.NaN) - ms)).toBeLessThanOrEqual(Math.max(1, ms / 10));
  }
});

test('the median is that of responses only, however they are counted', () => {
  expect(medianOf([])).toBeUndefined();
  expect(medianOf([{ latency: NO_RESPONSE, count: 5 }])).toBeUndefined();
  const [fast, slow] = [latencyStep(3), latencyStep(1000)];
  expect(medianOf([{ latency: NO_RESPONSE, count: 5 }, ...counted(1000, 3, 3)])).toBe(medianOf(counted(3)));
  expect(medianOf([...[2, 1].map((count) => ({ latency: slow, count })), { latency: fast, count: 2 }])).toBe(
    medianOf(counted(1000)),
  );
});
