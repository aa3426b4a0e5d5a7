import { sql } from 'kysely';
import { type Reader, readableBy, repoColumns } from '../access/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { firstIdAt } from '../platform/ids.ts';
import { DAY_MS } from './policy.ts';
import type { LikeRow } from './tables.ts';

/** Inserts a like; returns whether there was none of this user before. */
export async function insertLike(tx: Executor, row: LikeRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('likes')
    .values(row)
    .onConflict((conflict) => conflict.columns(['repo_id', 'user_id']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Deletes the like of a user; returns when it was given, or undefined if there was none. */
export async function deleteLike(tx: Executor, repoId: string, userId: string): Promise<number | undefined> {
  const deleted = await tx
    .deleteFrom('likes')
    .where('repo_id', '=', repoId)
    .where('user_id', '=', userId)
    .returning('created_at')
    .executeTakeFirst();
  return deleted && Number(deleted.created_at);
}

/** Deletes all likes of a user; returns the repositories. */
export const deleteLikesBy = async (tx: Executor, userId: string): Promise<string[]> =>
  (await tx.deleteFrom('likes').where('user_id', '=', userId).returning('repo_id').execute()).map(
    ({ repo_id }) => repo_id,
  );

/** Returns which of the repositories a user likes. */
export async function likedAmong(
  executor: ReadExecutor,
  userId: string,
  repoIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await executor
    .selectFrom('likes')
    .select('repo_id')
    .where('user_id', '=', userId)
    .where(whereIn(executor, 'repo_id', repoIds))
    .execute();
  return new Set(rows.map(({ repo_id }) => repo_id));
}

/** Returns the number of likes of repositories on each day since a time; days are counted from 1970. */
export const likesByDay = (executor: ReadExecutor, repoIds: readonly string[], since: number) =>
  executor
    .selectFrom('likes')
    .select(['repo_id', sql<number>`created_at / ${sql.lit(DAY_MS)}`.as('day')])
    .select((eb) => eb.fn.countAll<number>().as('likes'))
    .where(whereIn(executor, 'repo_id', repoIds))
    .where('id', '>=', firstIdAt(since))
    .groupBy(['repo_id', sql`created_at / ${sql.lit(DAY_MS)}`])
    .execute();

/** Returns the users who like a repository, the latest like first. */
export function listLikers(executor: ReadExecutor, repoId: string, after: string | undefined, limit: number) {
  const likes = executor
    .selectFrom('likes')
    .innerJoin('accounts', 'accounts.id', 'likes.user_id')
    .selectAll('accounts')
    .select('likes.id as likeId')
    .where('likes.repo_id', '=', repoId)
    .orderBy('likes.id', 'desc')
    .limit(limit);
  return (after === undefined ? likes : likes.where('likes.id', '<', after)).execute();
}

/** The likes of a user for public repositories that the reader may read. */
const publicLikes = (executor: ReadExecutor, userId: string, reader: Reader) =>
  executor
    .selectFrom('likes')
    .innerJoin('repositories', 'repositories.id', 'likes.repo_id')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .where('likes.user_id', '=', userId)
    .where('repositories.private', '=', 0)
    .where(readableBy(repoColumns, reader));

/** Returns the public repositories that a user likes, the latest like first. */
export function listLiked(
  executor: ReadExecutor,
  userId: string,
  reader: Reader,
  after: string | undefined,
  limit: number,
) {
  const likes = publicLikes(executor, userId, reader)
    .select(['likes.id', 'likes.created_at as createdAt', 'repositories.type', 'repositories.name'])
    .select('accounts.name as ownerName')
    .orderBy('likes.id', 'desc')
    .limit(limit);
  return (after === undefined ? likes : likes.where('likes.id', '<', after)).execute();
}

/** Returns the number of repositories that `listLiked` lists. */
export async function countLiked(executor: ReadExecutor, userId: string, reader: Reader): Promise<number> {
  const { count } = await publicLikes(executor, userId, reader)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
