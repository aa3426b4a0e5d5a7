import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { notDisabled } from '../../access/index.ts';
import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';
import type { WatchedRow, WebhookRow } from '../tables.ts';

export async function insertWebhookRow(tx: Executor, row: WebhookRow): Promise<void> {
  await tx.insertInto('webhooks').values(row).execute();
}

/** One webhook by its id, or all webhooks of an owner. */
export type WebhookScope = { readonly id: string } | { readonly ownerId: string };

const isAmong = (scope: WebhookScope): RawBuilder<SqlBool> =>
  'id' in scope ? sql`id = ${scope.id}` : sql`owner_id = ${scope.ownerId}`;

/** Inserts the states that webhooks had until an epoch, for webhooks that were matched with events until then. */
export async function insertVersions(tx: Executor, scope: WebhookScope, until: number, now: number): Promise<void> {
  await sql`
    insert into webhook_versions (webhook_id, since, until, domains, closed_at)
    select id, since, cast(${until} as bigint), domains, cast(${now} as bigint) from webhooks
    where ${isAmong(scope)} and state = 'enabled' and since < ${until} and ${notDisabled(sql.ref('webhooks.owner_id'))}`.execute(
    tx,
  );
}

/** Locks the enabled webhooks of an owner, by id; returns how many there are. */
export async function lockEnabled(tx: Executor, ownerId: string): Promise<number> {
  const rows = await tx
    .selectFrom('webhooks')
    .select('id')
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'enabled')
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .execute();
  return rows.length;
}

/** Makes the current state of an owner's enabled webhooks begin at an epoch; `insertVersions` stores the one before. */
export async function restartEnabled(tx: Executor, ownerId: string, since: number): Promise<void> {
  await tx
    .updateTable('webhooks')
    .set({ since, enabled_since: since })
    .where('owner_id', '=', ownerId)
    .where('state', '=', 'enabled')
    .execute();
}

/** An item that a webhook watches now. */
export type CurrentItem = Pick<WatchedRow, 'position' | 'type' | 'name' | 'name_key' | 'target_id'>;

/** Returns what a webhook watches now, in the order it was given. */
export const currentItems = (tx: Executor, webhookId: string): Promise<CurrentItem[]> =>
  tx
    .selectFrom('webhook_watched')
    .select(['position', 'type', 'name', 'name_key', 'target_id'])
    .where('webhook_id', '=', webhookId)
    .where('until', 'is', null)
    .orderBy('position')
    .execute();

const INSERTED_ROWS = 500;

export async function insertItems(
  tx: Executor,
  webhookId: string,
  items: readonly CurrentItem[],
  since: number,
): Promise<void> {
  const rows = items.map((item) => ({ webhook_id: webhookId, ...item, since, until: null, closed_at: null }));
  for (let from = 0; from < rows.length; from += INSERTED_ROWS)
    await tx
      .insertInto('webhook_watched')
      .values(rows.slice(from, from + INSERTED_ROWS))
      .execute();
}

/** Ends what a webhook watches at an epoch; items that began in the same epoch are deleted, as no event needs them. */
export async function endItems(tx: Executor, webhookId: string, epoch: number, now: number): Promise<void> {
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

const BATCH_ROWS = 500;

/** Deletes a batch of former items and states that ended by an epoch and before a time; returns false when nothing is left. */
export async function deleteFormerItems(tx: Executor, epoch: number, before: number): Promise<boolean> {
  const former = sql`until <= ${epoch} and closed_at < ${before} order by until limit ${BATCH_ROWS}`;
  const items = await sql`
    delete from webhook_watched where (webhook_id, position, since) in (
      select webhook_id, position, since from webhook_watched where ${former}
    )`.execute(tx);
  const versions = await sql`
    delete from webhook_versions where (webhook_id, since) in (
      select webhook_id, since from webhook_versions where ${former}
    )`.execute(tx);
  return [items, versions].some(({ numAffectedRows = 0n }) => numAffectedRows > 0n);
}
