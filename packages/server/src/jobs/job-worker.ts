import type { Clock } from '../platform/clock.ts';
import { among } from '../platform/database/among.ts';
import { type Database, oneAtATime } from '../platform/database/transaction.ts';
import type { Logger } from '../platform/logger.ts';
import { attemptKey, type Step } from './attempts.ts';
import { type ActiveJob, activeJobs, nextJobs, type Places } from './queue-store.ts';
import type { Runner } from './runner.ts';
import { addEvent } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runner: Runner;
  readonly places: Places;
  readonly step: Step;
  /** Puts the jobs in the queue that are due by the clock; answers how many, and when the next one is. */
  readonly launchDue: () => Promise<{ readonly done: number; readonly nextAt: number | undefined }>;
  /** Whether this process is the one that runs jobs, of all that share the database. */
  readonly hold: () => Promise<boolean>;
  /** Told when a step has changed something. */
  readonly nudge: () => void;
}

export type JobWorker = ReturnType<typeof createJobWorker>;

/** What runs is looked at so often. */
const LOOK_MS = 200;
const SWEEP_MS = 10_000;
const AFTER_FAILURE_MS = 1_000;
/** Names what is done one at a time: choosing whose turn it is. */
const ADMISSION = 0x6a6f6273;

/** Begins jobs in their turn and follows what runs: everything that it knows stands in rows. */
export function createJobWorker(given: Dependencies) {
  const { database, clock, logger, runner, places, step, launchDue, hold, nudge } = given;
  const underway = new Map<string, Promise<void>>();
  const restingUntil = new Map<string, number>();
  let changes = 0;
  let sweptAt: number | undefined;
  let stopping = false;

  /** SCHEDULING jobs whose turn it is get their first attempt. */
  const admit = (): Promise<number> =>
    database.transaction(async (tx) => {
      await oneAtATime(tx, ADMISSION);
      const ids = await nextJobs(tx, places);
      if (ids.length === 0) return 0;
      const admitted = await tx
        .updateTable('jobs')
        .set({ active: 'starting', attempt: 1 })
        .where(among(tx, 'id', ids))
        .where('stage', '=', 'SCHEDULING')
        .where('active', 'is', null)
        .returning('id')
        .execute();
      for (const { id } of admitted) await addEvent(tx, id, clock.now(), 'Starting', 'The first attempt begins');
      return admitted.length;
    });

  /** From time to time: what the runner has of jobs that are gone. */
  async function sweep(active: readonly ActiveJob[]): Promise<void> {
    const now = clock.now();
    if (sweptAt !== undefined && now - sweptAt < SWEEP_MS && now >= sweptAt) return;
    sweptAt = now;
    await runner.sweep(new Set(active.map(attemptKey)));
  }

  async function tryStep(job: ActiveJob): Promise<void> {
    try {
      if (await step(job)) changes += 1;
      restingUntil.delete(job.id);
    } catch (error) {
      logger.error({ err: error, jobId: job.id }, 'a step of a job failed; it will be tried again');
      restingUntil.set(job.id, clock.now() + AFTER_FAILURE_MS);
    }
    underway.delete(job.id);
  }

  function begin(job: ActiveJob): void {
    if (underway.has(job.id) || (restingUntil.get(job.id) ?? 0) > clock.now()) return;
    const before = changes;
    underway.set(
      job.id,
      tryStep(job).then(() => {
        if (changes > before) nudge();
      }),
    );
  }

  return {
    /** Looks at everything once; what takes long goes on beside it. */
    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      if (stopping || !(await hold())) return { done: 0 };
      const due = await launchDue();
      const admitted = await admit();
      const active = await activeJobs(database.executor);
      await sweep(active);
      for (const job of active) begin(job);
      const done = due.done + admitted + changes;
      changes = 0;
      const nextInMs = due.nextAt === undefined ? undefined : Math.max(0, due.nextAt - clock.now());
      return { done, dueInMs: active.length > 0 ? Math.min(LOOK_MS, nextInMs ?? LOOK_MS) : nextInMs };
    },

    /** Resolves when no step is underway, with how much they changed. */
    async settled(): Promise<number> {
      while (underway.size > 0) await Promise.all(underway.values());
      const done = changes;
      changes = 0;
      return done;
    },

    stop(): void {
      stopping = true;
    },

    close: async (): Promise<void> => runner.close?.(),
  };
}
