import { expect, test } from 'vitest';
import { createNudge } from './nudge.ts';

const never = new AbortController().signal;

test('a nudge ends a wait before its time', async () => {
  const nudge = createNudge();
  const waiting = nudge.wait(60_000, never);
  nudge();
  await waiting;
});

test('a nudge that came before the wait is not lost, and counts once', async () => {
  const nudge = createNudge();
  nudge();
  nudge();
  expect(await nudge.wait(60_000, never)).toBe(true);
  const started = Date.now();
  expect(await nudge.wait(20, never)).toBe(false);
  expect(Date.now() - started).toBeGreaterThanOrEqual(15);
});

test('a nudge that is taken does not end the next wait', async () => {
  const nudge = createNudge();
  expect(nudge.take()).toBe(false);
  nudge();
  expect(nudge.take()).toBe(true);
  expect(await nudge.wait(20, never)).toBe(false);
});

test('an abort ends every wait', async () => {
  const nudge = createNudge();
  const stopping = new AbortController();
  const waiting = nudge.wait(60_000, stopping.signal);
  stopping.abort();
  await waiting;
  await nudge.wait(60_000, stopping.signal);
});
