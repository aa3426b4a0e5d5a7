import { expect, test } from 'vitest';
import { expiryDay, expiryTime } from './expiry.ts';

const NOW = Date.UTC(2026, 10, 23, 12);

test('a token expires after the chosen number of days, on the chosen day, or never', () => {
  expect(expiryTime({ lifetime: '30', date: '' }, NOW)).toBe('2026-12-23T12:00:00.000Z');
  expect(expiryTime({ lifetime: 'never', date: '2026-12-31' }, NOW)).toBeUndefined();
  expect(expiryTime({ lifetime: 'date', date: '' }, NOW)).toBeUndefined();
  const end = expiryTime({ lifetime: 'date', date: '2026-12-31' }, NOW) ?? '';
  expect(expiryDay(Date.parse(end))).toBe('2026-12-31');
  expect(expiryDay(Date.parse(end) + 1)).toBe('2027-01-01');
});
