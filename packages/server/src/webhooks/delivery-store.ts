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

/** What sending needs, in one read: the delivery, its webhook and the payload; only what this lease still holds. */
export const loadForSending = (executor: Executor, ids: readonly string[], lease: string) =>
  executor
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .leftJoin('repositories', 'repositories.id', 'deliveries.repo_id')
    .select([
      'deliveries.id as id',
      'deliveries.lane as lane',
      'deliveries.lease as lease',
      'deliveries.event_id as eventId',
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
    .orderBy('deliveries.id')
    .execute();

export type Sendable = Awaited<ReturnType<typeof loadForSending>>[number];

/** The columns that recording an attempt writes. */
export const finished = {
  id: 'text',
  lease: 'text',
  status: 'text',
  due_at: 'bigint',
  attempts: 'integer',
  response_status: 'integer',
  error: 'text',
  duration_ms: 'integer',
} as const;

interface Holding {
  readonly delivery: Pick<Sendable, 'id' | 'lease'>;
}

/** Which of the deliveries are still held by the lease they were sent under; those are locked until the transaction ends. */
export async function heldOf(tx: Executor, holdings: readonly Holding[]): Promise<Set<string>> {
  const leases = new Map(holdings.map(({ delivery }) => [delivery.id, delivery.lease]));
  const rows = await tx
    .selectFrom('deliveries')
    .select(['id', 'lease'])
    .where('id', 'in', [...leases.keys()])
    .where('status', '=', 'pending')
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'deliveries'))
    .execute();
  return new Set(rows.filter((row) => row.lease === leases.get(row.id)).map((row) => row.id));
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
