import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { FileBytes } from './store.ts';

/** Files by the hash that a line of a batch has for them. */
type ByHash = Map<string, FileBytes>;

const byHash = (rows: readonly (FileBytes & { readonly hash: string })[]): ByHash =>
  new Map(rows.map(({ hash, sha256, size, xet_hash }) => [hash, { sha256, size, xet_hash }]));

/** Returns those of some files that were sent to a bucket lately, and whose bytes are sound. */
export const filesSent = async (executor: ReadExecutor, bucketId: string, hashes: readonly string[]): Promise<ByHash> =>
  byHash(
    await executor
      .selectFrom('xet_uploads')
      .innerJoin('repo_files', (join) =>
        join
          .onRef('repo_files.repo_id', '=', 'xet_uploads.repo_id')
          .onRef('repo_files.sha256', '=', 'xet_uploads.sha256'),
      )
      .innerJoin('blobs', 'blobs.sha256', 'xet_uploads.sha256')
      .select(['xet_uploads.hash', 'xet_uploads.sha256', 'xet_uploads.size', 'xet_uploads.file_hash as xet_hash'])
      .where('xet_uploads.repo_id', '=', bucketId)
      .where(whereIn(executor, 'xet_uploads.hash', hashes))
      .where('blobs.state', '=', 'stored')
      .execute(),
  );

/** Returns those of some files that a bucket has at any path, and whose bytes are sound or that have none. */
export const filesOfBucket = async (
  executor: ReadExecutor,
  bucketId: string,
  hashes: readonly string[],
): Promise<ByHash> =>
  byHash(
    await executor
      .selectFrom('bucket_files')
      .innerJoin('repo_files', (join) =>
        join
          .onRef('repo_files.repo_id', '=', 'bucket_files.bucket_id')
          .onRef('repo_files.sha256', '=', 'bucket_files.sha256'),
      )
      .innerJoin('blobs', 'blobs.sha256', 'bucket_files.sha256')
      .select(['bucket_files.xet_hash as hash', 'bucket_files.sha256', 'bucket_files.size', 'bucket_files.xet_hash'])
      .where('bucket_files.bucket_id', '=', bucketId)
      .where(whereIn(executor, 'bucket_files.xet_hash', hashes))
      .where('blobs.state', '=', 'stored')
      .distinct()
      .execute(),
  );

/** Returns those of some files that a repository has and shows the Xet hash of. */
export const filesOfRepo = async (executor: ReadExecutor, repoId: string, hashes: readonly string[]): Promise<ByHash> =>
  byHash(
    await executor
      .selectFrom('xet_files')
      .innerJoin('repo_files', 'repo_files.sha256', 'xet_files.sha256')
      .innerJoin('blobs', 'blobs.sha256', 'xet_files.sha256')
      .select(['xet_files.hash as hash', 'xet_files.sha256', 'xet_files.size', 'xet_files.hash as xet_hash'])
      .where('repo_files.repo_id', '=', repoId)
      .where(whereIn(executor, 'xet_files.hash', hashes))
      .where('blobs.state', '=', 'stored')
      .$narrowType<{ hash: string; xet_hash: string }>()
      .execute(),
  );
