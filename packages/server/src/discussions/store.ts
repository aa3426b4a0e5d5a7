import type { DiscussionStatus } from '@moonbase/contract/webhooks/payload';
import { type SqlBool, sql } from 'kysely';
import { nameKey } from '../accounts/index.ts';
import { type CommentData, entryBytes, isAmongNewest, MAX_SHOWN_BYTES, storedEntryBytes } from '../comments/index.ts';
import { mapCooperatively } from '../platform/cooperative.ts';
import { contains } from '../platform/database/contains.ts';
import { countUpTo } from '../platform/database/count-up-to.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../platform/database/transaction.ts';
import { isOneOfMany } from '../platform/database/where-in.ts';
import { firstIdAt } from '../platform/ids.ts';
import { parseJson } from '../platform/stored-form.ts';
import type { DiscussionEventRow, DiscussionRow } from './tables.ts';

export type Discussion = DiscussionRow;

export interface DiscussionEvent<Data = unknown> extends Omit<DiscussionEventRow, 'data'> {
  readonly data: Data;
}

/** Narrows an event to a comment, whose data always has this form. */
export const isComment = (event: DiscussionEvent): event is DiscussionEvent<CommentData> => event.type === 'comment';

/** The columns of a discussion that its creator sets; the others are derived. */
export type NewDiscussion = Omit<
  Discussion,
  'pinned' | 'title_key' | 'comment_count' | 'active_at' | 'event_bytes' | 'head_sha'
>;

export interface DiscussionFilter {
  readonly type: 'all' | 'discussion' | 'pull_request';
  readonly status: 'all' | 'open' | 'closed';
  /** The name of a user. */
  readonly author?: string | undefined;
  /** Part of the title. */
  readonly search?: string | undefined;
  readonly sort: 'recently-created' | 'trending' | 'reactions';
}

const STATUSES = { open: ['draft', 'open'], closed: ['closed', 'merged'] } as const;

function matching(executor: ReadExecutor, repoId: string, { type, status, author, search }: DiscussionFilter) {
  let query = executor.selectFrom('discussions').where('repo_id', '=', repoId);
  if (type !== 'all') query = query.where('is_pull_request', '=', type === 'pull_request' ? 1 : 0);
  if (status !== 'all') query = query.where('status', 'in', STATUSES[status]);
  if (author !== undefined)
    query = query.where('author_id', '=', (eb) =>
      eb.selectFrom('accounts').select('accounts.id').where('name_key', '=', nameKey(author)),
    );
  if (search) query = query.where(contains(sql.ref('title_key'), titleKey(search)));
  return query;
}

