import { sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { KnownFile } from './file-store.ts';

/** What a pass over all blobs reads at once. */
interface Page {
  readonly limit: number;
  /** Whether only files of buckets are wanted. */
  readonly onlyBuckets: boolean;
}

/** Selects the name of a blob if some repository, or some bucket, has it. */
const granted = (sha256: 'blobs.sha256' | 'xet_files.sha256', { onlyBuckets }: Pick<Page, 'onlyBuckets'>) =>
  sql<string | null>`(
    select repo_files.sha256 from repo_files ${onlyBuckets ? OF_BUCKETS : NONE}
    where repo_files.sha256 = ${sql.ref(sha256)} limit 1
  )`;

const OF_BUCKETS = sql`inner join repositories on repositories.id = repo_files.repo_id and repositories.type = 'bucket'`;
const NONE = sql``;

/** Returns whether any bucket has a file. */
export const haveBucketsFiles = async (executor: ReadExecutor): Promise<boolean> =>
  (await executor
    .selectFrom('repositories')
    .innerJoin('repo_files', 'repo_files.repo_id', 'repositories.id')
    .select('repositories.id')
    .where('repositories.type', '=', 'bucket')
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Records that a file could not be read. */
export async function putFailure(
  tx: Executor,
  { sha256, size }: Pick<KnownFile, 'sha256' | 'size'>,
  retryAt: number,
): Promise<void> {
  await tx
    .insertInto('xet_files')
    .values({ sha256, size, hash: null, chunks_sha256: null, retry_at: retryAt })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet({ retry_at: retryAt }))
    .execute();
}

export interface Candidate {
  readonly sha256: string;
  readonly size: number;
  readonly isDue: boolean;
}

/** Returns the next blobs after a name, and whether their chunks are to be found out. */
export async function candidatesAfter(
  executor: ReadExecutor,
  after: string,
  { now, limit, onlyBuckets }: Page & { readonly now: number },
): Promise<Candidate[]> {
  const rows = await executor
    .selectFrom('blobs')
    .leftJoin('xet_files', 'xet_files.sha256', 'blobs.sha256')
    .leftJoin('blobs as lists', 'lists.sha256', 'xet_files.chunks_sha256')
    .select(['blobs.sha256', 'blobs.size', 'blobs.state', 'xet_files.sha256 as known', 'retry_at'])
    .select('lists.state as list')
    .select(granted('blobs.sha256', { onlyBuckets }).as('granted'))
    .where('blobs.sha256', '>', after)
    .orderBy('blobs.sha256')
    .limit(limit)
    .execute();
  return rows.map(({ sha256, size, state, known, list, retry_at, granted }) => {
    // A list may be missing in a restored hub; a failure has none.
    const isUnknown = known === null || (list !== null && list !== 'stored');
    const isRetried = retry_at !== null && retry_at <= now;
    return { sha256, size, isDue: state === 'stored' && size > 0 && granted !== null && (isUnknown || isRetried) };
  });
}

/** Returns the blobs that list the chunks of the next files after a name. */
export async function chunkListsAfter(
  executor: ReadExecutor,
  after: string,
  { limit, onlyBuckets }: Page,
): Promise<{ readonly last: string | undefined; readonly blobs: readonly string[] }> {
  const rows = await executor
    .selectFrom('xet_files')
    .select(['sha256', 'chunks_sha256'])
    .select((onlyBuckets ? granted('xet_files.sha256', { onlyBuckets }) : sql<string>`sha256`).as('wanted'))
    .where('sha256', '>', after)
    .orderBy('sha256')
    .limit(limit)
    .execute();
  return {
    last: rows.length === limit ? rows.at(-1)?.sha256 : undefined,
    blobs: rows.flatMap(({ chunks_sha256, wanted }) =>
      chunks_sha256 === null || wanted === null ? [] : [chunks_sha256],
    ),
  };
}
