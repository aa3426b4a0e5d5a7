import type { NotificationKey } from '@moonbase/contract/accounts/settings';
import { lockAccount } from '../accounts/index.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest } from '../platform/http/errors.ts';
import { amountFault, effective, type Given, merged } from './policy.ts';
import { findGiven, saveGiven } from './store.ts';

export type Settings = ReturnType<typeof createSettings>;

export function createSettings({ database }: { readonly database: Database }) {
  return {
    async getNotifications({ principal }: Caller) {
      const { notifications, prepaidAmount } = await findGiven(database.read, principal.userId);
      return { notifications: effective(notifications), ...(prepaidAmount !== undefined && { prepaidAmount }) };
    },

    async updateNotifications({ principal }: Caller, change: Given) {
      const message = amountFault(change);
      if (message) throw badRequest(`body.prepaidAmount: ${message}`, [{ path: 'body.prepaidAmount', message }]);
      await database.transaction((tx) => applyChange(tx, principal.userId, change));
    },
  };
}

/** Turns one kind of notification off, as the link in a mail of that kind does. Nothing happens where it is off. */
export const turnOff = (tx: Executor, userId: string, key: NotificationKey): Promise<void> =>
  applyChange(tx, userId, { notifications: { [key]: false } });

async function applyChange(tx: Executor, userId: string, change: Given): Promise<void> {
  // Two changes at once would each miss the keys of the other. Who follows an old link may be gone.
  if (!(await lockAccount(tx, userId))) return;
  await saveGiven(tx, userId, merged(await findGiven(tx, userId), change));
}
