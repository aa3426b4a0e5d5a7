import type { Executor } from '../../platform/database/transaction.ts';
import type { CounterChange } from '../inbox/inbox-store.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { type CountedNotification, deleteByKey, type NotificationKey } from './notification-store.ts';

/** Returns how rows that were added (1) or deleted (-1) change the counters of their users. */
export function counterChanges(rows: readonly CountedNotification[], sign: 1 | -1): CounterChange[] {
  const changes = new Map<string, CounterChange>();
  for (const { user_id: userId, read } of rows) {
    const { all, unread } = changes.get(userId) ?? { all: 0, unread: 0 };
    changes.set(userId, { userId, all: all + sign, unread: unread + (read === 0 ? sign : 0) });
  }
  return [...changes.values()];
}

/** Returns the users of notifications, each once. */
export const usersOf = (rows: readonly { readonly user_id: string }[]): string[] => [
  ...new Set(rows.map(({ user_id }) => user_id)),
];

/** Deletes notifications of one or more users, and adjusts the counters of their inboxes. */
export async function deleteNotifications(
  tx: Executor,
  inboxes: Inboxes,
  keys: readonly NotificationKey[],
): Promise<void> {
  if (keys.length === 0) return;
  await inboxes.lock(tx, usersOf(keys));
  await inboxes.changeCounters(tx, counterChanges(await deleteByKey(tx, keys), -1));
}
