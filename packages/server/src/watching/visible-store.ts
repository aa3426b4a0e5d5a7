import { sql } from 'kysely';
import { notDeleted, readableBy, repoColumns } from '../access/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import type { List } from './target-conditions.ts';

/** The last item of the previous page. */
export interface After {
  readonly createdAt: number;
  readonly id: string;
}

/** The watches of a user on targets that the user's token may see. `accounts` is the target, or the owner of a repository. */
const visibleWatches = (executor: ReadExecutor, viewer: Principal) =>
  executor
    .selectFrom('watches')
    .leftJoin('repositories', 'repositories.id', 'watches.target_id')
    .innerJoin('accounts', (join) =>
      join.on('accounts.id', '=', sql<string>`coalesce(repositories.owner_id, watches.target_id)`),
    )
    .where('watches.user_id', '=', viewer.userId)
    .where(
      sql<boolean>`case watches.target_type
        when 'repo' then repositories.id is not null and ${readableBy(repoColumns, viewer)}
        else repositories.id is null and accounts.kind = watches.target_type
          and ${notDeleted(sql.ref('accounts.id'))} end`,
    );

/** The mutes of a user on targets that the user's token may see: everybody may see papers, posts and articles. */
const visibleMutes = (executor: ReadExecutor, viewer: Principal) =>
  executor
    .selectFrom('mutes')
    .leftJoin('discussions', 'discussions.id', 'mutes.target_id')
    .leftJoin('papers', 'papers.id', 'mutes.target_id')
    .leftJoin('posts', 'posts.id', 'mutes.target_id')
    .leftJoin('repositories', (join) =>
      join.on('repositories.id', '=', sql<string>`coalesce(discussions.repo_id, mutes.target_id)`),
    )
    .leftJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .where('mutes.user_id', '=', viewer.userId)
    .where(
      sql<boolean>`case
        when repositories.id is null then
          mutes.target_type = 'discussion' and (papers.id is not null or posts.id is not null)
        when discussions.id is null then mutes.target_type = 'repo' and ${readableBy(repoColumns, viewer)}
        else mutes.target_type = 'discussion' and repositories.discussions_disabled = 0 and ${readableBy(repoColumns, viewer)}
      end`,
    );

/** Returns which of some ids are in a user's list and visible to the user, each after its type: `repo 65a0…`. */
export async function visibleKeys(
  executor: Executor,
  list: List,
  viewer: Principal,
  ids: readonly string[],
): Promise<Set<string>> {
  const rows =
    list === 'watches'
      ? await visibleWatches(executor, viewer)
          .select(['watches.target_type as type', 'watches.target_id as id'])
          .where(whereIn(executor, 'watches.target_id', ids))
          .execute()
      : await visibleMutes(executor, viewer)
          .select(['mutes.target_type as type', 'mutes.target_id as id'])
          .where(whereIn(executor, 'mutes.target_id', ids))
          .execute();
  return new Set(rows.map(({ type, id }) => `${type} ${id}`));
}

const olderThan = (list: List, after: After | undefined) =>
  after
    ? sql<boolean>`(${sql.ref(`${list}.created_at`)}, ${sql.ref(`${list}.target_id`)}) < (${after.createdAt}, ${after.id})`
    : sql<boolean>`1 = 1`;

/** Returns a page of the visible watches of a user, the newest first. */
export const listWatches = (executor: ReadExecutor, viewer: Principal, after: After | undefined, limit: number) =>
  visibleWatches(executor, viewer)
    .select([
      'watches.target_id as id',
      'watches.target_type as type',
      'watches.created_at as createdAt',
      'accounts.id as accountId',
      'accounts.name as accountName',
      'accounts.avatar_url as avatarUrl',
      'repositories.type as repoType',
      'repositories.name as repoName',
    ])
    .where(olderThan('watches', after))
    .orderBy('watches.created_at', 'desc')
    .orderBy('watches.target_id', 'desc')
    .limit(limit)
    .execute();
export type ListedWatch = Awaited<ReturnType<typeof listWatches>>[number];

/** Returns a page of the visible mutes of a user, the newest first. */
export const listMutes = (executor: ReadExecutor, viewer: Principal, after: After | undefined, limit: number) =>
  visibleMutes(executor, viewer)
    .select([
      'mutes.target_id as id',
      'mutes.target_type as type',
      'mutes.created_at as createdAt',
      'accounts.name as ownerName',
      'repositories.type as repoType',
      'repositories.name as repoName',
      'discussions.num',
      'discussions.title as discussionTitle',
      'papers.title as paperTitle',
      'posts.title as postTitle',
      'posts.kind as postKind',
    ])
    .where(olderThan('mutes', after))
    .orderBy('mutes.created_at', 'desc')
    .orderBy('mutes.target_id', 'desc')
    .limit(limit)
    .execute();
export type ListedMute = Awaited<ReturnType<typeof listMutes>>[number];
