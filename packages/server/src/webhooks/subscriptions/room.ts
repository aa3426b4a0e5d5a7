import { lockAccountById } from '../../accounts/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { requireRoomFor } from '../../platform/limits/own-quotas.ts';
import { countWebhooks } from './store.ts';

/** Locks an account. Throws 409 if the user has as many webhooks as the quota permits. */
export async function requireRoom(tx: Executor, userId: string, maxWebhooks: number): Promise<void> {
  const account = await lockAccountById(tx, userId);
  const given = { own: account?.webhook_quota ?? null, byDefault: maxWebhooks };
  await requireRoomFor('webhook', given, (max) => countWebhooks(tx, userId, max));
}
