import { type SqlBool, sql } from 'kysely';
import type { Reader } from '../../access/index.ts';
import type { Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { type LogFilter, logOf, matches, type ReadLog, windowOf } from '../log/store.ts';
import type { DeliveryRow, WebhookReplayRow } from '../tables.ts';

/** What a replay looks for. */
export type ReplayFilter = LogFilter;

/** The same as it is kept, as JSON: with the token where that reaches less than its user does. */
export interface StoredFilter extends ReplayFilter {
  readonly token?: Reader['token'];
}

/** The entries of a log that a replay is about: those that were there, and not pending, when it was asked for. */
export interface Search extends ReadLog {
  readonly filter: ReplayFilter;
  /** The newest entry of that moment. */
  readonly bound: string;
}

/** Entries after one up to another, by id. */
interface Window {
  readonly after: string;
  readonly upTo: string;
}

/** So many entries are looked at in one query at most, however few of them match. */
const WINDOW = 2000;

/** The id before the first entry that can match. */
export const searchStart = ({ from }: ReplayFilter): string => (from === undefined ? '' : firstIdAt(from));

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

/** The entries to look at next. */
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
 * The oldest matching entries of a window. Left out is what was pending when the replay was asked for and was tried
 * since, and what the replay added itself: another process may have made ids before the bound in the same second.
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

/** How many deliveries of replays a webhook has in the queue; in the words of the index on them. */
export async function countRecovering(executor: Executor, webhookId: string): Promise<number> {
  const { count } = await executor
    .selectFrom('deliveries')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('webhook_id', '=', webhookId)
    .where(sql<SqlBool>`kind = 'recovery' and status = 'pending'`)
    .executeTakeFirstOrThrow();
  return count;
}

/** Ends as failed what a replay has in the queue; what is being sent right now is recorded as it goes. */
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

/** With the webhook its replay stops; what it has in the queue is parked with everything else. */
export async function cancelRunning(tx: Executor, webhookId: string): Promise<void> {
  await tx
    .updateTable('webhook_replays')
    .set({ state: 'canceled' })
    .where('webhook_id', '=', webhookId)
    .where(sql<SqlBool>`state = 'running'`)
    .execute();
}
