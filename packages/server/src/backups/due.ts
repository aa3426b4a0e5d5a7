import { nextRun } from '../platform/queue/cron.ts';
import type { BackupRow } from './tables.ts';

const MINUTE_MS = 60_000;
const FIRST_RETRY_MS = 15 * MINUTE_MS;
const MAX_RETRY_MS = 6 * 60 * MINUTE_MS;

/** Returns the wait after a number of failures: 15 minutes, doubled each time, at most 6 hours. */
const retryMs = (failures: number): number => Math.min(FIRST_RETRY_MS * 2 ** Math.max(0, failures - 1), MAX_RETRY_MS);

type Latest = Pick<BackupRow, 'state' | 'started_at' | 'ended_at'>;

/**
 * Returns when the next backup is due: at once if there is none, or if one was begun and did not end; else by the schedule,
 * or earlier after failures. A time in the future, of a clock that was wrong, counts as now.
 */
export function nextDueAt(latest: Latest | undefined, failures: number, schedule: string, now: number): number {
  if (latest === undefined || latest.state === 'writing') return now;
  const regular = nextRun(schedule, Math.min(latest.started_at, now)) ?? Number.POSITIVE_INFINITY;
  if (latest.state === 'whole') return regular;
  return Math.min(regular, Math.min(latest.ended_at ?? now, now) + retryMs(failures));
}
