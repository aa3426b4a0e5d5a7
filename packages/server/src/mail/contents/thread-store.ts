import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { readable, repoColumns } from '../../access/index.ts';
import type { CommentData } from '../../comments/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { hasMuted } from '../../watching/index.ts';

/** The thread of a mail, and the user whom the mail is for. */
export interface ThreadReader {
  readonly userId: string;
  readonly threadId: string;
}

/** Returns the condition that a user has muted none of the targets. */
const notMuted = (userId: string, ...targets: RawBuilder<string>[]): RawBuilder<SqlBool> =>
  sql<SqlBool>`not (${sql.join(
    targets.map((target) => hasMuted(sql.val(userId), target)),
    sql` or `,
  )})`;

/**
 * Returns a discussion that its reader may read and has not muted. With `orWatched` a reader who muted the whole
 * repository gets undefined as well.
 */
export const findDiscussion = (executor: Executor, { userId, threadId }: ThreadReader, orWatched: boolean) =>
  executor
    .selectFrom('discussions')
    .innerJoin('repositories', 'repositories.id', 'discussions.repo_id')
    .innerJoin('accounts', 'accounts.id', 'repositories.owner_id')
    .select([
      'discussions.num',
      'discussions.title',
      'repositories.type',
      'repositories.name',
      'accounts.name as owner',
      'repositories.owner_id as ownerId',
    ])
    .where('discussions.id', '=', threadId)
    .where('repositories.discussions_disabled', '=', 0)
    .where(readable(repoColumns, sql.val(userId)))
    .where(notMuted(userId, sql.ref('discussions.id'), ...(orWatched ? [sql.ref<string>('repositories.id')] : [])))
    .executeTakeFirst();

/** Returns a paper that its reader has not muted. */
export const findPaper = (executor: Executor, { userId, threadId }: ThreadReader) =>
  executor
    .selectFrom('papers')
    .select(['arxiv_id as arxivId', 'title'])
    .where('id', '=', threadId)
    .where(notMuted(userId, sql.ref('papers.id')))
    .executeTakeFirst();

/** Returns a post or an article that its reader has not muted. */
export const findPost = (executor: Executor, { userId, threadId }: ThreadReader) =>
  executor
    .selectFrom('posts')
    .innerJoin('accounts', 'accounts.id', 'posts.author_id')
    .select(['posts.kind', 'posts.slug', 'posts.title', 'posts.canonical', 'accounts.name as author'])
    .where('posts.id', '=', threadId)
    .where(notMuted(userId, sql.ref('posts.id')))
    .executeTakeFirst();

/** Matches hidden comments only: JSON escapes the quotation marks within a text, so that no text contains this. */
const HIDDEN = '%"hidden":true%';

interface CommentRange extends ThreadReader {
  /** The id of the first comment. */
  readonly first: string;
  /** The ids of comments that earlier mails contained. */
  readonly mailed: readonly string[];
}

/** Returns the next comments of a thread, by id, that others wrote, that are not hidden and that no mail contained yet. */
export async function listComments(
  executor: Executor,
  { threadId, first, userId, mailed }: CommentRange,
  limit: number,
) {
  // A thread id stands either for a discussion or for something else: one of the two tables has no such rows.
  const { rows } = await sql<{ id: string; author: string | null; data: string }>`
    select found.id, accounts.name as author, found.data from (
      select id, author_id, data from discussion_events
      where discussion_id = ${threadId} and id >= ${first} and type = 'comment'
      union all
      select id, author_id, data from comments where thread_id = ${threadId} and id >= ${first}
    ) as found left join accounts on accounts.id = found.author_id
    where (found.author_id is null or found.author_id <> ${userId})
      and found.data not like ${HIDDEN} and found.id not in ${unnest(executor, mailed)}
    order by found.id limit ${limit}`.execute(executor);
  return rows.map(({ id, author, data }) => ({
    id,
    author: author ?? undefined,
    text: parseJson<CommentData>(data),
  }));
}
