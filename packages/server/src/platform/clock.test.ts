import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timestamp } from './clock.ts';

test('a time is formatted as the engine does, whatever was formatted before', () => {
  const times = fc.array(fc.oneof(fc.integer({ min: -8.64e15, max: 8.64e15 }), fc.nat({ max: 200_000_000 })));
  fc.assert(
    fc.property(times, (all) => {
      for (const each of all) expect(timestamp(each)).toBe(new Date(each).toISOString());
    }),
  );
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%f is no time', (ms) => {
  expect(() => timestamp(ms)).toThrow(RangeError);
  expect(timestamp(0)).toBe('1970-01-01T00:00:00.000Z');
});
