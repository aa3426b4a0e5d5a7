import { type SqlBool, sql } from 'kysely';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { type LogFilter, logOf, matches, type ReadLog, windowOf } from '../log/store.ts';
import type { DeliveryRow, WebhookReplayRow } from '../tables.ts';

/** The entries of a log that a replay sends again: those that existed, and were not pending, when it was requested. */
export interface Search extends ReadLog {
  readonly filter: LogFilter;
  /** The newest entry at the time of the request, by id. */
  readonly bound: string;
}

/** A range of entries: after one id, up to another. */
interface Window {
  readonly after: string;
  readonly upTo: string;
}

/** The entries that one query searches, however few of them match. */
const WINDOW = 2000;

/** Returns the id after which the first entry can match. */
export const searchStart = ({ from }: LogFilter): string => (from === undefined ? '' : firstIdAt(from));

export async function newestEntry(executor: ReadExecutor, webhookId: string): Promise<string> {
  const row = await executor
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? '';
}

/** Returns the next range of entries to search. */
export async function nextWindow(executor: ReadExecutor, search: Search, after: string): Promise<Window> {
  const { webhookId, filter, bound } = search;
  const row = await executor
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where(windowOf(filter))
    .where('id', '>', after)
    .where('id', '<=', bound)
    .orderBy('id')
    .limit(1)
    .offset(WINDOW - 1)
    .executeTakeFirst();
  return { after, upTo: row?.id ?? bound };
}

const matching = (executor: ReadExecutor, { filter, ...log }: Search, { after, upTo }: Window) =>
  logOf(executor, log)
    .where('deliveries.id', '>', after)
    .where('deliveries.id', '<=', upTo)
    .where(sql<SqlBool>`deliveries.status <> 'pending'`)
    .where(matches(filter));

export async function countMatches(executor: ReadExecutor, search: Search, window: Window): Promise<number> {
  const { count } = await matching(executor, search, window)
    .clearSelect()
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Returns the oldest matching entries of a window, without entries that were pending at the time of the request and attempted
 * since, and without those that the replay inserted itself: another process may make ids below the bound in the same second.
 */
export const matchesOf = (
  executor: Executor,
  search: Search,
  window: Window,
  replay: Pick<WebhookReplayRow, 'id' | 'created_at'>,
  limit: number,
): Promise<DeliveryRow[]> =>
  matching(executor, search, window)
    .where('deliveries.trigger_key', 'not like', `%/${replay.id}/%`)
    .where(
      sql<SqlBool>`not exists (
        select 1 from delivery_attempts a where a.delivery_id = deliveries.id and a.created_at > ${replay.created_at}
      )`,
    )
    .orderBy('deliveries.id')
    .limit(limit)
    .execute();

/** Returns how many deliveries of replays a webhook has in the queue; the literals match their partial index. */
export async function countRecovering(executor: Executor, webhookId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('webhook_id', '=', webhookId)
    .where(sql<SqlBool>`kind = 'recovery' and status = 'pending'`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Fails the pending deliveries of a replay; those in flight may still be delivered, and are not repeated. */
export async function endRecovering(tx: Executor, replay: WebhookReplayRow, error: string): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ status: 'failed', error })
    .where('webhook_id', '=', replay.webhook_id)
    .where(sql<SqlBool>`kind = 'recovery' and status = 'pending'`)
    .where('trigger_key', 'like', `%/${replay.id}/%`)
    .execute();
}

export async function insertReplay(tx: Executor, row: WebhookReplayRow): Promise<void> {
  await tx.insertInto('webhook_replays').values(row).execute();
}

export const findReplay = (
  executor: ReadExecutor,
  webhookId: string,
  id: string,
): Promise<WebhookReplayRow | undefined> =>
  executor
    .selectFrom('webhook_replays')
    .selectAll()
    .where('id', '=', id)
    .where('webhook_id', '=', webhookId)
    .executeTakeFirst();

export const findRunning = (executor: ReadExecutor, webhookId: string): Promise<WebhookReplayRow | undefined> =>
  executor
    .selectFrom('webhook_replays')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where(sql<SqlBool>`state = 'running'`)
    .executeTakeFirst();

export async function updateReplay(tx: Executor, id: string, change: Partial<WebhookReplayRow>): Promise<void> {
  await tx.updateTable('webhook_replays').set(change).where('id', '=', id).execute();
}

/** Cancels the running replay of a webhook that is stopped; the caller fails the pending deliveries of the webhook. */
export async function cancelRunning(tx: Executor, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_replays')
    .set({ state: 'canceled' })
    .where('webhook_id', '=', webhookId)
    .where(sql<SqlBool>`state = 'running'`)
    .execute();
}