export async function countDiscussions(
  executor: ReadExecutor,
  repoId: string,
  filter: DiscussionFilter,
): Promise<number> {
  const { count } = await matching(executor, repoId, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns a page of discussions: pinned ones first, then newest first or by latest activity. */
export function listDiscussions(
  executor: ReadExecutor,
  repoId: string,
  filter: DiscussionFilter,
  start: number,
  limit: number,
): Promise<Discussion[]> {
  const query = matching(executor, repoId, filter).selectAll('discussions').orderBy('pinned', 'desc');
  return (filter.sort === 'trending' ? query.orderBy('active_at', 'desc') : query)
    .orderBy('num', 'desc')
    .offset(start)
    .limit(limit)
    .execute();
}

const byNumber = (executor: ReadExecutor, repoId: string, num: number) =>
  executor
    .selectFrom('discussions')
    .selectAll()
    .where(isOneOfMany(executor, 'repo_id', sql`select ${repoId}`))
    .where('num', '=', num);

export const findDiscussion = (executor: ReadExecutor, repoId: string, num: number): Promise<Discussion | undefined> =>
  byNumber(executor, repoId, num).executeTakeFirst();

/** Finds a discussion and locks its row until the transaction ends. */
export const lockDiscussion = (tx: Executor, repoId: string, num: number): Promise<Discussion | undefined> =>
  byNumber(tx, repoId, num).modifyEnd(forUpdateOf(tx, 'discussions')).executeTakeFirst();

const titleKey = (title: string): string => title.toLowerCase();

/** Counts the discussions and pull requests that a user opened since a time, rounded down to a second, up to `max`. */
export const countOpened = (
  executor: ReadExecutor,
  { authorId, since, max }: { readonly authorId: string; readonly since: number; readonly max: number },
): Promise<number> =>
  countUpTo(executor, sql`from discussions where author_id = ${authorId} and id >= ${firstIdAt(since)}`, max);

/** Returns when the first of the last `count` discussions was opened that a user opened since a time. */
export async function openedBefore(
  executor: ReadExecutor,
  { authorId, since, count }: { readonly authorId: string; readonly since: number; readonly count: number },
): Promise<number | undefined> {
  const row = await executor
    .selectFrom('discussions')
    .select('created_at')
    .where('author_id', '=', authorId)
    .where('id', '>=', firstIdAt(since))
    .orderBy('id', 'desc')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.created_at;
}

export async function insertDiscussion(tx: Executor, discussion: NewDiscussion): Promise<Discussion> {
  const row: Discussion = {
    ...discussion,
    pinned: 0,
    title_key: titleKey(discussion.title),
    comment_count: 0,
    active_at: discussion.created_at,
    event_bytes: 0,
    head_sha: null,
  };
  await tx.insertInto('discussions').values(row).execute();
  return row;
}

export async function updateDiscussion(tx: Executor, id: string, change: Partial<Discussion>): Promise<void> {
  const title = change.title === undefined ? {} : { title_key: titleKey(change.title) };
  await tx
    .updateTable('discussions')
    .set({ ...change, ...title })
    .where('id', '=', id)
    .execute();
}

export async function deleteDiscussion(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('discussions').where('id', '=', id).execute();
}

/** Inserts an event and updates the discussion's activity and comment count. Returns what its events count together. */
export async function insertEvent(tx: Executor, event: DiscussionEvent): Promise<number> {
  const data = JSON.stringify(event.data);
  await tx
    .insertInto('discussion_events')
    .values({ ...event, data })
    .execute();
  const comments = event.type === 'comment' ? 1 : 0;
  const { event_bytes } = await tx
    .updateTable('discussions')
    .set((eb) => ({
      active_at: event.created_at,
      comment_count: eb('comment_count', '+', comments),
      event_bytes: eb('event_bytes', '+', entryBytes(data)),
    }))
    .where('id', '=', event.discussion_id)
    .returning('event_bytes')
    .executeTakeFirstOrThrow();
  return event_bytes;
}

/**
 * Returns the events of a discussion, oldest first; the first and the newest ones of a discussion that one response cannot
 * carry.
 */
export async function eventsOf(executor: ReadExecutor, { id, event_bytes }: Discussion): Promise<DiscussionEvent[]> {
  const rows = executor.selectFrom('discussion_events').selectAll().where('discussion_id', '=', id).orderBy('id');
  const entries = sql`discussion_events where discussion_id = ${id}`;
  const isShown = sql<SqlBool>`(id = (select min(id) from ${entries}) or ${isAmongNewest(entries)})`;
  const shown = event_bytes <= MAX_SHOWN_BYTES ? rows : rows.where(isShown);
  return mapCooperatively(await shown.execute(), (row) => ({ ...row, data: parseJson<unknown>(row.data) }));
}

/** Counts the events of a discussion. */
export async function countEvents(executor: ReadExecutor, discussionId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('discussion_events')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('discussion_id', '=', discussionId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the latest change of the status in the history of a discussion. */
export async function findLastStatusChange(executor: ReadExecutor, discussionId: string) {
  const row = await executor
    .selectFrom('discussion_events')
    .selectAll()
    .where('discussion_id', '=', discussionId)
    .where('type', '=', 'status-change')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { ...row, type: 'status-change' as const, data: parseJson<{ status: DiscussionStatus }>(row.data) };
}

export async function findComment(
  tx: Executor,
  discussionId: string,
  commentId: string,
): Promise<DiscussionEvent<CommentData> | undefined> {
  const row = await tx
    .selectFrom('discussion_events')
    .selectAll()
    .where('discussion_id', '=', discussionId)
    .where('id', '=', commentId)
    .where('type', '=', 'comment')
    .executeTakeFirst();
  return row && { ...row, data: parseJson<CommentData>(row.data) };
}

/** Updates a comment. Returns what the events of its discussion count together. */
export async function updateComment(
  tx: Executor,
  { id, discussion_id, data }: DiscussionEvent<CommentData>,
): Promise<number> {
  const text = JSON.stringify(data);
  const before = tx.selectFrom('discussion_events').select(storedEntryBytes('data').as('bytes')).where('id', '=', id);
  const { event_bytes } = await tx
    .updateTable('discussions')
    .set((eb) => ({ event_bytes: eb(eb('event_bytes', '+', entryBytes(text)), '-', before) }))
    .where('id', '=', discussion_id)
    .returning('event_bytes')
    .executeTakeFirstOrThrow();
  await tx.updateTable('discussion_events').set({ data: text }).where('id', '=', id).execute();
  return event_bytes;
}
