import type { Executor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { XetUploadRow } from './tables.ts';

/** Records a file that was sent to a bucket. */
export async function putUpload(tx: Executor, row: XetUploadRow): Promise<void> {
  const { sha256, size, file_hash, uploaded_at } = row;
  await tx
    .insertInto('xet_uploads')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['repo_id', 'hash']).doUpdateSet({ sha256, size, file_hash, uploaded_at }),
    )
    .execute();
}

/** Notes that those of some files which a bucket was sent are sent again; returns their hashes. Damaged ones are not among them. */
export async function renewUploads(
  tx: Executor,
  repoId: string,
  hashes: readonly string[],
  now: number,
): Promise<string[]> {
  const rows = await tx
    .updateTable('xet_uploads')
    .set({ uploaded_at: now })
    .where('repo_id', '=', repoId)
    .where(whereIn(tx, 'hash', hashes))
    .where((is) =>
      is.exists(
        is
          .selectFrom('repo_files')
          .innerJoin('blobs', 'blobs.sha256', 'repo_files.sha256')
          .innerJoin('xet_files', 'xet_files.sha256', 'repo_files.sha256')
          .select('repo_files.sha256')
          .where('repo_files.repo_id', '=', repoId)
          .whereRef('repo_files.sha256', '=', 'xet_uploads.sha256')
          .where('blobs.state', '=', 'stored')
          .where('xet_files.hash', 'is not', null),
      ),
    )
    .returning('hash')
    .execute();
  return rows.map(({ hash }) => hash);
}

/** Returns the bucket of the file that was sent the longest ago, if that was before a time. */
export const bucketOfOldest = async (tx: Executor, sentBefore: number): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('xet_uploads')
      .select('repo_id')
      .where('uploaded_at', '<', sentBefore)
      .orderBy('uploaded_at')
      .limit(1)
      .executeTakeFirst()
  )?.repo_id;

/** Forgets what a bucket was sent before a time; returns the SHA-256 of each. */
export async function deleteUploads(
  tx: Executor,
  repoId: string,
  { sentBefore, limit }: { readonly sentBefore: number; readonly limit: number },
): Promise<string[]> {
  const rows = await tx
    .deleteFrom('xet_uploads')
    .where('repo_id', '=', repoId)
    // A file that was sent again since the subquery fails this condition.
    .where('uploaded_at', '<', sentBefore)
    .where('hash', 'in', (of) =>
      of
        .selectFrom('xet_uploads')
        .select('hash')
        .where('repo_id', '=', repoId)
        .where('uploaded_at', '<', sentBefore)
        .limit(limit),
    )
    .returning('sha256')
    .execute();
  return rows.map(({ sha256 }) => sha256);
}
