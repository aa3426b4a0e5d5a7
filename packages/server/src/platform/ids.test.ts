import { expect, test } from 'vitest';
import { createTestClock } from '../../test/clock.ts';
import { createIds } from './ids.ts';

test('ids are 24 lower-case hexadecimal characters that begin with the second of their making', () => {
  const clock = createTestClock(1_700_000_000_000);
  const id = createIds(clock)();
  expect(id).toMatch(/^[0-9a-f]{24}$/);
  expect(Number.parseInt(id.slice(0, 8), 16)).toBe(1_700_000_000);
});

test('ids of one process sort in the order of their making', () => {
  const clock = createTestClock();
  const ids = createIds(clock);
  const made = Array.from({ length: 5000 }, (_, at) => {
    if (at % 100 === 0) clock.advance(700);
    return ids();
  });
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});
