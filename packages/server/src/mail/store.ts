import { type SqlBool, sql } from 'kysely';
import * as z from 'zod';
import { insertNew } from '../platform/database/bulk.ts';
import { type Executor, forUpdateOf, forUpdateSkipLocked } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { isNotSetAside } from '../platform/queue/dead-letter-store.ts';
import { rowQueue } from '../platform/queue/due-store.ts';
import { readStored } from '../platform/stored-form.ts';
import { TAKES_PART } from './policy.ts';
import { MAIL, type MailRow } from './tables.ts';

/** The mails that wait to be sent. */
export const MAILS = rowQueue('mails', sql<SqlBool>`state = 'waiting'`);

interface Claim {
  readonly now: number;
  readonly until: number;
  readonly limit: number;
  /** The only mails that may be claimed, by id. */
  readonly only?: readonly string[] | undefined;
}

/** Marks due mails as being sent, those due longest first, so that no other worker sends them; returns them. */
export async function claimMails(tx: Executor, { now, until, limit, only }: Claim): Promise<MailRow[]> {
  // PostgreSQL may run a subquery of `in` again for every row, and would lock further mails each time.
  const { rows } = await sql<MailRow>`
    with due as materialized (
      select id from mails where state = 'waiting' and due_at <= ${now} ${only ? sql`and ${whereIn(tx, 'id', only)}` : sql``}
      order by due_at, id limit ${limit} ${forUpdateSkipLocked(tx)}
    )
    update mails set state = 'sending', due_at = ${until}, attempts = attempts + 1
    where id in (select id from due)
    returning *`.execute(tx);
  return rows;
}

/** Fails mails whose claim ended before a time without a result: nobody knows whether they arrived. Returns their ids. */
export async function failAbandoned(executor: Executor, before: number, error: string): Promise<string[]> {
  const rows = await executor
    .updateTable('mails')
    .set({ state: 'failed', error })
    .where(sql<boolean>`state = 'sending'`)
    .where('due_at', '<=', before)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Fails a mail that was not sent; returns undefined where there is none. */
export const failUnsent = (tx: Executor, id: string, error: string) =>
  tx
    .updateTable('mails')
    .set({ state: 'failed', error })
    .where('id', '=', id)
    .where('state', 'in', ['waiting', 'sending'])
    .returning(['kind', 'created_at'])
    .executeTakeFirst();

/** Takes up a failed mail as if it were claimed for the first time; returns undefined where there is none. */
export const resumeFailed = (tx: Executor, id: string, now: number): Promise<MailRow | undefined> =>
  tx
    .updateTable('mails')
    .set({ state: 'sending', attempts: 0, created_at: now })
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .returningAll()
    .executeTakeFirst();

export async function updateMail(executor: Executor, id: string, change: Partial<MailRow>): Promise<void> {
  await executor.updateTable('mails').set(change).where('id', '=', id).execute();
}

export async function deleteMail(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('mails').where('id', '=', id).execute();
}

/** Queues a claimed mail again. Where another mail about the same thread waits by now, the two become one. */
export async function requeueMail(tx: Executor, mail: MailRow, dueAt: number, error: string | null): Promise<void> {
  const row = await tx
    .selectFrom('mails')
    .select('state')
    .where('id', '=', mail.id)
    .modifyEnd(forUpdateOf(tx, 'mails'))
    .executeTakeFirst();
  if (row?.state !== 'sending') return;
  const waiting = { state: 'waiting', due_at: dueAt, error } as const;
  if (mail.thread_id === null || mail.user_id === null) return updateMail(tx, mail.id, waiting);
  const next = await tx
    .selectFrom('mails')
    .select(['id', 'first_comment_id as first', 'kind'])
    .where('user_id', '=', mail.user_id)
    .where('thread_id', '=', mail.thread_id)
    .where(sql<boolean>`state = 'waiting'`)
    .modifyEnd(forUpdateOf(tx, 'mails'))
    .executeTakeFirst();
  if (!next) return updateMail(tx, mail.id, { ...waiting, data: null, last_comment_id: null });
  const { first_comment_id: first } = mail;
  await updateMail(tx, next.id, {
    first_comment_id: first !== null && (next.first === null || first < next.first) ? first : next.first,
    kind: mail.kind === TAKES_PART ? mail.kind : next.kind,
  });
  await deleteMail(tx, mail.id);
}

const CommentIds = z.array(z.string());

/** Returns the ids of comments, from one on, that earlier mails to the same user about the same thread contained. */
export async function mailedComments(executor: Executor, mail: MailRow, commentId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom('mails')
    .select(['id', 'data'])
    .where('user_id', '=', mail.user_id)
    .where('thread_id', '=', mail.thread_id)
    .where('last_comment_id', '>=', commentId)
    .where('id', '<>', mail.id)
    .execute();
  return rows.flatMap(({ id, data }) =>
    readStored(CommentIds, JSON.parse(data ?? '[]'), `The comments of the mail ${id}`),
  );
}

/** Deletes the oldest mails that are finished and older than an id, up to a limit. Returns how many were deleted. */
export async function deleteFinished(tx: Executor, before: string, limit: number): Promise<number> {
  const rows = await tx
    .selectFrom('mails')
    .select('id')
    .where('id', '<', before)
    .where('state', 'in', ['sent', 'failed'])
    .where(isNotSetAside('mails', 'mails.id'))
    .orderBy('id')
    .limit(limit)
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0)
    await tx
      .deleteFrom('mails')
      .where(whereIn(tx, 'id', ids))
      .execute();
  return ids.length;
}

