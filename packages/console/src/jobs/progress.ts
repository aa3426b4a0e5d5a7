import type { JobInfo } from '@moonbase/client/jobs';
import { isOver } from './stage-badge.tsx';

/** Describes a duration: `4.2 s`, `6 min 20 s`, `2 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Describes how far a job is: `attempt 1 of 3`; undefined where it has one attempt only. */
export function attemptText({ status, retry = 0 }: Pick<JobInfo, 'status' | 'retry'>): string | undefined {
  if (retry === 0) return undefined;
  const failed = status.failureCount ?? 0;
  const made = isOver(status.stage) && status.stage !== 'COMPLETED' ? Math.max(1, failed) : failed + 1;
  return `attempt ${Math.min(made, retry + 1)} of ${retry + 1}`;
}
