import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { parseJson } from '../platform/stored-form.ts';
import type { CommentData } from './comment-data.ts';
import type { CommentRow } from './tables.ts';
import { BYTES_OF_ENTRY, entryBytes, MAX_SHOWN_BYTES, requireThreadRoom } from './thread-bytes.ts';

export interface Comment extends Omit<CommentRow, 'data'> {
  readonly data: CommentData;
}

const parsed = (row: CommentRow): Comment => ({ ...row, data: parseJson<CommentData>(row.data) });

/** Returns what an entry of a thread counts, by its column with the data. */
export const storedEntryBytes = (data: string): RawBuilder<number> =>
  sql<number>`octet_length(${sql.ref(data)}) + ${sql.lit(BYTES_OF_ENTRY)}`;

/** Returns whether an entry is among the newest ones that one response carries of some entries, `table where …`. */
export const isAmongNewest = (entries: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`id >= (
    select min(id) from (
      select id, sum(${storedEntryBytes('data')}) over (order by id desc) as bytes from ${entries}
    ) as newest
    where bytes <= ${MAX_SHOWN_BYTES}
  )`;

/** Adds to what the comments of a thread count. Returns the sum. */
async function addBytes(tx: Executor, threadId: string, added: number): Promise<number> {
  const { bytes } = await tx
    .insertInto('comment_threads')
    .values({ thread_id: threadId, bytes: added })
    .onConflict((conflict) =>
      conflict.column('thread_id').doUpdateSet((eb) => ({ bytes: eb('comment_threads.bytes', '+', added) })),
    )
    .returning('bytes')
    .executeTakeFirstOrThrow();
  return bytes;
}

/** Inserts a comment into a locked thread. Throws 409 if the thread is full. */
export async function insertComment(tx: Executor, comment: Comment): Promise<void> {
  const data = JSON.stringify(comment.data);
  requireThreadRoom(await addBytes(tx, comment.thread_id, entryBytes(data)));
  await tx
    .insertInto('comments')
    .values({ ...comment, data })
    .execute();
}

/** Returns the comments of a thread, oldest first; the newest ones of a thread that one response cannot carry. */
export async function commentsOf(executor: ReadExecutor, threadId: string): Promise<Comment[]> {
  const thread = await executor
    .selectFrom('comment_threads')
    .select('bytes')
    .where('thread_id', '=', threadId)
    .executeTakeFirst();
  const rows = executor.selectFrom('comments').selectAll().where('thread_id', '=', threadId).orderBy('id');
  if (thread === undefined || thread.bytes <= MAX_SHOWN_BYTES) return (await rows.execute()).map(parsed);
  const entries = sql`comments where thread_id = ${threadId}`;
  return (await rows.where(isAmongNewest(entries)).execute()).map(parsed);
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
  await tx.deleteFrom('comment_threads').where('thread_id', '=', threadId).execute();
  await tx.deleteFrom('comments').where('thread_id', '=', threadId).execute();
}
