import { sql } from 'kysely';
import { type Executor, isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';
import { isOneOfMany, whereIn } from '../../platform/database/where-in.ts';
import { MAIN } from '../../repositories/index.ts';
import type { RepoFileRow } from '../tables.ts';
import { lastHadBy } from './blob-row-store.ts';

/** A blob that a repository may serve, with its size and whether its bytes are sound. */
export interface GrantedFile {
  readonly sha256: string;
  readonly size: number;
  readonly sound: boolean;
}

/** The condition of a repository's file, in look-ups of some files by their hashes. */
const amongFilesOf = (executor: ReadExecutor, repoId: string) =>
  isOneOfMany(executor, 'repo_files.repo_id', sql`select ${repoId}`);

export async function findGranted(
  executor: ReadExecutor,
  repoId: string,
  sha256s: readonly string[],
): Promise<GrantedFile[]> {
  const rows = await executor
    .selectFrom('repo_files')
    .innerJoin('blobs', 'blobs.sha256', 'repo_files.sha256')
    .select(['repo_files.sha256', 'repo_files.size', 'blobs.state'])
    .where(amongFilesOf(executor, repoId))
    .where(whereIn(executor, 'repo_files.sha256', sha256s))
    .execute();
  return rows.map(({ sha256, size, state }) => ({ sha256, size, sound: state === 'stored' }));
}

/** Gives a repository a stored blob; an existing grant stays as it is. */
export async function insertGrant(tx: Executor, row: RepoFileRow): Promise<void> {
  await tx
    .insertInto('repo_files')
    .values(row)
    .onConflict((conflict) => conflict.columns(['repo_id', 'sha256']).doNothing())
    .execute();
}

/**
 * Gives a repository the sound blobs of another one: all of them, at their paths, or only some, whose paths are not known
 * yet.
 */
export async function copyGrants(
  tx: Executor,
  fromRepoId: string,
  { repo_id, pusher_id, pushed_at }: Pick<RepoFileRow, 'repo_id' | 'pusher_id' | 'pushed_at'>,
  only?: readonly string[],
): Promise<void> {
  const isCopied = only
    ? sql`repo_files.repo_id = ${fromRepoId} and ${whereIn(tx, 'repo_files.sha256', only)}`
    : sql`repo_files.repo_id = ${fromRepoId}`;
  const place = only ? sql`null, null` : sql`repo_files.filename, repo_files.ref`;
  await tx
    .updateTable('blobs')
    .set({ unused_since: null, ...lastHadBy(repo_id) })
    .where('state', '=', 'stored')
    .where('sha256', 'in', sql<string>`(select repo_files.sha256 from repo_files where ${isCopied})`)
    .execute();
  await sql`
    insert into repo_files (repo_id, sha256, size, pusher_id, pushed_at, filename, ref)
    select ${repo_id}, repo_files.sha256, repo_files.size, ${pusher_id}, ${pushed_at}, ${place}
    from repo_files inner join blobs on blobs.sha256 = repo_files.sha256
    where ${isCopied} and blobs.state = 'stored'
    on conflict (repo_id, sha256) do nothing
  `.execute(tx);
}

export interface FilePlace {
  readonly sha256: string;
  readonly filename: string;
  readonly ref: string;
}

/** Records the paths at which files were committed, for files without a recorded path. */
export async function recordPlaces(tx: Executor, repoId: string, places: readonly FilePlace[]): Promise<void> {
  if (places.length === 0) return;
  await sql`
    update repo_files set filename = places.filename, ref = places.ref from ${unnestPlaces(tx, places)}
    where repo_files.repo_id = ${repoId} and repo_files.sha256 = places.sha256 and repo_files.filename is null
  `.execute(tx);
}

const unnestPlaces = (tx: Executor, places: readonly FilePlace[]) =>
  isPostgres(tx)
    ? sql`unnest(
        ${places.map(({ sha256 }) => sha256)}::text[],
        ${places.map(({ filename }) => filename)}::text[],
        ${places.map(({ ref }) => ref)}::text[]
      ) as places (sha256, filename, ref)`
    : sql`(
        select value ->> 'sha256' as sha256, value ->> 'filename' as filename, value ->> 'ref' as ref
        from json_each(${JSON.stringify(places)})
      ) as places`;

export interface ListedFile extends RepoFileRow {
  readonly pusher: string | null;
}

/** Returns a page of a repository's files after a given one, last pushed first. */
export function listGrants(
  executor: ReadExecutor,
  repoId: string,
  after: Pick<RepoFileRow, 'pushed_at' | 'sha256'> | undefined,
  limit: number,
): Promise<ListedFile[]> {
  const files = executor
    .selectFrom('repo_files')
    .leftJoin('accounts', 'accounts.id', 'repo_files.pusher_id')
    .selectAll('repo_files')
    .select('accounts.name as pusher')
    .where('repo_files.repo_id', '=', repoId);
  const page = after
    ? files.where((is) => is(is.refTuple('pushed_at', 'sha256'), '<', is.tuple(after.pushed_at, after.sha256)))
    : files;
  return page.orderBy('pushed_at', 'desc').orderBy('sha256', 'desc').limit(limit).execute();
}

/** Deletes blobs from a repository; returns the hashes that it had. */
export async function deleteGrants(tx: Executor, repoId: string, sha256s: readonly string[]): Promise<string[]> {
  const rows = await tx
    .deleteFrom('repo_files')
    .where(amongFilesOf(tx, repoId))
    .where(whereIn(tx, 'sha256', sha256s))
    .returning('sha256')
    .execute();
  const deleted = rows.map(({ sha256 }) => sha256);
  if (deleted.length > 0)
    await tx
      .updateTable('blobs')
      .set(lastHadBy(repoId))
      .where(whereIn(tx, 'sha256', deleted))
      .execute();
  return deleted;
}

/** Deletes some of the rows that give blobs to repositories which are deleted; returns their number. */
export async function deleteGrantsOfDeleted(tx: Executor, sha256s: readonly string[], limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('repo_files')
    .where((is) =>
      is(
        is.refTuple('repo_id', 'sha256'),
        'in',
        is
          .selectFrom('repo_files as had')
          .leftJoin('repositories', 'repositories.id', 'had.repo_id')
          .select(['had.repo_id', 'had.sha256'])
          .where(whereIn(tx, 'had.sha256', sha256s))
          .where('repositories.id', 'is', null)
          .limit(limit)
          .$asTuple('repo_id', 'sha256'),
      ),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

/**
 * Returns the total size in bytes of the large files in all repositories of an account; a file counts once per
 * repository.
 */
export async function bytesOfOwner(executor: ReadExecutor, ownerId: string): Promise<number> {
  const inRepos = executor
    .selectFrom('repo_files')
    .innerJoin('repositories', 'repositories.id', 'repo_files.repo_id')
    .select(sql<number | string | null>`sum(repo_files.size)`.as('bytes'));
  const [owned, proposed] = [
    await inRepos
      .where('repositories.owner_id', '=', ownerId)
      .where('repo_files.proposer_id', 'is', null)
      .executeTakeFirst(),
    await inRepos.where('repo_files.proposer_id', '=', ownerId).executeTakeFirst(),
  ];
  return Number(owned?.bytes ?? 0) + Number(proposed?.bytes ?? 0);
}

/** Which proposed files of a repository: some, or those that were first committed to a ref. */
export type Proposed = { readonly sha256s: readonly string[] } | { readonly ref: string };

const isProposed = (executor: ReadExecutor, repoId: string, proposed: Proposed) =>
  sql<boolean>`repo_files.repo_id = ${repoId} and repo_files.proposer_id is not null and ${
    'ref' in proposed ? sql`repo_files.ref = ${proposed.ref}` : whereIn(executor, 'repo_files.sha256', proposed.sha256s)
  }`;

/** Returns the total size in bytes of proposed files; undefined if there are none. */
export async function bytesProposed(
  executor: ReadExecutor,
  repoId: string,
  proposed: Proposed,
): Promise<number | undefined> {
  const row = await executor
    .selectFrom('repo_files')
    .select(sql<number | string | null>`sum(size)`.as('bytes'))
    .where(isProposed(executor, repoId, proposed))
    .executeTakeFirst();
  return row?.bytes == null ? undefined : Number(row.bytes);
}

/** Lets proposed files count for the owner of the repository. */
export async function adoptProposed(tx: Executor, repoId: string, proposed: Proposed): Promise<void> {
  await tx
    .updateTable('repo_files')
    .set({ proposer_id: null })
    .where(isProposed(tx, repoId, proposed))
    .execute();
}

/** Forgets at which paths the proposed files of a ref were committed, because the ref is deleted. */
export async function forgetPlacesAt(tx: Executor, repoId: string, ref: string): Promise<void> {
  await tx
    .updateTable('repo_files')
    .set({ filename: null, ref: null })
    .where(isProposed(tx, repoId, { ref }))
    .execute();
}

/** Returns those of some files that repositories got before a time and that no commit was recorded for. */
export const findUncommitted = (
  executor: ReadExecutor,
  sha256s: readonly string[],
  pushedBefore: number,
): Promise<UncommittedFile[]> =>
  executor
    .selectFrom('repo_files')
    .innerJoin('repositories', 'repositories.id', 'repo_files.repo_id')
    .select(['repo_files.repo_id', 'repo_files.sha256', 'repo_files.size', 'repo_files.proposer_id'])
    .where(whereIn(executor, 'repo_files.sha256', sha256s))
    .where('repo_files.ref', 'is', null)
    .where('repo_files.pushed_at', '<', pushedBefore)
    // Files of buckets are in no commits; buckets delete those that nobody gave a path.
    .where('repositories.type', '<>', 'bucket')
    .execute();

export type UncommittedFile = Pick<RepoFileRow, 'repo_id' | 'sha256' | 'size' | 'proposer_id'>;

/**
 * Records that a file is in a commit of which nothing is known. A proposed one stays as it is: the ref of its pull request
 * may be deleted, and its objects go later.
 */
export async function recordCommitted(tx: Executor, { repo_id, sha256 }: UncommittedFile): Promise<void> {
  await tx
    .updateTable('repo_files')
    .set({ ref: MAIN })
    .where('repo_id', '=', repo_id)
    .where('sha256', '=', sha256)
    .where('ref', 'is', null)
    .where('proposer_id', 'is', null)
    .execute();
}

/** Deletes a file from a repository unless a commit was recorded for it in the meantime. */
export async function deleteUncommitted(
  tx: Executor,
  { repo_id, sha256 }: UncommittedFile,
  pushedBefore: number,
): Promise<void> {
  await tx
    .deleteFrom('repo_files')
    .where('repo_id', '=', repo_id)
    .where('sha256', '=', sha256)
    .where('ref', 'is', null)
    .where('pushed_at', '<', pushedBefore)
    .execute();
  await tx.updateTable('blobs').set(lastHadBy(repo_id)).where('sha256', '=', sha256).execute();
}

/** Returns the total size in bytes of the large files of a repository that count for its owner. */
export async function bytesForOwner(executor: ReadExecutor, repoId: string): Promise<number> {
  const row = await executor
    .selectFrom('repo_files')
    .select(sql<number | string | null>`sum(size)`.as('bytes'))
    .where('repo_id', '=', repoId)
    .where('proposer_id', 'is', null)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

/** Returns the number and the total size of a repository's large files. */
export async function totalOfRepo(executor: ReadExecutor, repoId: string): Promise<{ files: number; bytes: number }> {
  const row = await executor
    .selectFrom('repo_files')
    .select(sql<number | string>`count(*)`.as('files'))
    .select(sql<number | string | null>`sum(size)`.as('bytes'))
    .where('repo_id', '=', repoId)
    .executeTakeFirst();
  return { files: Number(row?.files ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/** Returns the total size in bytes of the given files of a repository that no other ref had first. */
export async function bytesCommittedFirstAt(
  executor: ReadExecutor,
  repoId: string,
  ref: string,
  sha256s: readonly string[],
): Promise<number> {
  if (sha256s.length === 0) return 0;
  const row = await executor
    .selectFrom('repo_files')
    .select(sql<number | string | null>`sum(size)`.as('bytes'))
    .where(amongFilesOf(executor, repoId))
    .where(whereIn(executor, 'sha256', sha256s))
    .where((is) => is.or([is('ref', 'is', null), is('ref', '=', ref)]))
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}
