import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import type { CrashGuard } from '../../platform/queue/crash-guard/crash-guard.ts';
import { nextRun } from '../../platform/queue/cron.ts';
import { deleteDeadLetter } from '../../platform/queue/dead-letter-store.ts';
import { MAX_FAILURES, type SetAside } from '../../platform/queue/dead-letters.ts';
import { backoffMs, LOCKED_RETRY_MS } from '../../platform/queue/due.ts';
import { describeFault, failuresAfter } from '../../platform/queue/fault.ts';
import type { FindJobAuthority } from '../execution/authority.ts';
import { type Launching, UNREADABLE_SECRETS } from '../execution/launch.ts';
import { specificationOf } from '../runs/specification.ts';
import { hasUnfinished } from '../runs/store.ts';
import type { ScheduledJobRow } from '../tables.ts';
import { runOf, scheduledSecrets } from './run.ts';
import { dueScheduled, lockDue, nextDueAt, postponeScheduled, updateScheduled } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly launching: Launching;
  readonly authorityOf: FindJobAuthority;
  readonly setAside: SetAside;
  readonly crashGuard: CrashGuard;
}

/** The maximum number of launches per round. */
const MAX_LAUNCHES = 100;
const QUEUE = 'scheduled-jobs';

/** Runs each due scheduled job once, however many of its times were missed. */
export function createLaunchDue(given: Dependencies) {
  const { database, clock, logger, launching, authorityOf, setAside, crashGuard } = given;
  const failures = new Map<string, number>();

  /** Returns why a scheduled job may not run now, since rights can be lost; undefined if it may. */
  async function refusalOf(tx: Executor, job: ScheduledJobRow): Promise<string | undefined> {
    const { created_by: userId, token_id: tokenId, owner_id: ownerId } = job;
    const authority = await authorityOf(tx, { userId, tokenId, ownerId, what: 'the scheduled job' });
    if ('refusal' in authority) return authority.refusal;
    return (await launching.refusal(tx, specificationOf(job), authority.principal))?.message;
  }

  async function launch(tx: Executor, job: ScheduledJobRow): Promise<Partial<ScheduledJobRow>> {
    if (job.concurrency === 0 && (await hasUnfinished(tx, job.id))) return {};
    const secrets = scheduledSecrets(launching, job);
    const failure = (await refusalOf(tx, job)) ?? (secrets ? undefined : UNREADABLE_SECRETS);
    const id = await launching.insert(tx, runOf(job, secrets ?? {}), failure);
    return { last_job_id: id, last_job_at: clock.now() };
  }

  /** Launches the next due job, or the one with the id `only`. Returns whether there was one. */
  async function launchOne(only?: string): Promise<boolean> {
    let id: string | undefined;
    try {
      const launched = await database.transaction(
        async (tx) => {
          const job = await lockDue(tx, clock.now(), only);
          id = job?.id;
          if (!job) return false;
          const run = await launch(tx, job);
          await deleteDeadLetter(tx, QUEUE, job.id);
          await updateScheduled(tx, job.id, { ...run, next_run_at: nextRun(job.schedule, clock.now()) ?? null });
          return true;
        },
        { cutOff: true },
      );
      if (id !== undefined) failures.delete(id);
      return launched;
    } catch (error) {
      if (id === undefined) throw error;
      await putOff(id, error);
      return true;
    }
  }

  /** Postpones a scheduled job that failed to launch, so that it does not block others. */
  async function putOff(id: string, error: unknown): Promise<void> {
    const count = failuresAfter(failures.get(id) ?? 0, error);
    logger.error({ err: error, scheduledJobId: id, failures: count }, 'a scheduled job could not be launched');
    await database.transaction(async (tx) => {
      await postponeScheduled(tx, id, clock.now(), backoffMs(count));
      if (count >= MAX_FAILURES)
        await setAside(tx, QUEUE, id, { error: describeFault(error), failures: count, deaths: 0 });
    });
    if (count < MAX_FAILURES) failures.set(id, count);
    else failures.delete(id);
  }

  /** Launches the next job; after an unclean exit of a process one at a time, with suspects last. */
  async function launchNext(): Promise<boolean> {
    if (!crashGuard.isActive(QUEUE)) return launchOne();
    const due = await dueScheduled(database.read, clock.now(), MAX_LAUNCHES);
    const suspects = crashGuard.suspects(QUEUE);
    const fresh = due.find((id) => !suspects.includes(id));
    if (fresh === undefined) await crashGuard.endFirstPass(QUEUE, due);
    const [id] = await crashGuard.admit(QUEUE, fresh === undefined ? due : [fresh]);
    if (id === undefined) return false;
    try {
      return await launchOne(id);
    } finally {
      await crashGuard.survived(QUEUE, [id]);
    }
  }

  return async () => {
    let nextAt = await nextDueAt(database.read);
    for (let done = 0; ; done++) {
      const isDue = nextAt !== undefined && nextAt <= clock.now();
      if (!isDue || done === MAX_LAUNCHES) return { done, nextAt };
      // Another process launches the remaining due jobs.
      if (!(await launchNext())) return { done, nextAt: clock.now() + LOCKED_RETRY_MS };
      nextAt = await nextDueAt(database.read);
    }
  };
}
