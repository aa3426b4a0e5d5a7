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

const selectShown = (executor: ReadExecutor) =>
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
  /** Labels as `name=value`; a matching job has all of them. */
  readonly labels: readonly string[];
}

/**
 * The condition that stored labels contain a label. `like` is avoided, because its case sensitivity differs between
 * engines.
 */
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
  let query = selectShown(executor).where('jobs.owner_id', '=', ownerId).where('jobs.stage', 'in', stagesOf(filter));
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
  selectShown(executor).where('jobs.id', '=', id).where('jobs.owner_id', '=', ownerId).executeTakeFirst();

/** Returns a job by id, whoever owns it; the caller checks access. */
export const findJob = (executor: ReadExecutor, id: string): Promise<JobRow | undefined> =>
  executor.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();

/** Returns how many of the jobs exist. */
export async function countExisting(executor: ReadExecutor, ids: readonly string[]): Promise<number> {
  const { count } = await executor
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(whereIn(executor, 'id', ids))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the ids of unfinished jobs of an account. */
export const unfinishedOf = (executor: Executor, ownerId: string, limit: number): Promise<string[]> =>
  unfinished(executor, 'owner_id', ownerId, limit);

/** Returns the ids of unfinished jobs that a user created. */
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

/** Ends an unfinished job, locked by this transaction; the worker then stops its attempt. */
export async function cancel(tx: Executor, id: string, at: number, message: string): Promise<void> {
  await updateJob(tx, id, { stage: 'CANCELED', message, finished_at: at });
  await addEvent(tx, id, at, 'Canceled', message);
}

/** Returns whether a job has ended and its log is complete. */
export async function hasEnded(executor: ReadExecutor, id: string): Promise<boolean> {
  const row = await executor
    .selectFrom('jobs')
    .select('id')
    .where('id', '=', id)
    .where((eb) => eb.or([eb('finished_at', 'is', null), eb('active', 'is not', null)]))
    .executeTakeFirst();
  return row === undefined;
}

/** Returns a job, locked until the end of the transaction. */
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

/** Returns the columns from which the repositories of jobs are derived. */
export const launchesOf = (executor: ReadExecutor, ids: readonly string[]) =>
  executor
    .selectFrom('jobs')
    .select(['id', 'specification', 'sources'])
    // A payload can be long, and is needed only if no sources are stored.
    .select(sql<string | null>`case when sources is null then trigger_environment end`.as('trigger_environment'))
    .where(whereIn(executor, 'id', ids))
    .execute();

export async function updateJob(tx: Executor, id: string, change: Partial<JobRow>): Promise<void> {
  await tx.updateTable('jobs').set(change).where('id', '=', id).execute();
}

/** Returns whether a run of a scheduled job is unfinished. */
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

/** Adds an event to a job, in a transaction that has locked the job. */
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
