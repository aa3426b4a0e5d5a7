import { sql } from 'kysely';
import { factsAsValues, hasGrant, repoColumnsOf } from '../../access/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { concernsUser } from '../inbox/request-conditions.ts';
import type { NotificationKey } from './notification-store.ts';
import { PAGE } from './page-size.ts';

/** Returns what decides who may read a repository; undefined where the repository was deleted. */
export const findRepoFacts = (tx: Executor, repoId: string) =>
  tx
    .selectFrom('repositories')
    .select(['private', 'owner_id as ownerId', 'resource_group_id as groupId'])
    .where('id', '=', repoId)
    .executeTakeFirst();

interface PrivateRepo {
  readonly id: string;
  readonly ownerId: string;
  readonly groupId: string | null;
}

/** The last notification of a page, in the order of the page. */
interface Position extends NotificationKey {
  readonly updated_at: number;
}

/** Returns a page of all notifications about a private repository, each with whether its user may read it. */
export const pageOfRepo = (tx: Executor, { id, ...facts }: PrivateRepo, after: Position) =>
  tx
    .selectFrom('notifications')
    .select(['user_id', 'thread_id', 'updated_at'])
    .select(
      sql<number>`case when ${hasGrant(factsAsValues({ ...facts, private: true }), sql.ref('notifications.user_id'))} then 1 else 0 end`.as(
        'readable',
      ),
    )
    .where('source_id', '=', id)
    .where('user_id', '>=', after.user_id)
    .where(
      sql<boolean>`(user_id > ${after.user_id} or updated_at < ${after.updated_at} or (updated_at = ${after.updated_at} and thread_id > ${after.thread_id}))`,
    )
    .orderBy('user_id')
    .orderBy('updated_at', 'desc')
    .orderBy('thread_id')
    .limit(PAGE)
    .execute();

/** Repositories of an owner, or in a resource group. */
export type RepoScope = readonly [column: 'r.owner_id' | 'r.resource_group_id', id: string];

/**
 * Returns the keys of a page of users' notifications about private repositories for which the users have no grant, and about
 * requests about which they do not decide.
 */
export const unreachableKeys = (
  tx: Executor,
  userIds: readonly string[],
  [column, id]: RepoScope,
): Promise<NotificationKey[]> => {
  const facts = repoColumnsOf('r');
  return tx
    .selectFrom('repositories as r')
    .innerJoin('notifications as n', 'n.source_id', 'r.id')
    .select(['n.thread_id', 'n.user_id'])
    .where(column, '=', id)
    .where(whereIn(tx, 'n.user_id', userIds))
    .where(
      sql<boolean>`((r.private = 1 and not ${hasGrant(facts, sql.ref('n.user_id'))}) or not ${concernsUser('n', 'r.owner_id')})`,
    )
    .limit(PAGE)
    .execute();
};

/** Returns the keys of the notifications about requests for a repository of users who do not decide about them. */
export const requestKeys = (tx: Executor, repoId: string): Promise<NotificationKey[]> =>
  tx
    .selectFrom('repositories as r')
    .innerJoin('notifications as n', 'n.source_id', 'r.id')
    .select(['n.thread_id', 'n.user_id'])
    .where('r.id', '=', repoId)
    .where('n.thread_id', '=', repoId)
    .where(sql<boolean>`not ${concernsUser('n', 'r.owner_id')}`)
    .limit(PAGE)
    .execute();

/** Returns which of some users have an account. */
export async function existingUsers(tx: Executor, userIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('accounts')
    .select('id')
    .where(whereIn(tx, 'id', userIds))
    .execute();
  return rows.map(({ id }) => id);
}
