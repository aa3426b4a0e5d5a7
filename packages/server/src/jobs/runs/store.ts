import type { JobEvent, JobStage } from '@moonbase/contract/jobs/jobs';
import { type Expression, type SqlBool, sql } from 'kysely';
import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { JobRow } from '../tables.ts';

/** A job as it is presented, with the current name and picture of its creator. */
export type ShownJob = Pick<
  JobRow,
  | 'id'
  | 'owner_id'
  | 'created_by'
  | 'initiator_type'
  | 'initiator_id'
  | 'created_at'
  | 'started_at'
  | 'finished_at'
  | 'specification'
  | 'labels'
  | 'stage'
  | 'message'
  | 'failures'
> & { readonly creatorName: string; readonly creatorAvatar: string | null };

const shown = (executor: ReadExecutor) =>
  executor
    .selectFrom('jobs')
    .leftJoin('accounts as creators', 'creators.id', 'jobs.created_by')
    .select([
      'jobs.id',
      'jobs.owner_id',
      'jobs.created_by',
      'jobs.initiator_type',
      'jobs.initiator_id',
      'jobs.created_at',
      'jobs.started_at',
      'jobs.finished_at',
      'jobs.specification',
      'jobs.labels',
      'jobs.stage',
      'jobs.message',
      'jobs.failures',
      'creators.avatar_url as creatorAvatar',
    ])
    .select(sql<string>`coalesce(creators.name, jobs.created_by_name)`.as('creatorName'));

export interface JobFilter {
  readonly stages: readonly JobStage[];
  /** Each as `name=value`; a job has them all. */
  readonly labels: readonly string[];
}

/** The condition that stored labels have one. `like` is not used: its comparison of letter case differs by engine. */
export const hasLabel = (labels: Expression<string>, label: string) =>
  sql<SqlBool>`replace(${labels}, ${`;${label};`}, '') <> ${labels}`;

const ALL_BUT_DELETED: readonly JobStage[] = ['SCHEDULING', 'RUNNING', 'COMPLETED', 'CANCELED', 'ERROR'];
const stagesOf = ({ stages }: Pick<JobFilter, 'stages'>) => (stages.length > 0 ? stages : ALL_BUT_DELETED);

export function listJobs(
  executor: ReadExecutor,
  ownerId: string,
  filter: JobFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<ShownJob[]> {
  let query = shown(executor).where('jobs.owner_id', '=', ownerId).where('jobs.stage', 'in', stagesOf(filter));
  for (const label of filter.labels) query = query.where(hasLabel(sql.ref('jobs.labels'), label));
  if (before !== undefined) query = query.where('jobs.id', '<', before);
  return query.orderBy('jobs.id', 'desc').limit(limit).execute();
}

export async function countJobs(executor: ReadExecutor, ownerId: string, stages: readonly JobStage[]): Promise<number> {
  const { count } = await executor
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where('stage', 'in', stagesOf({ stages }))
    .executeTakeFirstOrThrow();
  return count;
}

export const findShownJob = (executor: ReadExecutor, ownerId: string, id: string): Promise<ShownJob | undefined> =>
  shown(executor).where('jobs.id', '=', id).where('jobs.owner_id', '=', ownerId).executeTakeFirst();

/** Finds a job by its id alone: the caller decides on access. */
export const findJob = (executor: ReadExecutor, id: string): Promise<JobRow | undefined> =>
  executor.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();

/** How many of these jobs exist. */
export async function countExisting(executor: ReadExecutor, ids: readonly string[]): Promise<number> {
  const { count } = await executor
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(whereIn(executor, 'id', ids))
    .executeTakeFirstOrThrow();
  return count;
}

/** The ids of jobs of an account that have not ended. */
export const unfinishedOf = (executor: Executor, ownerId: string, limit: number): Promise<string[]> =>
  unfinished(executor, 'owner_id', ownerId, limit);

/** The ids of jobs that a user has created and that have not ended. */
export const unfinishedBy = (executor: Executor, userId: string, limit: number): Promise<string[]> =>
  unfinished(executor, 'created_by', userId, limit);

async function unfinished(executor: Executor, column: 'owner_id' | 'created_by', accountId: string, limit: number) {
  const rows = await executor
    .selectFrom('jobs')
    .select('id')
    .where(column, '=', accountId)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Ends a job, whose attempt the worker then stops. The transaction must have locked the job, which must not have ended. */
export async function cancel(tx: Executor, id: string, at: number, message: string): Promise<void> {
  await updateJob(tx, id, { stage: 'CANCELED', message, finished_at: at });
  await addEvent(tx, id, at, 'Canceled', message);
}

/** Whether a job has ended and its log is complete. */
export async function hasEnded(executor: ReadExecutor, id: string): Promise<boolean> {
  const row = await executor
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', id)
    .where((eb) => eb.or([eb('finished_at', 'is', null), eb('active', 'is not', null)]))
    .executeTakeFirst();
  return row === undefined;
}

/** Finds a job and locks it until the transaction ends. */
export const lockJob = (tx: Executor, id: string): Promise<JobRow | undefined> =>
  tx.selectFrom('jobs').selectAll().where('id', '=', id).modifyEnd(forUpdateOf(tx, 'jobs')).executeTakeFirst();

/** Inserts a job unless one with its trigger key exists. Returns the id of the job with that key. */
export async function insertJob(tx: Executor, row: JobRow): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const inserted = await tx
    .insertInto('jobs')
    .values(row)
    .onConflict((conflict) => conflict.column('trigger_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted) return { id: inserted.id, isNew: true };
  const { id } = await tx
    .selectFrom('jobs')
    .select('id')
    .where('trigger_key', '=', row.trigger_key)
    .executeTakeFirstOrThrow();
  return { id, isNew: false };
}

/** The columns from which the repositories of jobs follow. */
export const launchesOf = (executor: ReadExecutor, ids: readonly string[]) =>
  executor
    .selectFrom('jobs')
    .select(['id', 'specification', 'sources'])
    // A payload can be long, and is not needed where the sources are stored.
    .select(sql<string | null>`case when sources is null then trigger_environment end`.as('trigger_environment'))
    .where(whereIn(executor, 'id', ids))
    .execute();

export async function updateJob(tx: Executor, id: string, change: Partial<JobRow>): Promise<void> {
  await tx.updateTable('jobs').set(change).where('id', '=', id).execute();
}

/** Whether a run of a scheduled job has not ended. */
export async function hasUnfinished(executor: Executor, scheduledJobId: string): Promise<boolean> {
  const row = await executor
    .selectFrom('jobs')
    .select('id')
    .where('initiator_id', '=', scheduledJobId)
    .where('initiator_type', '=', 'scheduled-job')
    .where('finished_at', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Adds an event to a job that this transaction has locked. */
export async function addEvent(
  tx: Executor,
  jobId: string,
  at: number,
  reason: JobEvent['reason'],
  message: string,
): Promise<void> {
  const last = await tx
    .selectFrom('job_events')
    .select((eb) => eb.fn.max('number').as('number'))
    .where('job_id', '=', jobId)
    .executeTakeFirst();
  const number = (last?.number ?? 0) + 1;
  await tx.insertInto('job_events').values({ job_id: jobId, number, at, reason, message }).execute();
}

export const eventsAfter = (executor: ReadExecutor, jobId: string, number: number) =>
  executor
    .selectFrom('job_events')
    .selectAll()
    .where('job_id', '=', jobId)
    .where('number', '>', number)
    .orderBy('number')
    .limit(100)
    .execute();
