import type { DeliveryStatus } from '@moonbase/contract/webhooks';
import { sql } from 'kysely';
import { readable } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { DeliveryAttemptRow, DeliveryRow } from '../platform/database/tables.ts';
import { type Executor, forUpdateOf } from '../platform/database/transaction.ts';
import { firstIdAt } from '../platform/ids.ts';

/** The repository of a delivery as it is now, or as it was where it is gone: what access is judged by. */
const currentRepo = {
  private: sql<number>`coalesce(repositories.private, deliveries.repo_private)`,
  ownerId: sql<string>`coalesce(repositories.owner_id, deliveries.repo_owner_id)`,
};

export async function insertDeliveries(tx: Executor, rows: readonly DeliveryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += 200) {
    await tx
      .insertInto('deliveries')
      .values(rows.slice(from, from + 200))
      .onConflict((conflict) => conflict.columns(['webhook_id', 'trigger_key']).doNothing())
      .execute();
  }
}

/** What sending needs, in one read: the delivery, its webhook and the payload; only what this lease still holds. */
export const loadForSending = (executor: Executor, ids: readonly string[], lease: string) =>
  executor
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .leftJoin('repositories', 'repositories.id', 'deliveries.repo_id')
    .select([
      'deliveries.id as id',
      'deliveries.webhook_id as webhookId',
      'deliveries.kind as kind',
      'deliveries.attempts as attempts',
      'webhooks.url as url',
      'webhooks.state as state',
      'webhooks.secret as secret',
      'webhooks.old_secret as oldSecret',
      'webhooks.old_secret_until as oldSecretUntil',
      'events.data as eventData',
    ])
    .select(readable(currentRepo, sql.ref('webhooks.owner_id')).as('readable'))
    .where('deliveries.id', 'in', ids)
    .where('deliveries.lease', '=', lease)
    .execute();

export type Sendable = Awaited<ReturnType<typeof loadForSending>>[number];

/** Whether this lease still holds the delivery; if so, the row is locked until the transaction ends. */
export async function lockHeld(tx: Executor, id: string, lease: string): Promise<boolean> {
  const row = await tx
    .selectFrom('deliveries')
    .select('id')
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', '=', 'pending')
    .modifyEnd(forUpdateOf(tx, 'deliveries'))
    .executeTakeFirst();
  return row !== undefined;
}

/** Records a delivery as it is after an attempt, if this lease still holds it. */
export async function finishAttempt(
  tx: Executor,
  id: string,
  lease: string,
  change: Partial<DeliveryRow>,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ ...change, lease: null })
    .where('id', '=', id)
    .where('lease', '=', lease)
    .where('status', '=', 'pending')
    .execute();
}

export async function insertAttempt(tx: Executor, row: DeliveryAttemptRow): Promise<void> {
  await tx.insertInto('delivery_attempts').values(row).execute();
}

/** Changes what waits for its turn; what is being sent right now is judged when its answer comes. */
async function changeWaiting(tx: Executor, webhookId: string, change: Partial<DeliveryRow>): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set(change)
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
    .where('lease', 'is', null)
    .execute();
}

/** Ends what waits for its turn as failed. */
export const parkPending = (tx: Executor, webhookId: string, error: string): Promise<void> =>
  changeWaiting(tx, webhookId, { status: 'failed', error });

/** What waits for its turn follows its webhook to another target's lane. */
export const moveToLane = (tx: Executor, webhookId: string, lane: string): Promise<void> =>
  changeWaiting(tx, webhookId, { lane });

/** The lanes that have something due, one index look-up a lane. */
export async function dueLanes(executor: Executor, now: number): Promise<string[]> {
  const { rows } = await sql<{ lane: string }>`
    with recursive lanes (lane) as (
      select min(lane) from deliveries where status = 'pending'
      union all
      select (select min(lane) from deliveries where status = 'pending' and lane > lanes.lane)
      from lanes where lanes.lane is not null
    )
    select lane from lanes where lane is not null and exists (
      select 1 from deliveries d where d.status = 'pending' and d.lane = lanes.lane and d.due_at <= ${now}
    )`.execute(executor);
  return rows.map((row) => row.lane);
}

/** When the next delivery after now is due. */
export async function nextDeliveryDueAt(executor: Executor, now: number): Promise<number | undefined> {
  const row = await executor
    .selectFrom('deliveries')
    .select((eb) => eb.fn.min('due_at').as('due'))
    .where('status', '=', 'pending')
    .where('due_at', '>', now)
    .executeTakeFirst();
  return row?.due ?? undefined;
}

export interface LogFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly scope?: string | undefined;
  readonly repo?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only entries older than this one. */
  readonly before?: string | undefined;
}

/** The log of a webhook, without entries of repositories that its owner may no longer read. */
export const logOf = (executor: Executor, webhookId: string, ownerId: string) =>
  executor
    .selectFrom('deliveries')
    .leftJoin('repositories', 'repositories.id', 'deliveries.repo_id')
    .selectAll('deliveries')
    .where('deliveries.webhook_id', '=', webhookId)
    .where(readable(currentRepo, sql.val(ownerId)));

export function listLog(
  executor: Executor,
  webhookId: string,
  ownerId: string,
  filter: LogFilter,
  limit: number,
): Promise<DeliveryRow[]> {
  return logOf(executor, webhookId, ownerId)
    .$if(filter.status !== undefined, (query) => query.where('deliveries.status', '=', filter.status ?? 'pending'))
    .$if(filter.scope !== undefined, (query) => query.where('deliveries.scope', '=', filter.scope ?? ''))
    .$if(filter.repo !== undefined, (query) => query.where('deliveries.repo_key', '=', nameKey(filter.repo ?? '')))
    .$if(filter.from !== undefined, (query) =>
      query
        .where('deliveries.id', '>=', firstIdAt(filter.from ?? 0))
        .where('deliveries.created_at', '>=', filter.from ?? 0),
    )
    .$if(filter.to !== undefined, (query) => query.where('deliveries.created_at', '<=', filter.to ?? 0))
    .$if(filter.before !== undefined, (query) => query.where('deliveries.id', '<', filter.before ?? ''))
    .orderBy('deliveries.id', 'desc')
    .limit(limit)
    .execute();
}

export const findLogEntry = (
  executor: Executor,
  webhookId: string,
  ownerId: string,
  id: string,
): Promise<DeliveryRow | undefined> =>
  logOf(executor, webhookId, ownerId).where('deliveries.id', '=', id).executeTakeFirst();

export const attemptsOf = (executor: Executor, deliveryId: string): Promise<DeliveryAttemptRow[]> =>
  executor.selectFrom('delivery_attempts').selectAll().where('delivery_id', '=', deliveryId).orderBy('id').execute();

export async function eventData(executor: Executor, eventId: string): Promise<string> {
  const row = await executor.selectFrom('events').select('data').where('id', '=', eventId).executeTakeFirstOrThrow();
  return row.data;
}
