import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { defineTask, type StepOf } from '../../platform/queue/tasks.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Jobs a step; of one log at most so many pieces, each of about 64 KiB. */
const JOBS = 20;
const PIECES = 200;

const finishedBefore = (tx: Executor, before: number) =>
  tx
    .selectFrom('jobs')
    .select('id')
    .where('finished_at', '<', before)
    .where('active', 'is', null)
    .orderBy('finished_at');

/** Deletes pieces of a log; returns whether there may be more. */
async function removePieces(tx: Executor, jobId: string): Promise<boolean> {
  const lines = await tx
    .selectFrom('job_logs')
    .select('line')
    .where('job_id', '=', jobId)
    .orderBy('line')
    .limit(PIECES)
    .execute();
  const last = lines.at(-1);
  if (last) await tx.deleteFrom('job_logs').where('job_id', '=', jobId).where('line', '<=', last.line).execute();
  return lines.length === PIECES;
}

export const pruneJobsTask = defineTask('jobs.retain', z.null());

/**
 * What ended long ago becomes DELETED: its log, secrets and payload go. After the same time again the job itself goes.
 */
export const createPruneJobs =
  ({ clock, days }: { clock: Clock; days: number }): StepOf<typeof pruneJobsTask> =>
  async (tx) => {
    const before = clock.now() - days * DAY_MS;
    const old = await finishedBefore(tx, before).where('stage', '<>', 'DELETED').limit(JOBS).execute();
    for (const { id } of old) {
      if (await removePieces(tx, id)) return { data: null };
      await tx.deleteFrom('job_events').where('job_id', '=', id).execute();
      await tx
        .updateTable('jobs')
        .set({ stage: 'DELETED', secrets: null, trigger_environment: null })
        .where('id', '=', id)
        .execute();
    }
    const gone = await finishedBefore(tx, before - days * DAY_MS)
      .where('stage', '=', 'DELETED')
      .limit(JOBS)
      .execute();
    const ids = gone.map(({ id }) => id);
    if (ids.length > 0)
      await tx
        .deleteFrom('jobs')
        .where(whereIn(tx, 'id', ids))
        .execute();
    return old.length === JOBS || gone.length === JOBS ? { data: null } : 'done';
  };
