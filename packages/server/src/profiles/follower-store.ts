import { sql } from 'kysely';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';

/** An account that users may follow. */
export interface Followed {
  readonly id: string;
  readonly kind: 'user' | 'org';
  /**
   * Whether the reader may not learn who belongs to the organization. Members watch it from the day on which they join, so
   * only those who did so before are told of; they were told of already.
   */
  readonly hidesMembers: boolean;
}

const followersOf = (executor: ReadExecutor, { id, kind, hidesMembers }: Followed) => {
  const watches = executor
    .selectFrom('watches')
    .innerJoin('accounts', 'accounts.id', 'watches.user_id')
    .where('watches.target_id', '=', id)
    .where('watches.target_type', '=', kind);
  if (!hidesMembers) return watches;
  return watches.where(
    sql<boolean>`not exists (
      select 1 from memberships m
      where m.org_id = watches.target_id and m.user_id = watches.user_id and m.created_at <= watches.created_at
    )`,
  );
};

/** Returns the followers of an account in the order of their ids, the highest first. */
export function listFollowers(executor: ReadExecutor, account: Followed, before: string | undefined, limit: number) {
  const followers = followersOf(executor, account)
    .selectAll('accounts')
    .orderBy('watches.user_id', 'desc')
    .limit(limit);
  return (before === undefined ? followers : followers.where('watches.user_id', '<', before)).execute();
}

export async function countFollowers(executor: ReadExecutor, account: Followed): Promise<number> {
  const { count } = await followersOf(executor, account)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns whether `listFollowers` has a user. */
export async function isFollower(
  executor: ReadExecutor,
  account: Followed,
  userId: string | undefined,
): Promise<boolean> {
  if (userId === undefined) return false;
  const found = await followersOf(executor, account)
    .select('watches.user_id')
    .where('watches.user_id', '=', userId)
    .executeTakeFirst();
  return found !== undefined;
}

/** The users whom a user follows. */
const followedBy = (executor: ReadExecutor, userId: string) =>
  executor
    .selectFrom('watches')
    .innerJoin('accounts', 'accounts.id', 'watches.target_id')
    .where('watches.user_id', '=', userId)
    .where('watches.target_type', '=', 'user')
    .where('accounts.kind', '=', 'user');

/** Returns the users whom a user follows in the order of their ids, the highest first. */
export function listFollowed(executor: ReadExecutor, userId: string, before: string | undefined, limit: number) {
  const followed = followedBy(executor, userId).selectAll('accounts').orderBy('watches.target_id', 'desc').limit(limit);
  return (before === undefined ? followed : followed.where('watches.target_id', '<', before)).execute();
}

export async function countFollowed(executor: ReadExecutor, userId: string): Promise<number> {
  const { count } = await followedBy(executor, userId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Returns which of some users a user follows. */
export async function followedAmong(
  executor: ReadExecutor,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await followedBy(executor, userId)
    .select('accounts.id')
    .where(whereIn(executor, 'watches.target_id', ids))
    .execute();
  return new Set(rows.map(({ id }) => id));
}
