import { sql } from 'kysely';
import { notDeleted, notDisabled } from '../../access/index.ts';
import {
  type Executor,
  forUpdateOf,
  forUpdateSkipLocked,
  type ReadExecutor,
} from '../../platform/database/transaction.ts';
import { hasLabel } from '../runs/store.ts';
import type { ScheduledJobRow } from '../tables.ts';

export interface ShownScheduledJob extends ScheduledJobRow {
  readonly creatorName: string;
  readonly creatorAvatar: string | null;
}

const selectShown = (executor: ReadExecutor, ownerId: string) =>
  executor
    .selectFrom('scheduled_jobs')
    .leftJoin('accounts as creators', 'creators.id', 'scheduled_jobs.created_by')
    .selectAll('scheduled_jobs')
    .select(sql<string>`coalesce(creators.name, scheduled_jobs.created_by_name)`.as('creatorName'))
    .select('creators.avatar_url as creatorAvatar')
    .where('scheduled_jobs.owner_id', '=', ownerId);

export function listScheduled(
  executor: ReadExecutor,
  ownerId: string,
  labels: readonly string[],
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<ShownScheduledJob[]> {
  let query = selectShown(executor, ownerId);
  for (const label of labels) query = query.where(hasLabel(sql.ref('scheduled_jobs.labels'), label));
  if (before !== undefined) query = query.where('scheduled_jobs.id', '<', before);
  return query.orderBy('scheduled_jobs.id', 'desc').limit(limit).execute();
}

export const findScheduled = (
  executor: ReadExecutor,
  ownerId: string,
  id: string,
): Promise<ShownScheduledJob | undefined> =>
  selectShown(executor, ownerId).where('scheduled_jobs.id', '=', id).executeTakeFirst();

/** Returns a scheduled job, locked until the end of the transaction. */
export const lockScheduled = (tx: Executor, ownerId: string, id: string): Promise<ScheduledJobRow | undefined> =>
  tx
    .selectFrom('scheduled_jobs')
    .selectAll()
    .where('id', '=', id)
    .where('owner_id', '=', ownerId)
    .modifyEnd(forUpdateOf(tx, 'scheduled_jobs'))
    .executeTakeFirst();

/** Returns a scheduled job by id, in any namespace. */
export const findScheduledById = (executor: Executor, id: string): Promise<ScheduledJobRow | undefined> =>
  executor.selectFrom('scheduled_jobs').selectAll().where('id', '=', id).executeTakeFirst();

/** Scheduled jobs of a deleted organization wait for its restoration, those of a disabled user for the user's return. */
const isAwake = sql<boolean>`${notDeleted(sql.ref('scheduled_jobs.owner_id'))} and ${notDisabled(sql.ref('scheduled_jobs.created_by'))}`;

/**
 * Returns the next due scheduled job, or the one with the id `only`, and locks it; skips jobs that another process has
 * locked.
 */
export function lockDue(tx: Executor, now: number, only?: string): Promise<ScheduledJobRow | undefined> {
  const due = tx.selectFrom('scheduled_jobs').selectAll().where('next_run_at', '<=', now).where(isAwake);
  return (only === undefined ? due : due.where('id', '=', only))
    .orderBy('next_run_at')
    .limit(1)
    .modifyEnd(forUpdateSkipLocked(tx))
    .executeTakeFirst();
}

/** Returns the ids of the due scheduled jobs, by time. */
export async function dueScheduled(executor: ReadExecutor, now: number, limit: number): Promise<string[]> {
  const rows = await executor
    .selectFrom('scheduled_jobs')
    .select('id')
    .where('next_run_at', '<=', now)
    .where(isAwake)
    .orderBy('next_run_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Postpones a scheduled job unless it was suspended or changed meanwhile. */
export async function postponeScheduled(tx: Executor, id: string, now: number, ms: number): Promise<void> {
  await tx
    .updateTable('scheduled_jobs')
    .set({ next_run_at: now + ms })
    .where('id', '=', id)
    .where('next_run_at', '<=', now)
    .execute();
}

export async function nextDueAt(executor: ReadExecutor): Promise<number | undefined> {
  const row = await executor
    .selectFrom('scheduled_jobs')
    .select((eb) => eb.fn.min('next_run_at').as('at'))
    .where('next_run_at', 'is not', null)
    .where(isAwake)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

export async function insertScheduled(tx: Executor, row: ScheduledJobRow): Promise<void> {
  await tx.insertInto('scheduled_jobs').values(row).execute();
}

export async function updateScheduled(tx: Executor, id: string, change: Partial<ScheduledJobRow>): Promise<void> {
  await tx.updateTable('scheduled_jobs').set(change).where('id', '=', id).execute();
}

export async function deleteScheduled(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('scheduled_jobs').where('id', '=', id).execute();
}

export async function countScheduled(executor: Executor, ownerId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('scheduled_jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow();
  return count;
}
