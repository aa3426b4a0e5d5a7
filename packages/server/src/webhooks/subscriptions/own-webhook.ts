import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { notFound } from '../../platform/http/errors.ts';
import type { WebhookRow } from '../tables.ts';
import { requireReached } from './authority.ts';
import { findWebhook, lockWebhook } from './store.ts';

export const webhookNotFound = () => notFound('You have no such webhook');

/** Returns a webhook of the caller. Throws 404 for anybody else's, 403 where the token does not reach all that it watches. */
export async function requireWebhook(
  executor: ReadExecutor,
  caller: Caller,
  id: string,
  need: 'read' | 'write',
): Promise<WebhookRow> {
  const webhook = await findWebhook(executor, caller.principal.userId, id);
  if (!webhook) throw webhookNotFound();
  await requireReached(executor, caller.principal, webhook, need);
  return webhook;
}

/** Returns a webhook of the caller to be changed, locked until the transaction ends. Throws 404 and 403 as well. */
export async function lockOwn(tx: Executor, caller: Caller, id: string): Promise<WebhookRow> {
  const webhook = await lockWebhook(tx, caller.principal.userId, id);
  if (!webhook) throw webhookNotFound();
  await requireReached(tx, caller.principal, webhook, 'write');
  return webhook;
}
