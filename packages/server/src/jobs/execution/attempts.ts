import { jobRole, mayCreate, settingsOf } from '../../access/index.ts';
import { isDisabled } from '../../accounts/index.ts';
import { type Clock, timestamp } from '../../platform/clock.ts';
import { afterCommit, type Database, type Executor } from '../../platform/database/transaction.ts';
import type { Capture } from '../logs/capture.ts';
import { appendLines, FULL, type LogLimit } from '../logs/store.ts';
import { type AttemptState, LaunchFailure, NotYet, type Runner, START } from '../runners/runner.ts';
import { builtInEnvironment } from '../runs/hardware.ts';
import { labelsOf, specificationOf } from '../runs/specification.ts';
import { addEvent, findJob, lockJob, updateJob } from '../runs/store.ts';
import { volumesRefusal } from '../runs/volume-access.ts';
import type { JobRow } from '../tables.ts';
import { type JobLimits, jobSecretsAt, type Launching, UNREADABLE_SECRETS } from './launch.ts';
import type { ActiveJob } from './queue-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly runner: Runner;
  readonly launching: Launching;
  readonly capture: Capture;
  readonly limits: JobLimits;
  readonly logLimit: LogLimit;
  /** Told of each job that has news. */
  readonly changed: (jobId: string) => void;
}

export const TIMEOUT_MESSAGE = 'Job timeout';
const NO_RIGHTS = 'Whoever created this job may no longer run jobs here';
/** Python's client leaves lines out that begin so (W§1.2). */
const STARTED = '===== Job started at';

export const attemptKey = ({ id, attempt }: Pick<JobRow, 'id' | 'attempt'>): string => `${id}-${attempt}`;

/** A step of an attempt: looks how it is, and does what follows. Returns whether anything did. */
export type Step = (job: ActiveJob) => Promise<boolean>;

