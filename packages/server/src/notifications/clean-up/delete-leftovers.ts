import type { Executor } from '../../platform/database/transaction.ts';
import { AGAIN } from '../../platform/events/reaction.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { deleteNotifications } from './delete-notifications.ts';
import { type Column, deletePage, keysOf } from './notification-store.ts';
import { PAGE } from './page-size.ts';

/** Deletes a page of the notifications, done or not, and participants of a deleted thread or source; returns `AGAIN` after a full page. */
export async function deleteLeftovers(
  tx: Executor,
  inboxes: Inboxes,
  column: Column,
  id: string,
): Promise<string | undefined> {
  const keys = await keysOf(tx, column, id);
  await deleteNotifications(tx, inboxes, keys);
  // After the inboxes were locked, so that these include what users are done with in the meantime.
  const done = await deletePage(tx, 'done_notifications', column, id);
  const participants = await deletePage(tx, 'thread_participants', column, id);
  return [keys.length, done, participants].includes(PAGE) ? AGAIN : undefined;
}
