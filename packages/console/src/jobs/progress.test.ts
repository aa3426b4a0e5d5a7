import { expect, test } from 'vitest';
import { attemptText, durationText } from './progress.ts';

test.each([
  [0.04, '0.0 s'],
  [59.94, '59.9 s'],
  [60, '1 min 0 s'],
  [380.4, '6 min 20 s'],
  [3599, '59 min 59 s'],
  [7500, '2 h 5 min'],
])('%f seconds are %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test.each([
  ['RUNNING', 0, 2, 'attempt 1 of 3'],
  ['SCHEDULING', 2, 2, 'attempt 3 of 3'],
  ['COMPLETED', 1, 2, 'attempt 2 of 3'],
  ['ERROR', 3, 2, 'attempt 3 of 3'],
  ['CANCELED', 0, 2, 'attempt 1 of 3'],
  ['RUNNING', 0, 0, undefined],
] as const)('a job that is %s after %i failures with %i retries: %s', (stage, failureCount, retry, text) => {
  expect(attemptText({ status: { stage, message: null, failureCount }, retry })).toBe(text);
});