export function createStep(given: Dependencies): Step {
  const { database, clock, runner, launching, capture, limits, logLimit, changed } = given;

  /** Changes a job unless it, or what runs of it, has changed since it was looked at. */
  const changing = (seen: ActiveJob, change: (tx: Executor, job: JobRow) => Promise<void>): Promise<boolean> =>
    database.transaction(async (tx) => {
      const job = await lockJob(tx, seen.id);
      const same = job?.attempt === seen.attempt && job.active === seen.active && job.finished_at === seen.finished_at;
      if (!job || !same) return false;
      await change(tx, job);
      afterCommit(tx, () => changed(seen.id));
      return true;
    });

  /** Said once, not each time that it is asked. */
  async function waits(job: JobRow, seen: ActiveJob, message: string): Promise<boolean> {
    if (job.message !== message)
      await changing(seen, async (tx) => {
        await updateJob(tx, seen.id, { message });
        await addEvent(tx, seen.id, clock.now(), 'Waiting', message);
      });
    return false;
  }

  async function start(seen: ActiveJob): Promise<boolean> {
    const job = await findJob(database.read, seen.id);
    if (!job) return false;
    // It is about to be canceled.
    if (await isDisabled(database.read, job.created_by)) return false;
    if ((await settingsOf(database.read, job.owner_id)).deleted_at !== null) return false;
    if (!mayCreate(await jobRole(database.read, job.created_by, job.owner_id))) {
      // A hub that died may have begun it.
      await runner.stop(attemptKey(job));
      return failed(seen, NO_RIGHTS, false);
    }
    const specification = specificationOf(job);
    const secrets = launching.secretsOf(job.secrets, jobSecretsAt(job.id));
    // What it mounts may have been taken from its creator while it waited.
    const refusal = await volumesRefusal(database.read, specification, { userId: job.created_by });
    if (!secrets || refusal) {
      await runner.stop(attemptKey(job));
      return failed(seen, refusal?.message ?? UNREADABLE_SECRETS, false);
    }
    const environment = {
      ...specification.environment,
      ...secrets,
      ...(JSON.parse(job.trigger_environment ?? '{}') as Record<string, string>),
      ...builtInEnvironment(job.id, specification.flavor),
    };
    try {
      await runner.start({ key: attemptKey(job), specification, environment, labels: labelsOf(job.labels) });
    } catch (error) {
      if (error instanceof NotYet) return waits(job, seen, error.message);
      if (!(error instanceof LaunchFailure)) throw error;
      return failed(seen, error.message);
    }
    return changing(seen, async (tx, locked) => {
      const now = clock.now();
      const seconds = Math.min(specification.timeoutSeconds ?? limits.timeoutSeconds, limits.timeoutSeconds);
      await updateJob(tx, seen.id, {
        stage: 'RUNNING',
        active: 'running',
        message: runner.note,
        started_at: locked.started_at ?? now,
        deadline_at: now + seconds * 1000,
      });
      const marker = `${STARTED} ${timestamp(now)} =====`;
      await appendLines(tx, locked, { lines: [marker], at: now, position: START }, logLimit);
      await addEvent(tx, seen.id, now, 'Started', `Attempt ${locked.attempt} runs`);
    });
  }

  /** Whoever canceled it, or the clock, has ended the job: what runs of it ends too, and its log is complete then. */
  async function finish(seen: ActiveJob): Promise<boolean> {
    const key = attemptKey(seen);
    await runner.stop(key);
    await capture(seen.id, key, true);
    const done = await changing(seen, (tx) => updateJob(tx, seen.id, { active: null, deadline_at: null }));
    await runner.forget(key);
    return done;
  }

  const timeOut = (seen: ActiveJob): Promise<boolean> =>
    changing(seen, async (tx, job) => {
      const now = clock.now();
      const failures = job.failures + 1;
      await updateJob(tx, seen.id, { stage: 'ERROR', message: TIMEOUT_MESSAGE, finished_at: now, failures });
      await addEvent(tx, seen.id, now, 'TimedOut', TIMEOUT_MESSAGE);
    });

  async function ended(seen: ActiveJob, state: Extract<AttemptState, { state: 'ended' }>): Promise<boolean> {
    const { exitCode, reason } = state;
    const key = attemptKey(seen);
    await runner.stop(key);
    await capture(seen.id, key, true);
    if (exitCode !== 0)
      return failed(
        seen,
        reason ?? (exitCode === null ? 'The attempt was lost: nobody knows how it ended' : `Exit code ${exitCode}`),
      );
    const done = await changing(seen, async (tx) => {
      const now = clock.now();
      await updateJob(tx, seen.id, { stage: 'COMPLETED', finished_at: now, active: null, deadline_at: null });
      await addEvent(tx, seen.id, now, 'Completed', 'The job has completed');
    });
    await runner.forget(key);
    return done;
  }

  /** The next attempt is begun at once, unless this was the last. */
  async function failed(seen: ActiveJob, reason: string, again = true): Promise<boolean> {
    const done = await changing(seen, async (tx, job) => {
      const now = clock.now();
      const failures = job.failures + 1;
      const { attempts } = specificationOf(job);
      await addEvent(tx, seen.id, now, 'Failed', reason);
      if (again && job.attempt < attempts) {
        const position = job.log_position === FULL ? FULL : START;
        const next = {
          active: 'starting',
          attempt: job.attempt + 1,
          deadline_at: null,
          log_position: position,
        } as const;
        await updateJob(tx, seen.id, { failures, ...next });
        await addEvent(tx, seen.id, now, 'Starting', `Attempt ${next.attempt} of ${attempts} begins`);
      } else {
        const end = { stage: 'ERROR', message: reason, finished_at: now, active: null, deadline_at: null } as const;
        await updateJob(tx, seen.id, { failures, ...end });
      }
    });
    await runner.forget(attemptKey(seen));
    return done;
  }

  return async (seen) => {
    if (seen.finished_at !== null) return finish(seen);
    if (seen.active === 'starting') return start(seen);
    const state = await runner.look(attemptKey(seen));
    if (state.state === 'ended') return state.timedOut ? timeOut(seen) : ended(seen, state);
    if (seen.deadline_at !== null && seen.deadline_at <= clock.now()) return timeOut(seen);
    const heard = await capture(seen.id, attemptKey(seen), false);
    if (heard) changed(seen.id);
    return heard;
  };
}
