import { type Clock, timestamp } from '../../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../../platform/database/transaction.ts';
import { appendLines, FULL, type LogLimit } from '../logs/store.ts';
import { START } from '../runners/runner.ts';
import { specificationOf } from '../runs/specification.ts';
import { addEvent, lockJob, updateJob } from '../runs/store.ts';
import type { JobRow } from '../tables.ts';
import type { JobLimits } from './launch.ts';
import type { ActiveJob } from './queue-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: JobLimits;
  readonly logLimit: LogLimit;
  /** Shown to the owner of each job that runs. */
  readonly note: string | null;
  /** Called with the id of each job whose state, events or log have changed. */
  readonly onChange: (jobId: string) => void;
}

export const TIMEOUT_MESSAGE = 'Job timeout';
/** A text that makes Python's client skip the lines beginning with it (W§1.2). */
const STARTED = '===== Job started at';

export type Transitions = ReturnType<typeof createTransitions>;

/**
 * The states of an active job. Each verb takes the job as the worker read it, changes nothing if the job has changed
 * since then, and returns whether it changed the job.
 */
export function createTransitions({ database, clock, limits, logLimit, note, onChange }: Dependencies) {
  const transition = (seen: ActiveJob, change: (tx: Executor, job: JobRow) => Promise<void>): Promise<boolean> =>
    database.transaction(async (tx) => {
      const job = await lockJob(tx, seen.id);
      const isSame =
        job?.attempt === seen.attempt && job.active === seen.active && job.finished_at === seen.finished_at;
      if (!job || !isSame) return false;
      await change(tx, job);
      afterCommit(tx, () => onChange(seen.id));
      return true;
    });

  return {
    /** Records why an attempt does not begin yet. */
    wait: (seen: ActiveJob, message: string) =>
      transition(seen, async (tx) => {
        await updateJob(tx, seen.id, { message });
        await addEvent(tx, seen.id, clock.now(), 'Waiting', message);
      }),

    start: (seen: ActiveJob) =>
      transition(seen, async (tx, job) => {
        const now = clock.now();
        const { timeoutSeconds } = specificationOf(job);
        const seconds = Math.min(timeoutSeconds ?? limits.timeoutSeconds, limits.timeoutSeconds);
        await updateJob(tx, seen.id, {
          stage: 'RUNNING',
          active: 'running',
          message: note,
          started_at: job.started_at ?? now,
          deadline_at: now + seconds * 1000,
        });
        const lines = [`${STARTED} ${timestamp(now)} =====`];
        await appendLines(tx, job, { lines, at: now, position: START }, logLimit);
        await addEvent(tx, seen.id, now, 'Started', `Attempt ${job.attempt} runs`);
      }),

    complete: (seen: ActiveJob) =>
      transition(seen, async (tx) => {
        const now = clock.now();
        await updateJob(tx, seen.id, { stage: 'COMPLETED', finished_at: now, active: null, deadline_at: null });
        await addEvent(tx, seen.id, now, 'Completed', 'The job has completed');
      }),

    /** Ends a job whose attempt still runs: the next step stops the attempt. */
    timeOut: (seen: ActiveJob) =>
      transition(seen, async (tx, job) => {
        const now = clock.now();
        const failures = job.failures + 1;
        await updateJob(tx, seen.id, { stage: 'ERROR', message: TIMEOUT_MESSAGE, finished_at: now, failures });
        await addEvent(tx, seen.id, now, 'TimedOut', TIMEOUT_MESSAGE);
      }),

    /** Begins the next attempt; ends the job if `isFinal` is set or the last attempt has failed. */
    fail: (seen: ActiveJob, reason: string, isFinal = false) =>
      transition(seen, async (tx, job) => {
        const now = clock.now();
        const failures = job.failures + 1;
        const { attempts } = specificationOf(job);
        await addEvent(tx, seen.id, now, 'Failed', reason);
        if (isFinal || job.attempt >= attempts) {
          const end = { stage: 'ERROR', message: reason, finished_at: now, active: null, deadline_at: null } as const;
          await updateJob(tx, seen.id, { failures, ...end });
          return;
        }
        const attempt = job.attempt + 1;
        const log_position = job.log_position === FULL ? FULL : START;
        await updateJob(tx, seen.id, { failures, active: 'starting', attempt, deadline_at: null, log_position });
        await addEvent(tx, seen.id, now, 'Starting', `Attempt ${attempt} of ${attempts} begins`);
      }),

    /** Deactivates an ended job of which nothing runs any more, and records what went wrong at its end. */
    release: (seen: ActiveJob, fault?: string) =>
      transition(seen, async (tx) => {
        await updateJob(tx, seen.id, { active: null, deadline_at: null });
        if (fault !== undefined) await addEvent(tx, seen.id, clock.now(), 'Failed', fault);
      }),
  };
}
