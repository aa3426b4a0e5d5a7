import type { Executor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';

const finishedBefore = (tx: Executor, before: number, limit: number) =>
  tx
    .selectFrom('jobs')
    .select('id')
    .where('finished_at', '<', before)
    .where('active', 'is', null)
    .orderBy('finished_at')
    .limit(limit);

/** Returns the oldest jobs that ended before a time and still have their logs. */
export async function undeletedJobs(tx: Executor, before: number, limit: number): Promise<string[]> {
  const rows = await finishedBefore(tx, before, limit).where('stage', '<>', 'DELETED').execute();
  return rows.map(({ id }) => id);
}

/** Like `undeletedJobs`, for jobs whose stage is DELETED. */
export async function deletedJobs(tx: Executor, before: number, limit: number): Promise<string[]> {
  const rows = await finishedBefore(tx, before, limit).where('stage', '=', 'DELETED').execute();
  return rows.map(({ id }) => id);
}

/** Deletes the first pieces of a log. Returns whether there may be more. */
export async function deleteLogPieces(tx: Executor, jobId: string, limit: number): Promise<boolean> {
  const pieces = await tx
    .selectFrom('job_logs')
    .select('line')
    .where('job_id', '=', jobId)
    .orderBy('line')
    .limit(limit)
    .execute();
  const last = pieces.at(-1);
  if (last) await tx.deleteFrom('job_logs').where('job_id', '=', jobId).where('line', '<=', last.line).execute();
  return pieces.length === limit;
}

export async function deleteEvents(tx: Executor, jobId: string): Promise<void> {
  await tx.deleteFrom('job_events').where('job_id', '=', jobId).execute();
}

export async function deleteJobs(tx: Executor, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .deleteFrom('jobs')
    .where(whereIn(tx, 'id', ids))
    .execute();
}
