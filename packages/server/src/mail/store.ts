import { sql } from 'kysely';
import { insertNew } from '../platform/database/bulk.ts';
import { type Executor, forUpdateOf, forUpdateSkipLocked } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { isNotSetAside } from '../platform/queue/dead-letters.ts';
import { TAKES_PART } from './policy.ts';
import { MAIL, type MailRow } from './tables.ts';

const NEW = { first_comment_id: null, last_comment_id: null, attempts: 0, state: 'waiting', error: null } as const;

const EARLIER = 'mails.first_comment_id is null or excluded.first_comment_id < mails.first_comment_id';
const STRONGER = `excluded.kind = '${TAKES_PART}' and mails.kind <> excluded.kind`;

/**
 * The one that waits goes back to the earlier comment: which of two was recorded first, their ids tell, not the queue.
 * A reason to take part goes before one to watch, whichever came first.
 */
const SAME_BURST = `(user_id, thread_id) where state = 'waiting' do update set
  first_comment_id = case when ${EARLIER} then excluded.first_comment_id else mails.first_comment_id end,
  kind = case when ${STRONGER} then excluded.kind else mails.kind end
  where ${EARLIER} or ${STRONGER}`;

export interface ThreadMail {
  readonly id: string;
  readonly userId: string;
  /** Key of the notification settings. */
  readonly kind: string;
  readonly threadId: string;
  /** Null: nothing to tell yet; the mail goes if a comment follows before it is due. */
  readonly commentId: string | null;
}

/** A mail to each user about a thread, due later; where one waits already, that one will tell this, too. */
export async function queueThreadMails(
  tx: Executor,
  mails: readonly ThreadMail[],
  { now, dueAt }: { readonly now: number; readonly dueAt: number },
): Promise<void> {
  const first = new Map<string, ThreadMail>();
  for (const mail of mails) {
    const key = `${mail.userId} ${mail.threadId}`;
    const known = first.get(key)?.commentId;
    if (known == null || (mail.commentId !== null && mail.commentId < known)) first.set(key, mail);
  }
  const rows = [...first.values()].map(({ id, userId, kind, threadId, commentId }) => ({
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
  // In one order, so that two events of a thread do not wait for each other in a circle.
  rows.sort((a, b) => (a.user_id < b.user_id ? -1 : 1));
  await insertNew(tx, 'mails', MAIL, rows, SAME_BURST);
}

/** A mail about one thing, due at once; nothing where this id is there already. */
export async function queueNotice(
  tx: Executor,
  mail: { id: string; userId: string; kind: string; data: unknown; now: number },
): Promise<void> {
  const { id, userId, kind, data, now } = mail;
  const row = { ...NEW, id, user_id: userId, kind, thread_id: null, data: JSON.stringify(data) };
  await insertNew(tx, 'mails', MAIL, [{ ...row, created_at: now, due_at: now }]);
}

/** How many mails of a kind a user is the reason for since a time. */
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

interface Claim {
  readonly now: number;
  readonly until: number;
  readonly limit: number;
  /** Of these alone. */
  readonly only?: readonly string[] | undefined;
}

/** Takes mails that are due, those that waited longest first: nobody else sends them any more. */
export async function claimMails(tx: Executor, { now, until, limit, only }: Claim): Promise<MailRow[]> {
  const { rows } = await sql<MailRow>`
    update mails set state = 'sending', due_at = ${until}, attempts = attempts + 1
    where id in (
      select id from mails where state = 'waiting' and due_at <= ${now} ${only ? sql`and ${whereIn(tx, 'id', only)}` : sql``}
      order by due_at, id limit ${limit} ${forUpdateSkipLocked(tx)}
    )
    returning *`.execute(tx);
  return rows;
}

/** What was being sent by somebody who has had time enough, or by anybody: whether it arrived, nobody knows. */
export async function failAbandoned(executor: Executor, before: number, error: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update mails set state = 'failed', error = ${error} where state = 'sending' and due_at <= ${before}
    returning id`.execute(executor);
  return rows.map(({ id }) => id);
}

export async function updateMail(executor: Executor, id: string, change: Partial<MailRow>): Promise<void> {
  await executor.updateTable('mails').set(change).where('id', '=', id).execute();
}

export async function deleteMail(tx: Executor, id: string): Promise<void> {
  await tx.deleteFrom('mails').where('id', '=', id).execute();
}

/** The comments of a thread, from one on, that mails have told a user. */
export async function toldSince(executor: Executor, mail: MailRow, commentId: string): Promise<string[]> {
  const rows = await executor
    .selectFrom('mails')
    .select('data')
    .where('user_id', '=', mail.user_id)
    .where('thread_id', '=', mail.thread_id)
    .where('last_comment_id', '>=', commentId)
    .where('id', '<>', mail.id)
    .execute();
  return rows.flatMap(({ data }) => JSON.parse(data ?? '[]') as string[]);
}

/** A mail that was not sent waits again. Where another about the same thread waits by now, that one takes over. */
export async function putBack(tx: Executor, mail: MailRow, dueAt: number, error: string | null): Promise<void> {
  const row = await tx
    .selectFrom('mails')
    .select('state')
    .where('id', '=', mail.id)
    .modifyEnd(forUpdateOf(tx, 'mails'))
    .executeTakeFirst();
  if (row?.state !== 'sending') return;
  const waiting = { state: 'waiting', due_at: dueAt, error } as const;
  if (mail.thread_id === null) return updateMail(tx, mail.id, waiting);
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

/** Deletes mails that are done with and older than an id, so many at the most. Returns how many went. */
export async function deleteOld(tx: Executor, before: string, limit: number): Promise<number> {
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
