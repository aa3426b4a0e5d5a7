import { sql } from 'kysely';
import { insertNew } from '../platform/database/bulk.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { BucketTotal } from '../repositories/index.ts';
import { BUCKET_FILE, type BucketFileRow } from './tables.ts';

/** The bytes of a file: a blob, and the hash by which clients of Xet download it. */
export type FileBytes = Pick<BucketFileRow, 'sha256' | 'size' | 'xet_hash'>;

/** Returns the files of a bucket at some paths. */
export const filesAt = (executor: ReadExecutor, bucketId: string, paths: readonly string[]): Promise<BucketFileRow[]> =>
  executor
    .selectFrom('bucket_files')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where(whereIn(executor, 'path', paths))
    .execute();

/** Puts files at their paths. */
export const putFiles = (tx: Executor, rows: readonly BucketFileRow[]): Promise<void> =>
  insertNew(
    tx,
    'bucket_files',
    BUCKET_FILE,
    rows,
    `(bucket_id, path) do update set sha256 = excluded.sha256, xet_hash = excluded.xet_hash, size = excluded.size,
      mtime = excluded.mtime, uploaded_at = excluded.uploaded_at, content_type = excluded.content_type`,
  );

export async function deleteFiles(tx: Executor, bucketId: string, paths: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('bucket_files')
    .where('bucket_id', '=', bucketId)
    .where(whereIn(tx, 'path', paths))
    .execute();
}

/** Adds to the totals of a bucket. Returns how often they have changed. */
export async function changeTotal(tx: Executor, bucketId: string, { files, bytes }: BucketTotal): Promise<number> {
  const { changes } = await tx
    .insertInto('bucket_totals')
    .values({ bucket_id: bucketId, files, bytes, changes: 1 })
    .onConflict((conflict) =>
      conflict.column('bucket_id').doUpdateSet({
        files: sql`bucket_totals.files + excluded.files`,
        bytes: sql`bucket_totals.bytes + excluded.bytes`,
        changes: sql`bucket_totals.changes + 1`,
      }),
    )
    .returning('changes')
    .executeTakeFirstOrThrow();
  return changes;
}

/** Returns the totals of those of some buckets that ever had a file. */
export async function totalsOf(executor: ReadExecutor, ids: readonly string[]): Promise<Map<string, BucketTotal>> {
  const rows = await executor
    .selectFrom('bucket_totals')
    .selectAll()
    .where(whereIn(executor, 'bucket_id', ids))
    .execute();
  return new Map(rows.map(({ bucket_id, files, bytes }) => [bucket_id, { files, bytes }]));
}

/** Returns those of some blobs that neither a file of a bucket nor a recent upload to it needs. */
export const notNeeded = async (tx: Executor, bucketId: string, sha256s: readonly string[]): Promise<string[]> =>
  (
    await tx
      .selectFrom('repo_files')
      .select('sha256')
      .where('repo_id', '=', bucketId)
      .where(whereIn(tx, 'sha256', sha256s))
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('bucket_files')
              .select('path')
              .where('bucket_id', '=', bucketId)
              .whereRef('bucket_files.sha256', '=', 'repo_files.sha256'),
          ),
        ),
      )
      .where((is) =>
        is.not(
          is.exists(
            is
              .selectFrom('xet_uploads')
              .select('hash')
              .where('xet_uploads.repo_id', '=', bucketId)
              .whereRef('xet_uploads.sha256', '=', 'repo_files.sha256'),
          ),
        ),
      )
      .execute()
  ).map(({ sha256 }) => sha256);

/** Returns a deleted bucket whose rows are still there. */
export const deletedBucket = async (tx: Executor): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('bucket_totals')
      .leftJoin('repositories', 'repositories.id', 'bucket_totals.bucket_id')
      .select('bucket_totals.bucket_id')
      .where('repositories.id', 'is', null)
      .limit(1)
      .executeTakeFirst()
  )?.bucket_id;

/** Deletes some rows of a bucket; returns whether all are gone. */
export async function deleteSomeRows(tx: Executor, bucketId: string, limit: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('bucket_files')
    .where('bucket_id', '=', bucketId)
    .where('path', 'in', (of) =>
      of.selectFrom('bucket_files').select('path').where('bucket_id', '=', bucketId).limit(limit),
    )
    .executeTakeFirstOrThrow();
  if (Number(numDeletedRows) === limit) return false;
  await tx.deleteFrom('bucket_totals').where('bucket_id', '=', bucketId).execute();
  return true;
}
