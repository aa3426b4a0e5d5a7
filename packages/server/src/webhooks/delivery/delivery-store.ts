import { type SqlBool, sql } from 'kysely';
import { isLimited, mayReadIfEnabled, notDisabled, type Reader, readableBy } from '../../access/index.ts';
import { insertNew, updateEach } from '../../platform/database/bulk.ts';
import type { RowOf } from '../../platform/database/columns.ts';
import { prepared } from '../../platform/database/prepared.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import { type TextList, textList, whereIn } from '../../platform/database/where-in.ts';
import { DELIVERY, DELIVERY_ATTEMPT, type DeliveryAttemptRow, type DeliveryRow } from '../tables.ts';

/** The repository of a delivery as it is now, or as it was where it was deleted: access is decided by these facts. */
export const currentRepo = {
  id: sql.ref<string>('deliveries.repo_id'),
  private: sql<number>`coalesce(repositories.private, deliveries.repo_private)`,
  ownerId: sql<string>`coalesce(repositories.owner_id, deliveries.repo_owner_id)`,
  groupId: sql<
    string | null
  >`case when repositories.id is null then deliveries.repo_group_id else repositories.resource_group_id end`,
};

/** What sending needs to know of a webhook. */
export const FOR_SENDING = [
  'webhooks.url as url',
  'webhooks.job as job',
  'webhooks.job_secrets as jobSecrets',
  'webhooks.job_token_id as jobTokenId',
  'webhooks.owner_id as ownerId',
  'webhooks.state as state',
  'webhooks.secret as secret',
  'webhooks.old_secret as oldSecret',
  'webhooks.old_secret_until as oldSecretUntil',
] as const;

const pendingWithTargets = prepared<{ ids: TextList }>()((executor, argument) =>
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
      'events.data as eventData',
      'events.trace as trace',
    ])
    .select(FOR_SENDING)
    .select(mayReadIfEnabled(currentRepo, sql.ref('webhooks.owner_id')).as('readable'))
    .select(notDisabled(sql.ref('webhooks.owner_id')).as('ownerEnabled'))
    .where(whereIn(executor, 'deliveries.id', argument('ids')))
    // Hidden from the planners: PostgreSQL would rather read the whole partial index of pending deliveries than these few by id, and
    // SQLite would plan the query anew each time if the status were a parameter.
    .where(sql<SqlBool>`coalesce(deliveries.status, '') = 'pending'`)
    .orderBy('deliveries.id'),
);

/** Returns deliveries that are still pending, by id, with all that sending needs: the webhook and the payload. */
export const loadForSending = (executor: ReadExecutor, ids: readonly string[]) =>
  pendingWithTargets(executor, { ids: textList(executor, ids) });

/** Returns whether a token may read the repository of a delivery, provided that its owner may. */
export async function tokenReadsRepoOf(executor: ReadExecutor, id: string, reader: Reader): Promise<boolean> {
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

/** A webhook as `FOR_SENDING` selects it. */
export type WebhookForSending = Pick<
  Sendable,
  'url' | 'job' | 'jobSecrets' | 'jobTokenId' | 'ownerId' | 'state' | 'secret' | 'oldSecret' | 'oldSecretUntil'
>;

const lockUndelivered = prepared<{ ids: TextList }>()((tx: Executor, argument) =>
  tx
    .selectFrom('deliveries')
    .select(['id', 'attempts', 'status', 'error'])
    .where(whereIn(tx, 'id', argument('ids')))
    .where('status', 'in', ['pending', 'failed'])
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'deliveries')),
);

/** A delivery that was being sent, as it stands now. */
export type Standing = Pick<DeliveryRow, 'status' | 'error'>;

/**
 * Returns the deliveries that have no newer attempt than when they were loaded, locked until the transaction ends. Deliveries
 * that failed meanwhile because their webhook was disabled, or their replay canceled, are among these: the attempt tells how they
 * really ended, unless it would be repeated.
 */
export async function lockUnchanged(tx: Executor, deliveries: readonly Sendable[]): Promise<Map<string, Standing>> {
  const attempts = new Map(deliveries.map((delivery) => [delivery.id, delivery.attempts]));
  const rows = await lockUndelivered(tx, { ids: textList(tx, [...attempts.keys()]) });
  return new Map(rows.filter((row) => row.attempts === attempts.get(row.id)).map((row) => [row.id, row]));
}

/** Inserts deliveries; a webhook has one delivery per trigger, and an existing one stays as it is. */
export const insertDeliveries = (tx: Executor, rows: readonly DeliveryRow[]): Promise<void> =>
  insertNew(tx, 'deliveries', DELIVERY, rows);

export const insertAttempts = (tx: Executor, rows: readonly DeliveryAttemptRow[]): Promise<void> =>
  insertNew(tx, 'delivery_attempts', DELIVERY_ATTEMPT, rows);

const { id, lane, status, due_at, attempts, response_status, error, duration_ms, job_id } = DELIVERY;
const FINISHED = { id, lane, status, due_at, attempts, response_status, error, duration_ms, job_id };

/** The columns of a delivery that an attempt changes. */
export type FinishedDelivery = RowOf<typeof FINISHED>;

export const finishDeliveries = (tx: Executor, rows: readonly FinishedDelivery[]): Promise<void> =>
  updateEach(tx, 'deliveries', FINISHED, rows);

/** Fails a delivery that is pending or has failed; returns undefined where there is none. */
export const failUndelivered = (tx: Executor, id: string, error: string) =>
  tx
    .updateTable('deliveries')
    .set({ status: 'failed', error })
    .where('id', '=', id)
    .where('status', 'in', ['pending', 'failed'])
    .returning(['kind', 'scope', 'action', 'created_at'])
    .executeTakeFirst();

/** Returns the id of the webhook of a delivery. */
export async function webhookOf(tx: Executor, id: string): Promise<string | undefined> {
  const row = await tx.selectFrom('deliveries').select('webhook_id').where('id', '=', id).executeTakeFirst();
  return row?.webhook_id;
}

/** Makes a failed delivery pending again, due now. */
export async function retryFailed(tx: Executor, id: string, lane: string, now: number): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ status: 'pending', error: null, lane, due_at: now })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .execute();
}

/** Returns whether a webhook has a pending delivery about a repository that a token does not read. */
export async function hasUnreadable(tx: Executor, webhookId: string, reader: Reader): Promise<boolean> {
  const row = await tx
    .selectFrom('deliveries')
    .leftJoin('repositories', 'repositories.id', 'deliveries.repo_id')
    .select('deliveries.id')
    .where('deliveries.webhook_id', '=', webhookId)
    .where(sql<SqlBool>`deliveries.status = 'pending'`)
    // Not `not`: the condition may be null for a repository in no resource group.
    .where(sql<SqlBool>`case when ${readableBy(currentRepo, reader)} then 0 else 1 end = 1`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
