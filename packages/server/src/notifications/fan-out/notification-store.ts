import { sql } from 'kysely';
import { readersOf } from '../../access/index.ts';
import { tuplesOf } from '../../platform/database/packed/json-values.ts';
import { type Executor, isPostgres } from '../../platform/database/transaction.ts';
import { unnest, whereIn } from '../../platform/database/where-in.ts';
import { TAKES_PART, WATCHES } from '../inbox/subject.ts';
import type { NotificationRow } from '../tables.ts';
import type { Activity } from './activity.ts';
import type { Recipient } from './recipient-store.ts';
import type { Thread } from './thread-store.ts';

export type KnownNotification = Pick<NotificationRow, 'user_id' | 'read' | 'activity_id'>;

/** Returns the notifications that users have of a thread. */
export async function findNotifications(
  tx: Executor,
  threadId: string,
  userIds: readonly string[],
): Promise<KnownNotification[]> {
  // SQLite keeps the order of a cross join: it looks up each of the users.
  const { rows } = await sql<KnownNotification>`
    select n.user_id, n.read, n.activity_id from ${unnest(tx, userIds)} as told
    cross join notifications n where n.thread_id = ${threadId} and n.user_id = told.value
  `.execute(tx);
  return rows;
}

/**
 * Returns which users may still read a thread, now that their inboxes are locked. On PostgreSQL a user may have lost access
 * since the recipients were chosen, and the clean-up after that loss has passed already.
 */
export async function filterReaders(tx: Executor, { repo }: Thread, userIds: readonly string[]): Promise<Set<string>> {
  if (!repo?.private || !isPostgres(tx)) return new Set(userIds);
  const rows = await tx
    .selectFrom('accounts')
    .select('id')
    .where(whereIn(tx, 'id', userIds))
    .where(readersOf(repo, sql.ref('accounts.id')))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Inserts unread notifications of an activity, or moves the users' notifications of its thread up and marks them unread. */
export async function putNotifications(
  tx: Executor,
  { id, at, eventId, thread }: Activity,
  recipients: readonly Pick<Recipient, 'userId' | 'involvement'>[],
): Promise<void> {
  const tuples = JSON.stringify(recipients.map(({ userId, involvement }) => [userId, involvement]));
  await sql`
    insert into notifications
      (thread_id, user_id, subject, source_id, involvement, updated_at, read, activity_id, event_id)
    select cast(${thread.id} as text), told.id, cast(${thread.subject} as text), cast(${thread.sourceId} as text),
      told.involvement, cast(${at} as bigint), 0, cast(${id} as text), cast(${eventId} as text)
    from ${tuplesOf(tx, tuples, ['id', 'involvement'])} as told where true order by told.id
    on conflict (user_id, thread_id) do update set
      involvement = case when excluded.involvement > notifications.involvement
        then excluded.involvement else notifications.involvement end,
      updated_at = excluded.updated_at,
      read = 0,
      activity_id = excluded.activity_id,
      event_id = excluded.event_id
  `.execute(tx);
}

/** Marks the actor of an activity as a participant in an existing notification of the thread. */
export async function markTakingPart(tx: Executor, { thread, actorId }: Activity): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ involvement: TAKES_PART })
    .where('thread_id', '=', thread.id)
    .where('user_id', '=', actorId)
    .where('involvement', '=', WATCHES)
    .execute();
}
