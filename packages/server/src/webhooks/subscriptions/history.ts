import type { WatchedInput } from '@moonbase/contract/webhooks/webhooks';
import { type RawBuilder, sql } from 'kysely';
import { notDisabled } from '../../access/index.ts';
import { nameKey } from '../../accounts/index.ts';
import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';
import { beginEpoch, oldestWaitingEpoch } from '../../platform/events/epoch.ts';
import { resolveNames } from '../../repositories/index.ts';
import type { WebhookRow } from '../tables.ts';
import { updateWebhook } from './store.ts';

/*
 * What a webhook watched, its domains and whether it was enabled, as of each event that still waits: an event is matched
 * with what held when it happened, however long it waited.
 */

/** A webhook that holds from now on. */
export type NewWebhook = Omit<WebhookRow, 'since' | 'enabled_since'>;

/** A change of webhooks, all of it from one epoch on: no event sees a part of it. */
export interface Change {
  readonly now: number;
  /** Begins the epoch from which it holds; asked for only where something does change. */
  readonly epoch: () => Promise<number>;
}

export function beginChange(tx: Executor, now: number): Change {
  let epoch: Promise<number> | undefined;
  return { now, epoch: () => (epoch ??= beginEpoch(tx)) };
}

/** Inserts a webhook; no event from before is for it. */
export async function insertWebhook(tx: Executor, webhook: NewWebhook, { epoch }: Change): Promise<WebhookRow> {
  const since = await epoch();
  const row = { ...webhook, since, enabled_since: since };
  await tx.insertInto('webhooks').values(row).execute();
  return row;
}

/** Changes a webhook; its state and domains until now hold for the events from before. */
export async function changeWebhook(
  tx: Executor,
  before: WebhookRow,
  wanted: Partial<NewWebhook>,
  change: Change,
): Promise<void> {
  const { id, state, domains } = before;
  const after = { ...before, ...wanted };
  if (after.state === state && after.domains === domains) return updateWebhook(tx, id, wanted);
  const since = await change.epoch();
  await keepVersions(tx, sql`id = ${id}`, since, change.now);
  const enabled = after.state === 'enabled' && state !== 'enabled';
  await updateWebhook(tx, id, { ...wanted, since, ...(enabled && { enabled_since: since }) });
}

/** Keeps what webhooks were until now, where they heard of events. */
async function keepVersions(tx: Executor, which: RawBuilder<unknown>, until: number, now: number): Promise<void> {
  await sql`
    insert into webhook_versions (webhook_id, since, until, domains, closed_at)
    select id, since, cast(${until} as bigint), domains, cast(${now} as bigint) from webhooks
    where ${which} and state = 'enabled' and since < ${until} and ${notDisabled(sql.ref('webhooks.owner_id'))}`.execute(
    tx,
  );
}

/**
 * Before a user is disabled or enabled: the webhooks of one who is disabled hear nothing, whatever they are. What they
 * were until now holds for the events from before.
 */
export async function changeOwner(tx: Executor, ownerId: string, now: number): Promise<void> {
  const ownEnabled = tx
    .selectFrom('webhooks')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'enabled');
  const rows = await ownEnabled.orderBy('id').modifyEnd(forUpdateOf(tx, 'webhooks')).execute();
  if (rows.length === 0) return;
  const since = await beginEpoch(tx);
  await keepVersions(tx, sql`owner_id = ${ownerId}`, since, now);
  await tx
    .updateTable('webhooks')
    .set({ since, enabled_since: since })
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'enabled')
    .execute();
}

/** Puts the watched items in the place of the old ones, bound to what their names stand for now. */
export async function replaceWatched(
  tx: Executor,
  webhookId: string,
  items: readonly WatchedInput[],
  change: Change,
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
  const epoch = await change.epoch();
  if (before.length > 0) await closeWatched(tx, webhookId, epoch, change.now);
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
