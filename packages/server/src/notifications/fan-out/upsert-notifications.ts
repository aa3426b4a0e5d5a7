import type { Executor } from '../../platform/database/transaction.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import type { Activity } from './activity.ts';
import { filterReaders, findNotifications, putNotifications } from './notification-store.ts';
import type { Recipient } from './recipient-store.ts';

/**
 * Puts an activity into the inboxes of users. A user has one notification per thread, which moves up and becomes unread; an
 * activity that is older than the notification changes nothing.
 */
export async function upsertNotifications(
  tx: Executor,
  inboxes: Inboxes,
  activity: Activity,
  recipients: readonly Recipient[],
): Promise<void> {
  if (recipients.length === 0) return;
  const userIds = recipients.map(({ userId }) => userId);
  await inboxes.lock(tx, userIds);
  const before = await findNotifications(tx, activity.thread.id, userIds);
  const known = new Map(before.map((row) => [row.user_id, row]));
  const readers = await filterReaders(tx, activity.thread, userIds);
  const concerned = recipients.filter(({ userId }) => {
    const row = known.get(userId);
    return readers.has(userId) && (!row || row.activity_id < activity.id);
  });
  if (concerned.length === 0) return;
  await putNotifications(tx, activity, concerned);
  await inboxes.changeCounters(
    tx,
    concerned.map(({ userId }) => ({
      userId,
      all: known.has(userId) ? 0 : 1,
      unread: known.get(userId)?.read === 0 ? 0 : 1,
    })),
  );
}
