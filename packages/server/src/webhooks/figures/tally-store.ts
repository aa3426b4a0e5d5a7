import { sql } from 'kysely';
import { insertNew, updateEach } from '../../platform/database/bulk.ts';
import { text } from '../../platform/database/columns.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import { type JsonText, parseJson, toJson } from '../../platform/stored-form.ts';
import { type StoredAttempt, TALLY, type TallyRow } from '../tables.ts';

/** An attempt of a webhook. */
export interface WebhookAttempt {
  readonly webhookId: string;
  readonly attempt: StoredAttempt;
}

const HOUR_MS = 3_600_000;
/** The hours that lists and charts show; older ones are deleted. */
export const HOURS = 24;
/** The rows that one transaction deletes. */
const BATCH_ROWS = 500;

/** Stands for all webhooks of the hub. */
export const ALL_WEBHOOKS = '';

/** Returns the hour of a time, and when an hour begins. */
export const hourOf = (at: number): number => Math.floor(at / HOUR_MS);
export const beginningOf = (hour: number): number => hour * HOUR_MS;

/** Returns the first of the hours that are shown. */
export const firstHour = (now: number): number => hourOf(now) - HOURS + 1;

const keyOf = ({ webhook_id, hour, outcome, latency }: TallyRow) => `${webhook_id} ${hour} ${outcome} ${latency}`;

/** Adds to counts, in one order: of two processes that add to the same ones, one waits for the other. */
export const addTallies = (tx: Executor, rows: readonly TallyRow[]): Promise<void> =>
  insertNew(
    tx,
    'webhook_tallies',
    TALLY,
    rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)),
    '(webhook_id, hour, outcome, latency) do update set count = webhook_tallies.count + excluded.count',
  );

/** Returns the counts of a webhook by hour and outcome. */
export const countByHour = (executor: ReadExecutor, webhookId: string, from: number) =>
  executor
    .selectFrom('webhook_tallies')
    .select((eb) => ['hour', 'outcome', eb.fn.sum<number>('count').as('count')])
    .where('webhook_id', '=', webhookId)
    .where('hour', '>=', from)
    .groupBy(['hour', 'outcome'])
    .execute();

/** Returns the counts of attempts of some webhooks, by outcome and latency. */
export async function countByLatency(executor: ReadExecutor, webhookIds: readonly string[], from: number) {
  const rows = await executor
    .selectFrom('webhook_tallies')
    .select((eb) => ['webhook_id as webhookId', 'outcome', 'latency', eb.fn.sum<number>('count').as('count')])
    .where(whereIn(executor, 'webhook_id', webhookIds))
    .where('hour', '>=', from)
    .where('outcome', '<>', 'throttled')
    .groupBy(['webhook_id', 'outcome', 'latency'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

/** Deletes a batch of counts of hours that are no longer shown; returns false when nothing is left. */
export async function pruneTallies(tx: Executor, now: number): Promise<boolean> {
  const { rows } = await sql<{ hour: number }>`
    delete from webhook_tallies where (webhook_id, hour, outcome, latency) in (
      select webhook_id, hour, outcome, latency from webhook_tallies where hour < ${firstHour(now)} limit ${BATCH_ROWS}
    ) returning hour`.execute(tx);
  return rows.length > 0;
}

/** Returns when the stored last attempts of webhooks were, and locks these rows in one order; 0 where none is stored. */
export async function lockLastAttempts(tx: Executor, webhookIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await tx
    .selectFrom('webhooks')
    .select(['id', 'last_attempt'])
    .where(whereIn(tx, 'id', webhookIds))
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'webhooks'))
    .execute();
  return new Map(rows.map(({ id, last_attempt: last }) => [id, last === null ? 0 : parseJson(last).at]));
}

const LAST_ATTEMPT = { id: text(), last_attempt: text<JsonText<StoredAttempt> | null>() };

export const updateLastAttempts = (tx: Executor, attempts: readonly WebhookAttempt[]): Promise<void> =>
  updateEach(
    tx,
    'webhooks',
    LAST_ATTEMPT,
    attempts.map(({ webhookId, attempt }) => ({ id: webhookId, last_attempt: toJson(attempt) })),
  );
