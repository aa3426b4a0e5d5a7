import { expect, test } from 'vitest';
import { type GivenPeriod, periodOf } from './period.ts';

test.each<[GivenPeriod, string, string]>([
  [{ date: '2024-02-29' }, '2024-02-29', '2024-03-01'],
  [{ week: '2025-W01' }, '2024-12-30', '2025-01-06'],
  [{ week: '2021-W01' }, '2021-01-04', '2021-01-11'],
  [{ week: '2020-W53' }, '2020-12-28', '2021-01-04'],
  [{ month: '2024-12' }, '2024-12-01', '2025-01-01'],
  [{ month: '2025-01', week: '2025-W01' }, '2025-01-01', '2025-01-06'],
  [{ month: '2025-02', date: '2025-01-31' }, '2025-02-01', '2025-02-01'],
])('the period of %o begins on %s and ends before %s', (given, from, until) => {
  expect(periodOf(given)).toEqual([Date.parse(from), Date.parse(until)]);
});

test('the period of an empty query is all time', () => {
  expect(periodOf({})).toEqual([0, Number.MAX_SAFE_INTEGER]);
});