const NEW = { first_comment_id: null, last_comment_id: null, attempts: 0, state: 'waiting', error: null } as const;

interface NewNotice {
  readonly id: string;
  /** Null: the notice names its address itself. */
  readonly userId: string | null;
  readonly kind: string;
  readonly cause: unknown;
  readonly now: number;
  /** When to send it; absent: at once. */
  readonly dueAt?: number;
}

/** Queues a notice, whose age counts from when it is due; changes nothing where a mail with this id exists. */
export async function insertNotice(
  tx: Executor,
  { id, userId, kind, cause, now, dueAt = now }: NewNotice,
): Promise<void> {
  const row = { ...NEW, id, user_id: userId, kind, thread_id: null, data: JSON.stringify(cause) };
  await insertNew(tx, 'mails', MAIL, [{ ...row, created_at: dueAt, due_at: dueAt }]);
}

/** Returns how many notices of a kind a user has caused since a time. */
export async function countNotices(executor: Executor, userId: string, kind: string, since: number): Promise<number> {
  const { count } = await executor
    .selectFrom('mails')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('thread_id', 'is', null)
    .where('kind', '=', kind)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return count;
}

export interface ThreadMail {
  readonly id: string;
  readonly userId: string;
  /** A key of the notification settings. */
  readonly kind: string;
  readonly threadId: string;
  /** Null where there is nothing to say yet: the mail is sent if a comment follows before it is due. */
  readonly commentId: string | null;
}

const EARLIER = 'mails.first_comment_id is null or excluded.first_comment_id < mails.first_comment_id';
const STRONGER = `excluded.kind = '${TAKES_PART}' and mails.kind <> excluded.kind`;

/**
 * A mail that waits for the same user and thread begins with the earlier comment of the two, by id: events may be handled
 * out of order. Taking part is a stronger reason than watching, whichever came first.
 */
const ONE_PER_THREAD = `(user_id, thread_id) where state = 'waiting' do update set
  first_comment_id = case when ${EARLIER} then excluded.first_comment_id else mails.first_comment_id end,
  kind = case when ${STRONGER} then excluded.kind else mails.kind end
  where ${EARLIER} or ${STRONGER}`;

/** Queues one mail per user and thread, due later; a mail that waits for the same user and thread covers the new one. */
export async function insertThreadMails(
  tx: Executor,
  mails: readonly ThreadMail[],
  { now, dueAt }: { readonly now: number; readonly dueAt: number },
): Promise<void> {
  const rows = mails.map(({ id, userId, kind, threadId, commentId }) => ({
    ...NEW,
    id,
    user_id: userId,
    kind,
    thread_id: threadId,
    first_comment_id: commentId,
    data: null,
    created_at: now,
    due_at: dueAt,
  }));
  await insertNew(tx, 'mails', MAIL, rows, ONE_PER_THREAD);
}
