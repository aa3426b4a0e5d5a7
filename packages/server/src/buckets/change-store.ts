import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { BucketChangesRow } from './tables.ts';

/** Names the changes of one transaction. */
export type ChangesKey = Pick<BucketChangesRow, 'bucket_id' | 'number' | 'at'>;

export async function insertChanges(tx: Executor, row: BucketChangesRow): Promise<void> {
  await tx.insertInto('bucket_changes').values(row).execute();
}

/** Returns the next changes of a bucket, the oldest first. */
export const changesAfter = (
  executor: ReadExecutor,
  bucketId: string,
  number: number,
  limit: number,
): Promise<BucketChangesRow[]> =>
  executor
    .selectFrom('bucket_changes')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('number', '>', number)
    .orderBy('number')
    .limit(limit)
    .execute();

/** Returns the key of the last changes of a bucket, or of those before a number. */
export const lastChanges = (
  executor: ReadExecutor,
  bucketId: string,
  before?: number,
): Promise<ChangesKey | undefined> =>
  executor
    .selectFrom('bucket_changes')
    .select(['bucket_id', 'number', 'at'])
    .where('bucket_id', '=', bucketId)
    .$if(before !== undefined, (query) => query.where('number', '<', before ?? 0))
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Returns the number of the first changes of a bucket at a time or later, among those that are kept. */
export const firstSince = async (executor: ReadExecutor, bucketId: string, at: number): Promise<number | undefined> =>
  (
    await executor
      .selectFrom('bucket_changes')
      .select('number')
      .where('bucket_id', '=', bucketId)
      .where('at', '>=', at)
      .orderBy('number')
      .limit(1)
      .executeTakeFirst()
  )?.number;

/** Returns whether the hub has the changes of a key. */
export const hasChanges = async (executor: ReadExecutor, { bucket_id, number, at }: ChangesKey): Promise<boolean> =>
  (await executor
    .selectFrom('bucket_changes')
    .select('number')
    .where('bucket_id', '=', bucket_id)
    .where('number', '=', number)
    .where('at', '=', at)
    .executeTakeFirst()) !== undefined;

/** Returns the key of the last changes that were made while their bucket was private. */
export const lastPrivateChanges = (executor: ReadExecutor, bucketId: string): Promise<ChangesKey | undefined> =>
  executor
    .selectFrom('bucket_changes')
    .select(['bucket_id', 'number', 'at'])
    .where('bucket_id', '=', bucketId)
    .where('private', '=', 1)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Deletes some changes from before a time, except the last ones of each bucket. Returns how many. */
export async function deleteOldChanges(tx: Executor, before: number, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from bucket_changes where (bucket_id, number) in (
      select old.bucket_id, old.number from bucket_changes as old
      join bucket_totals as total on total.bucket_id = old.bucket_id
      where old.at < ${before} and old.number < total.changes
      limit ${limit}
    )`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Deletes some changes of one bucket. Returns how many. */
export async function deleteSomeChanges(tx: Executor, bucketId: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('bucket_changes')
    .where('bucket_id', '=', bucketId)
    .where('number', 'in', (of) =>
      of.selectFrom('bucket_changes').select('number').where('bucket_id', '=', bucketId).limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
