import type { DeliveryStatus } from '@moonbase/contract/webhooks/webhooks';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Reader, readableBy } from '../../access/index.ts';
import { nameKey } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { currentRepo } from '../delivery/delivery-store.ts';
import type { DeliveryAttemptRow, DeliveryRow } from '../tables.ts';

/** What a list or a replay of log entries looks for; `from` and `to` are times. */
export interface LogFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly scope?: string | undefined;
  readonly repo?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** The entries that are searched for one page, however few of them match. */
const MAX_SEARCHED = 5000;
/** The entries that are searched first, for each entry of the page: most filters find enough among them. */
const SEARCHED_FIRST = 5;

/** A log, and who reads it: the owner of the webhook, with all rights or with those of a token. */
export interface ReadLog {
  readonly webhookId: string;
  readonly reader: Reader;
}

/** Selects the log of a webhook, without entries of repositories that the reader may not read. */
export const logOf = (executor: ReadExecutor, { webhookId, reader }: ReadLog) =>
  executor
    .selectFrom('deliveries')
    .leftJoin('repositories', 'repositories.id', 'deliveries.repo_id')
    .selectAll('deliveries')
    .where('deliveries.webhook_id', '=', webhookId)
    .where(readableBy(currentRepo, reader));

/** Returns the condition that an entry matches a filter; a status is a literal, as the partial indexes need. */
export const matches = ({ status, scope, repo, from, to }: LogFilter): RawBuilder<SqlBool> =>
  sql.join(
    [
      sql`1 = 1`,
      ...(status === undefined ? [] : [hasStatus(status)]),
      ...(scope === undefined ? [] : [sql`deliveries.scope = ${scope}`]),
      ...(repo === undefined ? [] : [sql`deliveries.repo_key = ${nameKey(repo)}`]),
      ...(from === undefined ? [] : [sql`deliveries.created_at >= ${from}`]),
      ...(to === undefined ? [] : [sql`deliveries.created_at <= ${to}`]),
    ],
    sql` and `,
  );

/** Returns the condition for a status as it is shown: a pending delivery that was attempted is being retried. */
function hasStatus(status: DeliveryStatus): RawBuilder<SqlBool> {
  if (status === 'pending') return sql`deliveries.status = 'pending' and deliveries.attempts = 0`;
  if (status === 'retrying') return sql`deliveries.status = 'pending' and deliveries.attempts > 0`;
  return sql`deliveries.status = ${sql.lit(status)}`;
}

/** Returns the condition for entries to search through: those of a status that has an index of its own, otherwise all. */
export const windowOf = ({ status }: LogFilter): RawBuilder<SqlBool> =>
  status === 'failed' || status === 'throttled' ? matches({ status }) : sql`1 = 1`;

/** A range of ids: from one on, before another. */
interface Range {
  readonly from: string;
  readonly before: string;
}

/**
 * Returns the range of ids that a filter leaves. Ids begin with the second of the fan-out, which may be long after the event: only
 * the earliest time bounds them.
 */
const rangeOf = ({ from }: LogFilter, before = AFTER_ALL): Range => ({
  from: from === undefined ? '' : firstIdAt(from),
  before,
});

const AFTER_ALL = 'g';

/** Returns the last of the entries that are searched; undefined where the whole range is. */
async function endOfSearch(
  executor: ReadExecutor,
  webhookId: string,
  { filter, range, searched }: { readonly filter: LogFilter; readonly range: Range; readonly searched: number },
) {
  const row = await executor
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where(windowOf(filter))
    .where('id', '>=', range.from)
    .where('id', '<', range.before)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(searched - 1)
    .executeTakeFirst();
  return row?.id;
}

/** Returns a page of the log, newest first, and the entry after which the next page begins, where there may be one. */
export async function listLog(
  executor: ReadExecutor,
  log: ReadLog,
  filter: LogFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<{ readonly rows: DeliveryRow[]; readonly next: string | undefined }> {
  const range = rangeOf(filter, before);
  async function search(searched: number) {
    const end = await endOfSearch(executor, log.webhookId, { filter, range, searched });
    const found = await logOf(executor, log)
      .where(matches(filter))
      .where('deliveries.id', '>=', end ?? range.from)
      .where('deliveries.id', '<', range.before)
      .orderBy('deliveries.id', 'desc')
      .limit(limit + 1)
      .execute();
    const rows = found.slice(0, limit);
    if (found.length > limit) return { rows, next: rows.at(-1)?.id };
    return { rows, next: end, hasAll: end === undefined };
  }
  const few = await search(SEARCHED_FIRST * limit);
  return few.rows.length === limit || few.hasAll ? few : await search(MAX_SEARCHED);
}

export const findLogEntry = (executor: ReadExecutor, log: ReadLog, id: string): Promise<DeliveryRow | undefined> =>
  logOf(executor, log).where('deliveries.id', '=', id).executeTakeFirst();

export const attemptsOf = (executor: ReadExecutor, deliveryId: string): Promise<DeliveryAttemptRow[]> =>
  executor
    .selectFrom('delivery_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute();

export async function eventData(executor: ReadExecutor, eventId: string): Promise<string> {
  const row = await executor.selectFrom('events').select('data').where('id', '=', eventId).executeTakeFirstOrThrow();
  return row.data;
}
