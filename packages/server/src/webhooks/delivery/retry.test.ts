import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../test/clock.ts';
import type { OutboundResult } from '../../platform/outbound/outbound.ts';
import { healthAfter, outcomeOf } from './retry.ts';

const NOW = Date.parse('2026-01-05T12:00:00.000Z');
const SCHEDULE = [5, 300, 1800, 7200, 18000, 36000, 36000];

const answered = (status: number, headers: Record<string, string> = {}): OutboundResult => ({
  kind: 'answered',
  status,
  headers,
  body: '',
  durationMs: 1,
});
const unreachable: OutboundResult = { kind: 'failed', error: 'Connection refused', durationMs: 1 };

const after = (result: OutboundResult, attempts = 1, random = 0.5) =>
  outcomeOf({ result, attempts, schedule: SCHEDULE, now: NOW, random });

describe('the outcome of an attempt', () => {
  test.each([200, 201, 202, 204, 299])('with status %i is success', (status) => {
    expect(after(answered(status))).toEqual({ status: 'delivered' });
  });

  test.each([301, 302, 307, 400, 401, 404, 408, 429, 500, 503])('with status %i is a retry', (status) => {
    expect(after(answered(status))).toEqual({ status: 'pending', dueAt: NOW + 5 * SECOND });
  });

  test('without a response is a retry', () => {
    expect(after(unreachable)).toEqual({ status: 'pending', dueAt: NOW + 5 * SECOND });
  });

  test('with status 410 is failure, however many attempts are left', () => {
    expect(after(answered(410))).toEqual({ status: 'failed', gone: true });
  });

  test.each([
    [1, 5 * SECOND],
    [2, 5 * MINUTE],
    [3, 30 * MINUTE],
    [4, 2 * HOUR],
    [5, 5 * HOUR],
    [6, 10 * HOUR],
    [7, 10 * HOUR],
  ])('after attempt %i the next one follows in %i ms', (attempts, wait) => {
    expect(after(unreachable, attempts)).toEqual({ status: 'pending', dueAt: NOW + wait });
  });

  test('the eighth attempt is the last', () => {
    expect(after(unreachable, 8)).toEqual({ status: 'failed', gone: false });
  });

  test('waits vary by a fifth in both directions', () => {
    expect(after(unreachable, 2, 0)).toEqual({ status: 'pending', dueAt: NOW + 4 * MINUTE });
    expect(after(unreachable, 2, 1)).toEqual({ status: 'pending', dueAt: NOW + 6 * MINUTE });
  });

  test.each([
    ['seconds lengthen the wait', '120', 120 * SECOND],
    ['a date lengthens it', new Date(NOW + HOUR).toUTCString(), HOUR],
    ['seconds never shorten it', '1', 5 * SECOND],
    ['a date in the past does nothing', new Date(NOW - HOUR).toUTCString(), 5 * SECOND],
    ['a day is the maximum', String(10 * 24 * 3600), DAY],
    ['an invalid date does nothing', 'soon', 5 * SECOND],
  ])('Retry-After: %s', (_name, value, wait) => {
    expect(after(answered(503, { 'retry-after': value }))).toEqual({ status: 'pending', dueAt: NOW + wait });
  });
});

describe('the health of a webhook after an attempt', () => {
  const failed = { status: 'failed', gone: false } as const;
  const pending = { status: 'pending', dueAt: NOW } as const;

  test('success resets all failures', () => {
    const before = { failures: 9, failing_since: NOW - 4 * DAY };
    expect(healthAfter({ status: 'delivered' }, before, NOW)).toEqual({
      failures: 0,
      failing_since: null,
      suspend: null,
    });
  });

  test('a failed attempt begins the time of failure but counts only if it was the last', () => {
    expect(healthAfter(pending, { failures: 0, failing_since: null }, NOW)).toEqual({
      failures: 0,
      failing_since: NOW,
      suspend: null,
    });
  });

  test('ten deliveries in a row that used up their attempts suspend it', () => {
    expect(healthAfter(failed, { failures: 8, failing_since: NOW }, NOW).suspend).toBeNull();
    expect(healthAfter(failed, { failures: 9, failing_since: NOW }, NOW).suspend).toBe('in-a-row');
  });

  test('five days without a success suspend it', () => {
    expect(healthAfter(failed, { failures: 0, failing_since: NOW - 5 * DAY + 1 }, NOW).suspend).toBeNull();
    expect(healthAfter(failed, { failures: 0, failing_since: NOW - 5 * DAY }, NOW).suspend).toBe('days');
    expect(healthAfter(pending, { failures: 0, failing_since: NOW - 9 * DAY }, NOW).suspend).toBeNull();
  });

  test('410 suspends it', () => {
    expect(healthAfter({ status: 'failed', gone: true }, { failures: 0, failing_since: null }, NOW).suspend).toBe(
      'gone',
    );
  });
});
