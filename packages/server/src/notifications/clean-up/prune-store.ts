import { sql } from 'kysely';
import type { Executor } from '../../platform/database/transaction.ts';
import type { CountedNotification } from './notification-store.ts';

interface InboxAge {
  readonly user_id: string;
  /** When the oldest notification was updated; null in an empty inbox. */
  readonly oldest: number | null;
  /** When the oldest notification was updated with which the user is done; null without any. */
  readonly oldest_done: number | null;
}

/** Returns the next inboxes, by user, each with the age of its oldest notification. */
export async function nextInboxes(tx: Executor, after: string, limit: number): Promise<InboxAge[]> {
  const { rows } = await sql<InboxAge>`
    select user_id, (
      select updated_at from notifications n where n.user_id = inboxes.user_id order by updated_at limit 1
    ) as oldest, (
      select updated_at from done_notifications d where d.user_id = inboxes.user_id order by updated_at limit 1
    ) as oldest_done from inboxes where user_id > ${after} order by user_id limit ${limit}
  `.execute(tx);
  return rows;
}

/** Deletes a user's notifications in one table that were last updated before a time, the oldest first; returns them. */
export async function deleteOldest(
  tx: Executor,
  table: 'notifications' | 'done_notifications',
  userId: string,
  before: number,
  limit: number,
): Promise<CountedNotification[]> {
  const { rows } = await sql<CountedNotification>`
    delete from ${sql.table(table)} where user_id = ${userId} and thread_id in (
      select thread_id from ${sql.table(table)} where user_id = ${userId} and updated_at < ${before}
      order by updated_at limit ${limit}
    ) returning user_id, read`.execute(tx);
  return rows;
}
