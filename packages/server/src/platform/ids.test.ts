import { expect, test } from 'vitest';
import { createTestClock } from '../../test/clock.ts';
import { createIds, firstIdAt } from './ids.ts';

test('ids are 24 lower-case hexadecimal characters that begin with the second of their creation', () => {
  const clock = createTestClock(1_700_000_000_000);
  const id = createIds(clock)();
  expect(id).toMatch(/^[0-9a-f]{24}$/);
  expect(Number.parseInt(id.slice(0, 8), 16)).toBe(1_700_000_000);
});

test('ids of one process sort in the order of their creation', () => {
  const clock = createTestClock();
  const ids = createIds(clock);
  const made = Array.from({ length: 5000 }, (_, at) => {
    if (at % 100 === 0) clock.advance(700);
    return ids();
  });
  expect([...made].sort()).toEqual(made);
  expect(new Set(made).size).toBe(made.length);
});

test('the first id of a moment sorts before those created then, and that of a far time before or after all', () => {
  const clock = createTestClock();
  const id = createIds(clock)();
  expect([firstIdAt(clock.now()) < id, firstIdAt(clock.now() + 1000) < id]).toEqual([true, false]);
  expect(firstIdAt(Date.parse('0000-01-01T00:00:00Z')) < id).toBe(true);
  expect(firstIdAt(Date.parse('9999-12-31T23:59:59Z')) < id).toBe(false);
});
