import type { CommentRow } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { CommentData } from './comment-data.ts';

export interface Comment extends Omit<CommentRow, 'data'> {
  readonly data: CommentData;
}

export async function insertComment(tx: Executor, comment: Comment): Promise<void> {
  await tx
    .insertInto('comments')
    .values({ ...comment, data: JSON.stringify(comment.data) })
    .execute();
}

/** The comments of a thread, the oldest first. */
export async function commentsOf(executor: Executor, threadId: string): Promise<Comment[]> {
  const rows = await executor
    .selectFrom('comments')
    .selectAll()
    .where('thread_id', '=', threadId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as CommentData }));
}

export const hasComment = async (executor: Executor, threadId: string, commentId: string): Promise<boolean> =>
  (await executor
    .selectFrom('comments')
    .select('id')
    .where('thread_id', '=', threadId)
    .where('id', '=', commentId)
    .executeTakeFirst()) !== undefined;

export async function deleteCommentsOf(tx: Executor, threadId: string): Promise<void> {
  await tx.deleteFrom('comments').where('thread_id', '=', threadId).execute();
}
