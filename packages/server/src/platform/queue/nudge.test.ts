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
  await nudge.wait(60_000, never);
  const started = Date.now();
  await nudge.wait(20, never);
  expect(Date.now() - started).toBeGreaterThanOrEqual(15);
});

test('an abort ends every wait', async () => {
  const nudge = createNudge();
  const stopping = new AbortController();
  const waiting = nudge.wait(60_000, stopping.signal);
  stopping.abort();
  await waiting;
  await nudge.wait(60_000, stopping.signal);
});
