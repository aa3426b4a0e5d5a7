import { type SqlBool, sql } from 'kysely';
import { readable } from '../access/index.ts';
import { among } from '../platform/database/among.ts';
import type { DeliveryRow, WebhookRow } from '../platform/database/tables.ts';
import { type Executor, forUpdateOf } from '../platform/database/transaction.ts';
import { laneOf } from './lane.ts';

/** The repository of a delivery as it is now, or as it was where it is gone: what access is judged by. */
export const currentRepo = {
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
    .where(among(executor, 'deliveries.id', ids))
    .where('deliveries.lease', '=', lease)
    .orderBy('deliveries.id')
    .execute();

export type Sendable = Awaited<ReturnType<typeof loadForSending>>[number];

interface Holding {
  readonly delivery: Pick<Sendable, 'id' | 'lease'>;
}

/** Which of the deliveries are still held by the lease they were sent under; those are locked until the transaction ends. */
export async function heldOf(tx: Executor, holdings: readonly Holding[]): Promise<Set<string>> {
  const leases = new Map(holdings.map(({ delivery }) => [delivery.id, delivery.lease]));
  const rows = await tx
    .selectFrom('deliveries')
    .select(['id', 'lease'])
    .where(among(tx, 'id', [...leases.keys()]))
    .where('status', '=', 'pending')
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'deliveries'))
    .execute();
  return new Set(rows.filter((row) => row.lease === leases.get(row.id)).map((row) => row.id));
}

/** Changes what waits for its turn; what is being sent right now is judged when its answer comes. */
async function changeWaiting(tx: Executor, webhook: Target, change: Partial<DeliveryRow>): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set(change)
    .where('lane', '=', laneOf(webhook))
    .where('webhook_id', '=', webhook.id)
    .where(sql<SqlBool>`status = 'pending' and lease is null`)
    .execute();
}

type Target = Pick<WebhookRow, 'id' | 'url'>;

/** Ends what waits for its turn as failed. */
export const parkPending = (tx: Executor, webhook: Target, error: string): Promise<void> =>
  changeWaiting(tx, webhook, { status: 'failed', error });

/** What waits for its turn follows its webhook, as it was, to another target's lane. */
export const moveToLane = (tx: Executor, webhook: Target, lane: string): Promise<void> =>
  changeWaiting(tx, webhook, { lane });
