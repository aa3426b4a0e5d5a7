import type { DiscussionEventRow, DiscussionRow } from '../platform/database/tables.ts';
import { type Executor, forUpdateOf } from '../platform/database/transaction.ts';

export type Discussion = DiscussionRow;

/** What the data of a comment holds. */
export interface CommentData {
  readonly raw: string;
  readonly updatedAt: number;
  readonly hidden: boolean;
  readonly hiddenBy?: string;
  /** Account ids, in the order of their first edit. */
  readonly editors: readonly string[];
  readonly edits: number;
}

export interface DiscussionEvent<Data = unknown> extends Omit<DiscussionEventRow, 'data'> {
  readonly data: Data;
}

export const findDiscussion = (executor: Executor, repoId: string, num: number): Promise<Discussion | undefined> =>
  executor
    .selectFrom('discussions')
    .selectAll()
    .where('repo_id', '=', repoId)
    .where('num', '=', num)
    .modifyEnd(forUpdateOf(executor, 'discussions'))
    .executeTakeFirst();

export async function insertDiscussion(tx: Executor, row: Discussion): Promise<void> {
  await tx.insertInto('discussions').values(row).execute();
}

export async function updateDiscussion(tx: Executor, id: string, change: Partial<Discussion>): Promise<void> {
  await tx.updateTable('discussions').set(change).where('id', '=', id).execute();
}

export async function deleteDiscussion(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('discussions').where('id', '=', id).execute();
}

export async function insertEvent(tx: Executor, event: DiscussionEvent): Promise<void> {
  await tx
    .insertInto('discussion_events')
    .values({ ...event, data: JSON.stringify(event.data) })
    .execute();
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
  return row && { ...row, data: JSON.parse(row.data) as CommentData };
}

export async function updateComment(tx: Executor, id: string, data: CommentData): Promise<void> {
  await tx
    .updateTable('discussion_events')
    .set({ data: JSON.stringify(data) })
    .where('id', '=', id)
    .execute();
}
