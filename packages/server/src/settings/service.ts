import type { NotificationKey } from '@moonbase/contract/accounts/settings';
import { lockAccount } from '../accounts/index.ts';
import { type AuditLog, recordForSite } from '../audit-log/index.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import { amountFault, effectiveSettings, mergeSettings, type StoredSettings } from './policy.ts';
import { findStoredSettings, saveStoredSettings } from './store.ts';

export type Settings = ReturnType<typeof createSettings>;

export function createSettings({ database, audit }: { readonly database: Database; readonly audit: AuditLog }) {
  return {
    async getNotifications({ principal }: Caller) {
      const { notifications, prepaidAmount } = await findStoredSettings(database.read, principal.userId);
      return { notifications: effectiveSettings(notifications), ...(prepaidAmount !== undefined && { prepaidAmount }) };
    },

    async updateNotifications(caller: Caller, change: StoredSettings) {
      const message = amountFault(change);
      if (message) throw badRequest(`body.prepaidAmount: ${message}`, [{ path: 'body.prepaidAmount', message }]);
      await database.transaction(async (tx) => {
        await applyChange(tx, caller.principal.userId, change);
        const message = 'Changed the settings of notifications';
        await recordForSite(audit, tx, caller, { type: 'user.settings', message, data: change });
      });
    },
  };
}

/** Turns one kind of notification off, as the link in a mail does. Has no effect if it is off already. */
export const turnOff = (tx: Executor, userId: string, key: NotificationKey): Promise<void> =>
  applyChange(tx, userId, { notifications: { [key]: false } });

async function applyChange(tx: Executor, userId: string, change: StoredSettings): Promise<void> {
  // The lock prevents concurrent changes from losing each other's keys. The user of an old link may have been deleted.
  if (!(await lockAccount(tx, userId))) return;
  await saveStoredSettings(tx, userId, mergeSettings(await findStoredSettings(tx, userId), change));
}
