import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { parseJson } from '../platform/stored-form.ts';
import type { CommentData } from './comment-data.ts';
import type { CommentRow } from './tables.ts';

export interface Comment extends Omit<CommentRow, 'data'> {
  readonly data: CommentData;
}

const parsed = (row: CommentRow): Comment => ({ ...row, data: parseJson<CommentData>(row.data) });

export async function insertComment(tx: Executor, comment: Comment): Promise<void> {
  await tx
    .insertInto('comments')
    .values({ ...comment, data: JSON.stringify(comment.data) })
    .execute();
}

/** Returns the comments of a thread, oldest first. */
export async function commentsOf(executor: ReadExecutor, threadId: string): Promise<Comment[]> {
  const rows = await executor
    .selectFrom('comments')
    .selectAll()
    .where('thread_id', '=', threadId)
    .orderBy('id')
    .execute();
  return rows.map(parsed);
}

export async function findComment(
  executor: Executor,
  threadId: string,
  commentId: string,
): Promise<Comment | undefined> {
  const row = await executor
    .selectFrom('comments')
    .selectAll()
    .where('thread_id', '=', threadId)
    .where('id', '=', commentId)
    .executeTakeFirst();
  return row && parsed(row);
}

export async function updateComment(tx: Executor, id: string, data: CommentData): Promise<void> {
  await tx
    .updateTable('comments')
    .set({ data: JSON.stringify(data) })
    .where('id', '=', id)
    .execute();
}

/** Returns the number of comments of threads; threads without comments are omitted. */
export async function countComments(
  executor: ReadExecutor,
  threadIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await executor
    .selectFrom('comments')
    .select(['thread_id', (eb) => eb.fn.countAll<number>().as('count')])
    .where(whereIn(executor, 'thread_id', threadIds))
    .groupBy('thread_id')
    .execute();
  return new Map(rows.map((row) => [row.thread_id, row.count]));
}

export async function deleteCommentsOf(tx: Executor, threadId: string): Promise<void> {
  await tx.deleteFrom('comments').where('thread_id', '=', threadId).execute();
}
