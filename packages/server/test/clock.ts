import type { Clock } from '../src/platform/clock.ts';

/** A clock that moves only by `advance`. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function createTestClock(startAt = Date.parse('2026-01-05T12:00:00.000Z')): TestClock {
  let now = startAt;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
