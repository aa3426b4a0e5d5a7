import { sql } from 'kysely';
import { readersOf } from '../../access/index.ts';
import { type Executor, isPostgres } from '../../platform/database/transaction.ts';
import { unnest, whereIn } from '../../platform/database/where-in.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { tuplesOf } from '../inbox/json-values.ts';
import { TAKES_PART, WATCHES } from '../inbox/subject.ts';
import type { NotificationRow } from '../tables.ts';
import type { Activity } from './activity.ts';
import type { Recipient } from './recipients.ts';

/** Puts an activity into the lists of users: one row for each and thread, moved up and unread. Older ones change nothing. */
export async function upsertNotifications(
  tx: Executor,
  inboxes: Inboxes,
  activity: Activity,
  recipients: readonly Recipient[],
): Promise<void> {
  if (recipients.length === 0) return;
  const userIds = recipients.map(({ userId }) => userId);
  await inboxes.hold(tx, userIds);
  // SQLite keeps to the order of a cross join: each of the users is looked up.
  const { rows: before } = await sql<Pick<NotificationRow, 'user_id' | 'read' | 'activity_id'>>`
    select n.user_id, n.read, n.activity_id from ${unnest(tx, userIds)} as told
    cross join notifications n where n.thread_id = ${activity.thread.id} and n.user_id = told.value
  `.execute(tx);
  const known = new Map(before.map((row) => [row.user_id, row]));
  const reading = await readersAmong(tx, activity, userIds);
  const concerned = recipients.filter(({ userId }) => {
    const row = known.get(userId);
    return reading.has(userId) && (!row || row.activity_id < activity.id);
  });
  if (concerned.length === 0) return;
  await put(tx, activity, concerned);
  await inboxes.shift(
    tx,
    concerned.map(({ userId }) => ({
      userId,
      all: known.has(userId) ? 0 : 1,
      unread: known.get(userId)?.read === 0 ? 0 : 1,
    })),
  );
}

/** Who may still read it now that the inboxes are held: who lost that before has been cleaned up after already. */
async function readersAmong(tx: Executor, { thread }: Activity, userIds: readonly string[]): Promise<Set<string>> {
  if (!thread.repo?.private || !isPostgres(tx)) return new Set(userIds);
  const rows = await tx
    .selectFrom('accounts')
    .select('id')
    .where(whereIn(tx, 'id', userIds))
    .where(readersOf(thread.repo, sql.ref('accounts.id')))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

async function put(tx: Executor, { id, at, eventId, thread }: Activity, recipients: readonly Recipient[]) {
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

/** Whoever writes in a thread takes part from then on, also in what the list has of it already. */
export async function noteTakingPart(tx: Executor, { thread, actorId }: Activity): Promise<void> {
  await tx
    .updateTable('notifications')
    .set({ involvement: TAKES_PART })
    .where('thread_id', '=', thread.id)
    .where('user_id', '=', actorId)
    .where('involvement', '=', WATCHES)
    .execute();
}
