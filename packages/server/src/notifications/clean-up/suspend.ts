import { settingsOf } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { OrganizationEvent } from '../../organizations/index.ts';
import { advisoryLock, type Executor } from '../../platform/database/transaction.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { counterChanges, deleteNotifications, usersOf } from './delete-notifications.ts';
import type { NotificationKey } from './notification-store.ts';
import { PAGE } from './page-size.ts';
import { copyFromSuspended, copyToSuspended, deleteSuspended, keysOfOrganization } from './suspended-store.ts';

/**
 * Handles the topic `organization`: suspends the notifications about a deleted organization and returns them to inboxes when
 * the organization is restored. The present state decides, under a lock on the organization, so that the order of events does
 * not matter.
 */
export function createSuspension({ inboxes }: { readonly inboxes: Inboxes }): Reaction<OrganizationEvent> {
  return async (tx, event) => {
    const { orgId } = event.data;
    // Waits for the fan-out of activities in the organization, and then sees all of their rows.
    await advisoryLock(tx, orgId);
    await lockAccount(tx, orgId);
    const isDeleted = (await settingsOf(tx, orgId)).deleted_at !== null;
    const keys = await keysOfOrganization(tx, isDeleted ? 'notifications' : 'hidden_notifications', orgId);
    if (keys.length > 0) await (isDeleted ? suspend(tx, keys) : restore(tx, keys));
    return keys.length === PAGE ? AGAIN : undefined;
  };

  async function suspend(tx: Executor, keys: readonly NotificationKey[]): Promise<void> {
    await copyToSuspended(tx, keys);
    await deleteNotifications(tx, inboxes, keys);
  }

  /** Notifications that were updated since stay as they are; deleted and unreadable discussions are left out. */
  async function restore(tx: Executor, keys: readonly NotificationKey[]): Promise<void> {
    await inboxes.lock(tx, usersOf(keys));
    const restored = await copyFromSuspended(tx, keys);
    await deleteSuspended(tx, keys);
    await inboxes.changeCounters(tx, counterChanges(restored, 1));
  }
}
