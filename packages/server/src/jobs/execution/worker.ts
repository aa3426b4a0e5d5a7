import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { CrashGuard } from '../../platform/queue/crash-guard/crash-guard.ts';
import { deleteDeadLetter } from '../../platform/queue/dead-letter-store.ts';
import type { Runner } from '../runners/runner.ts';
import { countExisting } from '../runs/store.ts';
import { attemptKey } from './attempt-key.ts';
import { type ActiveJob, activeJobs, anyJobs, isSetAside } from './queue-store.ts';
import type { Step } from './step.ts';
import type { createStepFailures } from './step-failures.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly runner: Runner;
  readonly step: Step;
  readonly failures: ReturnType<typeof createStepFailures>;
  readonly crashGuard: CrashGuard;
  /** Gives free places to waiting jobs; returns the number of admitted jobs. */
  readonly admit: () => Promise<number>;
  /** Adds the due scheduled jobs to the queue; returns their number, and when the next one is due. */
  readonly launchDue: () => Promise<{ readonly done: number; readonly nextAt: number | undefined }>;
  /** Returns whether this process, of all that share the database, runs the jobs. */
  readonly isLeader: () => Promise<boolean>;
  /** Wakes the worker after a step that has changed something. */
  readonly nudge: () => void;
}

interface Round {
  readonly done: number;
  readonly dueInMs?: number | undefined;
}

export type JobWorker = ReturnType<typeof createJobWorker>;

/** The interval at which active jobs take a step. */
const STEP_INTERVAL_MS = 200;
/** How long a step that may crash the process runs alone. */
const PROBATION = { aloneMs: 1_000, suspectMs: 1_000 };
const SWEEP_INTERVAL_MS = 10_000;
/** The interval of sweeps without jobs; other rounds then only check whether there are any. */
const IDLE_SWEEP_INTERVAL_MS = 60_000;

/** Admits jobs and takes the steps of active ones; its whole state is stored in rows. */
export function createJobWorker(given: Dependencies) {
  const { database, clock, runner, step, failures, crashGuard, admit, launchDue, isLeader, nudge } = given;
  const inFlight = new Map<string, Promise<void>>();
  let active: readonly ActiveJob[] = [];
  let changes = 0;
  let sweptAt: number | undefined;
  let isStopping = false;

  /**
   * Reads the active jobs. Returns whether jobs were deleted with their owner, so that no step will end their attempts.
   */
  async function readActive(): Promise<boolean> {
    const before = active;
    active = await activeJobs(database.read);
    const now = new Set(active.map(({ id }) => id));
    failures.forgetAllBut(now);
    const left = before.map(({ id }) => id).filter((id) => !now.has(id));
    return left.length > 0 && (await countExisting(database.read, left)) < left.length;
  }

  const sweepIsDue = (everyMs: number): boolean => {
    const passed = sweptAt === undefined ? everyMs : clock.now() - sweptAt;
    return passed >= everyMs || passed < 0;
  };

  /** Ends the attempts of jobs that are no longer active. */
  async function sweep(): Promise<void> {
    sweptAt = clock.now();
    await runner.sweep(new Set(active.map(attemptKey)));
  }

  async function takeStep(job: ActiveJob): Promise<void> {
    let hasChanged = false;
    try {
      hasChanged = await step(job);
      failures.forget(job.id);
      if (job.setAsideAt !== null) await database.transaction((tx) => deleteDeadLetter(tx, 'jobs', job.id));
    } catch (error) {
      await failures.record(job.id, error);
    }
    inFlight.delete(job.id);
    if (!hasChanged) return;
    changes += 1;
    nudge();
  }

  function begin(job: ActiveJob): void {
    if (!inFlight.has(job.id) && !failures.isResting(job.id)) inFlight.set(job.id, takeStep(job));
  }

  /** Begins a step of each active job; a job that may have crashed a process has to wait for its turn. */
  async function beginSteps(): Promise<void> {
    await crashGuard.releaseEnded('jobs', (id) => inFlight.has(id));
    const ready = active.filter((job) => !isSetAside(job)).map(({ id }) => id);
    const admitted = new Set(await crashGuard.admit('jobs', ready));
    crashGuard.onProbation('jobs', [...admitted], PROBATION);
    if (crashGuard.isActive('jobs') && ready.every((id) => crashGuard.hasSurvived('jobs', id)))
      await crashGuard.endFirstPass('jobs', ready);
    // While the guard is active, the jobs are read again, because one may have been set aside before it was in hand.
    const jobs = crashGuard.isActive('jobs') ? await activeJobs(database.read) : active;
    for (const job of jobs) if (admitted.has(job.id) && !isSetAside(job)) begin(job);
  }

  const takeChanges = (): number => {
    const taken = changes;
    changes = 0;
    return taken;
  };

  return {
    /** Checks everything once; long steps continue after the round. */
    async round(): Promise<Round> {
      if (isStopping) return { done: 0 };
      const launched = await launchDue();
      const nextInMs = launched.nextAt === undefined ? undefined : Math.max(0, launched.nextAt - clock.now());
      const isIdle = active.length === 0 && !(await anyJobs(database.read)) && !sweepIsDue(IDLE_SWEEP_INTERVAL_MS);
      if (isIdle) return { done: launched.done, dueInMs: nextInMs };
      if (!(await isLeader())) {
        active = [];
        return { done: launched.done, dueInMs: nextInMs };
      }
      const admitted = await admit();
      const someWereDeleted = await readActive();
      if (someWereDeleted || sweepIsDue(SWEEP_INTERVAL_MS)) await sweep();
      await beginSteps();
      const done = launched.done + admitted + takeChanges();
      return { done, dueInMs: active.length > 0 ? Math.min(STEP_INTERVAL_MS, nextInMs ?? STEP_INTERVAL_MS) : nextInMs };
    },

    /** Resolves when no step is in flight, with the number of steps that changed something. */
    async settled(): Promise<number> {
      while (inFlight.size > 0) await Promise.all(inFlight.values());
      return takeChanges();
    },

    stop(): void {
      isStopping = true;
    },

    close: async (): Promise<void> => runner.close?.(),
  };
}
