import { type Expression, sql } from 'kysely';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { FileBytes } from './store.ts';

/** Files by the hash that a line of a batch has for them. */
type ByHash = Map<string, FileBytes>;

const byHash = (rows: readonly (FileBytes & { readonly hash: string })[]): ByHash =>
  new Map(rows.map(({ hash, sha256, size, xet_hash }) => [hash, { sha256, size, xet_hash }]));

/** The condition that a repository has a file, and that its bytes are sound. */
const isSound = (repoId: string, sha256: Expression<string>) => sql<boolean>`exists (
  select 1 from repo_files f join blobs b on b.sha256 = f.sha256
  where f.repo_id = ${repoId} and f.sha256 = ${sha256} and b.state = 'stored'
)`;

/** Returns those of some files that were sent to a bucket lately, and whose bytes are sound. */
export const filesSent = async (executor: ReadExecutor, bucketId: string, hashes: readonly string[]): Promise<ByHash> =>
  byHash(
    await executor
      .selectFrom('xet_uploads')
      .select(['xet_uploads.hash', 'xet_uploads.sha256', 'xet_uploads.size', 'xet_uploads.file_hash as xet_hash'])
      .where('xet_uploads.repo_id', '=', bucketId)
      .where(whereIn(executor, 'xet_uploads.hash', hashes))
      .where(isSound(bucketId, sql.ref('xet_uploads.sha256')))
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
      .select(['bucket_files.xet_hash as hash', 'bucket_files.sha256', 'bucket_files.size', 'bucket_files.xet_hash'])
      .where('bucket_files.bucket_id', '=', bucketId)
      .where(whereIn(executor, 'bucket_files.xet_hash', hashes))
      .where(isSound(bucketId, sql.ref('bucket_files.sha256')))
      .distinct()
      .execute(),
  );

/** Returns those of some files that a repository has and shows the Xet hash of. */
export const filesOfRepo = async (executor: ReadExecutor, repoId: string, hashes: readonly string[]): Promise<ByHash> =>
  byHash(
    await executor
      .selectFrom('xet_files')
      .select(['xet_files.hash as hash', 'xet_files.sha256', 'xet_files.size', 'xet_files.hash as xet_hash'])
      .where(whereIn(executor, 'xet_files.hash', hashes))
      .where(isSound(repoId, sql.ref('xet_files.sha256')))
      .$narrowType<{ hash: string; xet_hash: string }>()
      .execute(),
  );
