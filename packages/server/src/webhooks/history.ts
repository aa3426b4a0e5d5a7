import type { WatchedInput } from '@moonbase/contract/webhooks';
import { sql } from 'kysely';
import { nameKey } from '../accounts/index.ts';
import type { WebhookRow } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';
import { beginEpoch, oldestWaitingEpoch } from '../platform/events/epoch.ts';
import { resolveNames } from '../repositories/index.ts';
import { updateWebhook } from './store.ts';

/*
 * What a webhook watched, its domains and whether it was enabled, as of each event that still waits: an event is matched
 * with what held when it happened, however long it waited.
 */

/** A webhook that holds from now on. */
export type NewWebhook = Omit<WebhookRow, 'since' | 'enabled_since'>;

/** Inserts a webhook; no event from before is for it. */
export async function insertWebhook(tx: Executor, webhook: NewWebhook): Promise<WebhookRow> {
  const epoch = await beginEpoch(tx);
  const row = { ...webhook, since: epoch, enabled_since: epoch };
  await tx.insertInto('webhooks').values(row).execute();
  return row;
}

/** Changes a webhook; its state and domains until now hold for the events from before. */
export async function changeWebhook(
  tx: Executor,
  before: WebhookRow,
  change: Partial<NewWebhook>,
  now: number,
): Promise<void> {
  const { id: webhook_id, state, domains, since } = before;
  const after = { ...before, ...change };
  if (after.state === state && after.domains === domains) return updateWebhook(tx, webhook_id, change);
  const epoch = await beginEpoch(tx);
  if (state === 'enabled' && since < epoch)
    await tx
      .insertInto('webhook_versions')
      .values({ webhook_id, since, until: epoch, domains, closed_at: now })
      .execute();
  const enabled = after.state === 'enabled' && state !== 'enabled';
  await updateWebhook(tx, webhook_id, { ...change, since: epoch, ...(enabled && { enabled_since: epoch }) });
}

/** Puts the watched items in the place of the old ones, bound to what their names stand for now. */
export async function replaceWatched(
  tx: Executor,
  webhookId: string,
  items: readonly WatchedInput[],
  now: number,
): Promise<void> {
  const distinct = [...new Map(items.map((item) => [`${item.type}:${nameKey(item.name)}`, item])).values()];
  const targets = await resolveNames(tx, distinct);
  const rows = distinct.map(({ type, name }, position) => ({
    position,
    type,
    name,
    name_key: nameKey(name),
    target_id: targets[position] ?? null,
  }));
  const before = await tx
    .selectFrom('webhook_watched')
    .select(['position', 'type', 'name', 'name_key', 'target_id'])
    .where('webhook_id', '=', webhookId)
    .where('until', 'is', null)
    .orderBy('position')
    .execute();
  if (JSON.stringify(before) === JSON.stringify(rows)) return;
  const epoch = await beginEpoch(tx);
  if (before.length > 0) await closeWatched(tx, webhookId, epoch, now);
  const fresh = rows.map((row) => ({ webhook_id: webhookId, ...row, since: epoch, until: null, closed_at: null }));
  for (let from = 0; from < fresh.length; from += 500)
    await tx
      .insertInto('webhook_watched')
      .values(fresh.slice(from, from + 500))
      .execute();
}

/** What was watched until now holds for the events from before; where there were none, nothing needs it. */
async function closeWatched(tx: Executor, webhookId: string, epoch: number, now: number): Promise<void> {
  await tx
    .deleteFrom('webhook_watched')
    .where('webhook_id', '=', webhookId)
    .where('until', 'is', null)
    .where('since', '>=', epoch)
    .execute();
  await tx
    .updateTable('webhook_watched')
    .set({ until: epoch, closed_at: now })
    .where('webhook_id', '=', webhookId)
    .where('until', 'is', null)
    .execute();
}

/** So long a transaction may take that has recorded an event and is not committed yet: nobody sees that it waits. */
const UNSEEN_MS = 10 * 60 * 1000;
const BATCH = 500;

/** Deletes a batch of what no event needs any more; false when there is nothing left. */
export async function pruneHistory(tx: Executor, now: number): Promise<boolean> {
  const oldest = (await oldestWaitingEpoch(tx)) ?? Number.MAX_SAFE_INTEGER;
  const closed = sql`until <= ${oldest} and closed_at < ${now - UNSEEN_MS} order by until limit ${BATCH}`;
  const watched = await sql`
    delete from webhook_watched where (webhook_id, position, since) in (
      select webhook_id, position, since from webhook_watched where ${closed}
    )`.execute(tx);
  const versions = await sql`
    delete from webhook_versions where (webhook_id, since) in (
      select webhook_id, since from webhook_versions where ${closed}
    )`.execute(tx);
  return [watched, versions].some(({ numAffectedRows = 0n }) => numAffectedRows > 0n);
}
