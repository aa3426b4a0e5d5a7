import { type SqlBool, sql } from 'kysely';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { nameIfReadable } from '../names/repo-name-conditions.ts';
import type { Page } from '../section.ts';

/** The condition that somebody else has changed the title of the row of `discussions`. */
const isRenamedByOthers = (userId: string) => sql<number>`case when exists (
  select 1 from discussion_events renamed where renamed.discussion_id = discussions.id and renamed.type = 'title-change'
    and (renamed.author_id is null or renamed.author_id <> ${userId})
) then 1 else 0 end`;

/** Returns the discussions and pull requests that a user opened. */
export const discussionsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('discussions')
    .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
    .innerJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
    .select(['discussions.id', 'discussions.num', 'discussions.title', 'discussions.status'])
    .select(['discussions.is_pull_request', 'discussions.created_at', 'repositories.type as repoType'])
    .select([nameIfReadable(userId).as('repoName'), isRenamedByOthers(userId).as('renamedByOthers')])
    .where('discussions.author_id', '=', userId)
    .where('discussions.id', '>', after?.id ?? '')
    .orderBy('discussions.id')
    .limit(limit)
    .execute();

/** Returns the comments of a user in discussions, or what else the user did there. */
export const discussionEventsOf =
  (what: 'comments' | 'changes') =>
  (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
    executor
      .selectFrom('discussion_events')
      .innerJoin('discussions', 'discussions.id', 'discussion_events.discussion_id')
      .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
      .innerJoin('accounts as owners', 'owners.id', 'repositories.owner_id')
      .select(['discussion_events.id', 'discussion_events.type', 'discussion_events.created_at'])
      .select(['discussion_events.data', 'discussion_events.discussion_id', 'discussions.num', 'discussions.title'])
      .select(['repositories.type as repoType', nameIfReadable(userId).as('repoName')])
      .where('discussion_events.author_id', '=', userId)
      .where('discussion_events.id', '>', after?.id ?? '')
      .where('discussion_events.type', what === 'comments' ? '=' : '<>', 'comment')
      .orderBy('discussion_events.id')
      .limit(limit)
      .execute();

/** Returns the comments of a user on papers, posts and articles, which everybody may read. */
export const commentsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('comments')
    .leftJoin('papers', 'papers.id', 'comments.thread_id')
    .leftJoin('posts', 'posts.id', 'comments.thread_id')
    .leftJoin('accounts as posters', 'posters.id', 'posts.author_id')
    .select(['comments.id', 'comments.thread_type', 'comments.thread_id', 'comments.reply_to'])
    .select(['comments.created_at', 'comments.data', 'papers.arxiv_id', 'posts.slug', 'posters.name as poster'])
    .where('comments.author_id', '=', userId)
    .where('comments.id', '>', after?.id ?? '')
    .orderBy('comments.id')
    .limit(limit)
    .execute();

/** Returns the posts and articles of a user. */
export function postsOf(
  executor: ReadExecutor,
  { userId, after, limit }: Page<{ kind: 'post' | 'article'; slug: string }>,
) {
  const rows = executor.selectFrom('posts').selectAll().where('author_id', '=', userId);
  const rest = after ? rows.where(sql<SqlBool>`(kind, slug) > (${after.kind}, ${after.slug})`) : rows;
  return rest.orderBy('kind').orderBy('slug').limit(limit).execute();
}

/** Returns the entries of papers that name a user as an author. */
export const authorshipsOf = (executor: ReadExecutor, { userId, after, limit }: Page<{ id: string }>) =>
  executor
    .selectFrom('paper_authors')
    .innerJoin('papers', 'papers.id', 'paper_authors.paper_id')
    .select(['paper_authors.id', 'paper_authors.name', 'paper_authors.status', 'papers.arxiv_id'])
    .where('paper_authors.user_id', '=', userId)
    .where('paper_authors.id', '>', after?.id ?? '')
    .orderBy('paper_authors.id')
    .limit(limit)
    .execute();
