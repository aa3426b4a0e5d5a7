import { type SqlBool, sql } from 'kysely';
import { entitled, isLimited, notDisabled, type Reader, readableBy } from '../../access/index.ts';
import { insertNew, updateEach } from '../../platform/database/bulk.ts';
import type { RowOf } from '../../platform/database/columns.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { laneOf } from '../matching/lane.ts';
import { DELIVERY, DELIVERY_ATTEMPT, type DeliveryAttemptRow, type DeliveryRow, type WebhookRow } from '../tables.ts';

/** The repository of a delivery as it is now, or as it was where it is gone: what access is judged by. */
export const currentRepo = {
  id: sql.ref<string>('deliveries.repo_id'),
  private: sql<number>`coalesce(repositories.private, deliveries.repo_private)`,
  ownerId: sql<string>`coalesce(repositories.owner_id, deliveries.repo_owner_id)`,
  groupId: sql<
    string | null
  >`case when repositories.id is null then deliveries.repo_group_id else repositories.resource_group_id end`,
};

/** What sending needs, in one read: the delivery, its webhook and the payload, in the order of ids; only what still waits. */
export const loadForSending = (executor: ReadExecutor, ids: readonly string[]) =>
  executor
    .selectFrom('deliveries')
    .innerJoin('webhooks', 'webhooks.id', 'deliveries.webhook_id')
    .innerJoin('events', 'events.id', 'deliveries.event_id')
    .leftJoin('repositories', 'repositories.id', 'deliveries.repo_id')
    .select([
      'deliveries.id as id',
      'deliveries.lane as lane',
      'deliveries.event_id as eventId',
      'deliveries.webhook_id as webhookId',
      'deliveries.kind as kind',
      'deliveries.attempts as attempts',
      'deliveries.due_at as dueAt',
      'webhooks.url as url',
      'webhooks.job as job',
      'webhooks.job_secrets as jobSecrets',
      'webhooks.owner_id as ownerId',
      'webhooks.state as state',
      'webhooks.secret as secret',
      'webhooks.old_secret as oldSecret',
      'webhooks.old_secret_until as oldSecretUntil',
      'events.data as eventData',
      'events.trace as trace',
    ])
    .select(entitled(currentRepo, sql.ref('webhooks.owner_id')).as('readable'))
    .select(notDisabled(sql.ref('webhooks.owner_id')).as('ownerEnabled'))
    .where(whereIn(executor, 'deliveries.id', ids))
    .where('deliveries.status', '=', 'pending')
    .orderBy('deliveries.id')
    .execute();

/** Whether a token of its webhook's owner reads the repository of a delivery, which the owner does. */
export async function isReadBy(executor: ReadExecutor, id: string, reader: Reader): Promise<boolean> {
  if (!isLimited(reader)) return true;
  const row = await executor
    .selectFrom('deliveries')
    .leftJoin('repositories', 'repositories.id', 'deliveries.repo_id')
    .select('deliveries.id')
    .where('deliveries.id', '=', id)
    .where(readableBy(currentRepo, reader))
    .executeTakeFirst();
  return row !== undefined;
}

export type Sendable = Awaited<ReturnType<typeof loadForSending>>[number];

/**
 * Those of the deliveries whose attempt counts, locked until the transaction ends: nobody has recorded one since they
 * were loaded. What was ended meanwhile, as its webhook was disabled, is among them: this is how it went.
 */
export async function stillOpen(tx: Executor, deliveries: readonly Sendable[]): Promise<Set<string>> {
  const attempts = new Map(deliveries.map((delivery) => [delivery.id, delivery.attempts]));
  const rows = await tx
    .selectFrom('deliveries')
    .select(['id', 'attempts'])
    .where(whereIn(tx, 'id', [...attempts.keys()]))
    .where('status', 'in', ['pending', 'failed'])
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'deliveries'))
    .execute();
  return new Set(rows.filter((row) => row.attempts === attempts.get(row.id)).map((row) => row.id));
}

/** Inserts deliveries; one that is there already for its webhook and trigger stays as it is. */
export const insertDeliveries = (tx: Executor, rows: readonly DeliveryRow[]): Promise<void> =>
  insertNew(tx, 'deliveries', DELIVERY, rows);

export const insertAttempts = (tx: Executor, rows: readonly DeliveryAttemptRow[]): Promise<void> =>
  insertNew(tx, 'delivery_attempts', DELIVERY_ATTEMPT, rows);

const { id, lane, status, due_at, attempts, response_status, error, duration_ms, job_id } = DELIVERY;
const FINISHED = { id, lane, status, due_at, attempts, response_status, error, duration_ms, job_id };

/** What recording an attempt changes of a delivery. */
export type Finished = RowOf<typeof FINISHED>;

export const finishDeliveries = (tx: Executor, rows: readonly Finished[]): Promise<void> =>
  updateEach(tx, 'deliveries', FINISHED, rows);

/** Changes what is not done; of what is being sent right now, its answer decides when it comes. */
async function changeWaiting(tx: Executor, webhook: Target, change: Partial<DeliveryRow>): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set(change)
    .where('lane', '=', laneOf(webhook))
    .where('webhook_id', '=', webhook.id)
    .where(sql<SqlBool>`status = 'pending'`)
    .execute();
}

type Target = Pick<WebhookRow, 'id' | 'url'>;

/** Ends what waits for its turn as failed. */
export const parkPending = (tx: Executor, webhook: Target, error: string): Promise<void> =>
  changeWaiting(tx, webhook, { status: 'failed', error });

/** What waits for its turn follows its webhook, as it was, to another target's lane. */
export const moveToLane = (tx: Executor, webhook: Target, lane: string): Promise<void> =>
  changeWaiting(tx, webhook, { lane });
