import type { Executor } from '../../platform/database/transaction.ts';
import { AGAIN } from '../../platform/events/reaction.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { deleteNotifications } from './delete-notifications.ts';
import { type Column, deleteParticipants, keysOf } from './notification-store.ts';
import { PAGE } from './page-size.ts';

/** Deletes a page of the notifications and participants of a deleted thread or source; returns `AGAIN` after a full page. */
export async function deleteLeftovers(
  tx: Executor,
  inboxes: Inboxes,
  column: Column,
  id: string,
): Promise<string | undefined> {
  const keys = await keysOf(tx, column, id);
  await deleteNotifications(tx, inboxes, keys);
  const participants = await deleteParticipants(tx, column, id);
  return keys.length === PAGE || participants === PAGE ? AGAIN : undefined;
}
