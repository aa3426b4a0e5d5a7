import type { Clock } from '../../platform/clock.ts';
import { type Database, serialize } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { Logger } from '../../platform/logger.ts';
import type { Care } from '../../platform/queue/care.ts';
import { forgetDeadLetter, MAX_FAILURES, type SetAside } from '../../platform/queue/dead-letters.ts';
import { describeFault, failuresAfter } from '../../platform/queue/fault.ts';
import type { Runner } from '../runners/runner.ts';
import { addEvent, countOf } from '../runs/store.ts';
import { attemptKey, type Step } from './attempts.ts';
import { type ActiveJob, activeJobs, anyJobs, isSetAside, nextJobs, type Places } from './queue-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly runner: Runner;
  readonly places: Places;
  readonly step: Step;
  readonly setAside: SetAside;
  readonly care: Care;
  /** Puts the jobs in the queue that are due by the clock; returns how many, and when the next one is. */
  readonly launchDue: () => Promise<{ readonly done: number; readonly nextAt: number | undefined }>;
  /** Whether this process is the one that runs jobs, of all that share the database. */
  readonly hold: () => Promise<boolean>;
  /** Told when a step has changed something. */
  readonly nudge: () => void;
}

export type JobWorker = ReturnType<typeof createJobWorker>;

/** What runs is looked at so often. */
const LOOK_MS = 200;
/** How long a step that may end the process is alone. */
const PROBATION = { aloneMs: 1_000, suspectMs: 1_000 };
const SWEEP_MS = 10_000;
/** The same where there are no jobs: then nothing is done but a look whether there are any. */
const IDLE_SWEEP_MS = 60_000;
/** Waits after failures of a job in a row, the first one and so on: an engine may be away for a while. */
const AFTER_FAILURES_MS = [1_000, 5_000, 30_000, 120_000];
/** Names what is done one at a time: choosing whose turn it is. */
const ADMISSION = 0x6a6f6273;

/** Begins jobs in their turn and follows what runs: everything that it knows stands in rows. */
export function createJobWorker(given: Dependencies) {
  const { database, clock, logger, runner, places, step, setAside, care, launchDue, hold, nudge } = given;
  const underway = new Map<string, Promise<void>>();
  const failing = new Map<string, { readonly failures: number; readonly restsUntil: number }>();
  let active: readonly ActiveJob[] = [];
  let changes = 0;
  let sweptAt: number | undefined;
  let stopping = false;

  /** SCHEDULING jobs whose turn it is get their first attempt. */
  async function admit(): Promise<number> {
    if ((await nextJobs(database.read, places)).length === 0) return 0;
    return database.transaction(async (tx) => {
      await serialize(tx, ADMISSION);
      const ids = await nextJobs(tx, places);
      if (ids.length === 0) return 0;
      const admitted = await tx
        .updateTable('jobs')
        .set({ active: 'starting', attempt: 1 })
        .where(whereIn(tx, 'id', ids))
        .where('stage', '=', 'SCHEDULING')
        .where('active', 'is', null)
        .returning('id')
        .execute();
      for (const { id } of admitted) await addEvent(tx, id, clock.now(), 'Starting', 'The first attempt begins');
      return admitted.length;
    });
  }

  /** What is active now, and whether jobs that were have gone with their owner: nobody ends what runs of them. */
  async function lookAround(): Promise<boolean> {
    const before = active;
    active = await activeJobs(database.read);
    const now = new Set(active.map(({ id }) => id));
    for (const id of failing.keys()) if (!now.has(id)) failing.delete(id);
    const left = before.map(({ id }) => id).filter((id) => !now.has(id));
    return left.length > 0 && (await countOf(database.read, left)) < left.length;
  }

  const sweepIsDue = (everyMs: number): boolean => {
    const passed = sweptAt === undefined ? everyMs : clock.now() - sweptAt;
    return passed >= everyMs || passed < 0;
  };

  /** What the runner has of jobs that are gone. */
  async function sweep(): Promise<void> {
    sweptAt = clock.now();
    await runner.sweep(new Set(active.map(attemptKey)));
  }

  async function tryStep(job: ActiveJob): Promise<void> {
    try {
      if (await step(job)) changes += 1;
      failing.delete(job.id);
      if (job.setAsideAt !== null) await database.transaction((tx) => forgetDeadLetter(tx, 'jobs', job.id));
    } catch (error) {
      await failed(job, error).catch((err: unknown) =>
        logger.error({ err, jobId: job.id }, 'a job that failed too often could not be set aside'),
      );
    }
    underway.delete(job.id);
  }

  async function failed({ id }: ActiveJob, error: unknown): Promise<void> {
    const failures = failuresAfter(failing.get(id)?.failures ?? 0, error);
    const restMs = AFTER_FAILURES_MS[failures - 1] ?? 0;
    failing.set(id, { failures, restsUntil: clock.now() + restMs });
    logger.error({ err: error, jobId: id, failures }, 'a step of a job failed; it will be tried again');
    if (failures < MAX_FAILURES) return;
    await database.transaction((tx) => setAside(tx, 'jobs', id, { error: describeFault(error), failures, deaths: 0 }));
    failing.delete(id);
  }

  function begin(job: ActiveJob): void {
    if (underway.has(job.id) || (failing.get(job.id)?.restsUntil ?? 0) > clock.now()) return;
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
      if (stopping) return { done: 0 };
      const due = await launchDue();
      const nextInMs = due.nextAt === undefined ? undefined : Math.max(0, due.nextAt - clock.now());
      const idle = active.length === 0 && !(await anyJobs(database.read)) && !sweepIsDue(IDLE_SWEEP_MS);
      if (idle) return { done: due.done, dueInMs: nextInMs };
      if (!(await hold())) {
        active = [];
        return { done: due.done, dueInMs: nextInMs };
      }
      const admitted = await admit();
      const someAreGone = await lookAround();
      if (someAreGone || sweepIsDue(SWEEP_MS)) await sweep();
      await care.releaseEnded('jobs', (id) => underway.has(id));
      const ready = active.filter((job) => !isSetAside(job)).map(({ id }) => id);
      const mayGoOn = new Set(await care.admit('jobs', ready));
      care.onProbation('jobs', [...mayGoOn], PROBATION);
      if (care.isOn('jobs') && ready.every((id) => care.hasSurvived('jobs', id)))
        await care.endFirstPass('jobs', ready);
      // With care they are loaded again: one may have been set aside before it was in hand.
      const jobs = care.isOn('jobs') ? await activeJobs(database.read) : active;
      for (const job of jobs) if (mayGoOn.has(job.id) && !isSetAside(job)) begin(job);
      const done = due.done + admitted + changes;
      changes = 0;
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
