import { jobRole, mayCreate } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { ScheduledJobRow } from '../platform/database/tables.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Launching } from './launch.ts';
import { nextRun } from './schedule.ts';
import { runOf } from './scheduled-jobs.ts';
import { lockDue, nextDueAt, updateScheduled } from './scheduled-store.ts';
import { specificationOf } from './specification.ts';
import { hasUnfinished } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly launching: Launching;
}

const AT_ONCE = 100;
const NO_RIGHTS = 'Whoever created the scheduled job may no longer run jobs here';

/** Runs the scheduled jobs that are due: once, however many times were missed. */
export function createLaunchDue({ database, clock, launching }: Dependencies) {
  async function launch(tx: Executor, job: ScheduledJobRow): Promise<Partial<ScheduledJobRow>> {
    if (job.concurrency === 0 && (await hasUnfinished(tx, job.id))) return {};
    const role = await jobRole(tx, job.created_by, job.owner_id);
    const refusal = await launching.refusal(tx, specificationOf(job), { userId: job.created_by });
    const failure = mayCreate(role) ? refusal?.message : NO_RIGHTS;
    const id = await launching.insert(tx, runOf(launching, job), failure);
    return { last_job_id: id, last_job_at: clock.now() };
  }

  const launchOne = (): Promise<boolean> =>
    database.transaction(async (tx) => {
      const job = await lockDue(tx, clock.now());
      if (!job) return false;
      const launched = await launch(tx, job);
      await updateScheduled(tx, job.id, { ...launched, next_run_at: nextRun(job.schedule, clock.now()) ?? null });
      return true;
    });

  return async () => {
    let done = 0;
    let nextAt = await nextDueAt(database.executor);
    while (nextAt !== undefined && nextAt <= clock.now() && done < AT_ONCE && (await launchOne())) {
      done += 1;
      nextAt = await nextDueAt(database.executor);
    }
    return { done, nextAt };
  };
}
