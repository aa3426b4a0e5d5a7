import type { Clock } from '../../platform/clock.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import { nextRun } from '../../platform/queue/cron.ts';
import type { DeadLetterQueue } from '../../platform/queue/dead-letters.ts';
import { addEvent, lockJob, updateJob } from '../runs/store.ts';
import { findScheduledById, updateScheduled } from '../schedules/store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the worker once the change is durable. */
  readonly nudge: () => void;
  /** Called with the id of each job whose state has changed. */
  readonly onChange: (jobId: string) => void;
}

const STUCK = 'The hub cannot go on with this job; its administrators see why';
const GIVEN_UP = 'The hub could not go on with this job, and gave it up';

/** A job that is set aside takes no steps; it keeps its place, and its attempt continues to run. */
export const createDeadJobs = ({ clock, nudge, onChange }: Dependencies): DeadLetterQueue<'jobs'> => ({
  table: 'jobs',
  async setAside(tx, id) {
    const job = await lockJob(tx, id);
    if (!job || job.active === null) return undefined;
    await updateJob(tx, id, { message: STUCK });
    await addEvent(tx, id, clock.now(), 'Waiting', STUCK);
    afterCommit(tx, () => onChange(id));
    return { kind: job.finished_at === null ? job.active : 'finishing', createdAt: job.created_at };
  },
  async retry(tx, id) {
    const job = await lockJob(tx, id);
    if (!job || job.active === null) return false;
    if (job.message === STUCK) await updateJob(tx, id, { message: null });
    afterCommit(tx, nudge);
    return true;
  },
  async discard(tx, id) {
    const job = await lockJob(tx, id);
    if (!job || job.active === null) return;
    const now = clock.now();
    const end = { stage: 'ERROR', message: GIVEN_UP, finished_at: now } as const;
    await updateJob(tx, id, { ...(job.finished_at === null && end), active: null, deadline_at: null });
    if (job.finished_at === null) await addEvent(tx, id, now, 'Failed', GIVEN_UP);
    afterCommit(tx, () => onChange(id));
    afterCommit(tx, nudge);
  },
});

/** A scheduled job that is set aside continues at its next time, or rests if processes died with it in hand. */
export function createDeadScheduledJobs({
  clock,
  nudge,
}: Omit<Dependencies, 'onChange'>): DeadLetterQueue<'scheduled-jobs'> {
  const nextTime = (schedule: string): number | null => {
    try {
      return nextRun(schedule, clock.now()) ?? null;
    } catch {
      return null;
    }
  };
  return {
    table: 'scheduled_jobs',
    async setAside(tx, id, { deaths }) {
      const row = await findScheduledById(tx, id);
      if (!row) return undefined;
      if (row.suspended === 0)
        await updateScheduled(tx, id, { next_run_at: deaths > 0 ? null : nextTime(row.schedule) });
      return { kind: 'schedule', createdAt: row.created_at };
    },
    async retry(tx, id) {
      const row = await findScheduledById(tx, id);
      if (!row) return false;
      if (row.suspended === 0) await updateScheduled(tx, id, { next_run_at: clock.now() });
      afterCommit(tx, nudge);
      return true;
    },
    async discard(tx, id) {
      const row = await findScheduledById(tx, id);
      if (row?.suspended === 0) await updateScheduled(tx, id, { next_run_at: nextTime(row.schedule) });
    },
  };
}
