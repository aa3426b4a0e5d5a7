import type { DeliveryStatus } from '@moonbase/contract/webhooks/webhooks';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Reader, readableBy } from '../../access/index.ts';
import { nameKey } from '../../accounts/index.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { currentRepo } from '../delivery/delivery-store.ts';
import type { DeliveryAttemptRow, DeliveryRow } from '../tables.ts';

export interface LogFilter {
  readonly status?: DeliveryStatus | undefined;
  readonly scope?: string | undefined;
  readonly repo?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** So many entries are looked at for a page at the most, however few of them match. */
const LOOK_AT = 5000;

/** A log as somebody reads it: its owner, or its owner with a token. */
export interface ReadLog {
  readonly webhookId: string;
  readonly reader: Reader;
}

/** The log of a webhook, without entries of repositories that the reader may not read, or no longer. */
export const logOf = (executor: ReadExecutor, { webhookId, reader }: ReadLog) =>
  executor
    .selectFrom('deliveries')
    .leftJoin('repositories', 'repositories.id', 'deliveries.repo_id')
    .selectAll('deliveries')
    .where('deliveries.webhook_id', '=', webhookId)
    .where(readableBy(currentRepo, reader));

/** The conditions of a filter, for the list and for replays; a status in the words of the partial indexes. */
export const matches = ({ status, scope, repo, from, to }: LogFilter): RawBuilder<SqlBool> =>
  sql.join(
    [
      sql`1 = 1`,
      ...(status === undefined ? [] : [sql`deliveries.status = ${sql.lit(status)}`]),
      ...(scope === undefined ? [] : [sql`deliveries.scope = ${scope}`]),
      ...(repo === undefined ? [] : [sql`deliveries.repo_key = ${nameKey(repo)}`]),
      ...(from === undefined ? [] : [sql`deliveries.created_at >= ${from}`]),
      ...(to === undefined ? [] : [sql`deliveries.created_at <= ${to}`]),
    ],
    sql` and `,
  );

/** The entries that a window of a log counts: of a status that has an index of its own, else all. */
export const windowOf = ({ status }: LogFilter): RawBuilder<SqlBool> =>
  status === 'failed' || status === 'throttled' ? matches({ status }) : sql`1 = 1`;

/** Entries of a log by id, newest first: older than one, and from another on. */
interface Range {
  readonly from: string;
  readonly before: string;
}

/** What a filter says about time, as ids: those begin with the second of the fan-out, which may be long after the event. */
const rangeOf = ({ from }: LogFilter, before = AFTER_ALL): Range => ({
  from: from === undefined ? '' : firstIdAt(from),
  before,
});

const AFTER_ALL = 'g';

/** The last entry that is looked at for one page, or undefined where all of the range is. */
async function endOfLook(executor: ReadExecutor, webhookId: string, filter: LogFilter, range: Range) {
  const row = await executor
    .selectFrom('deliveries')
    .select('id')
    .where('webhook_id', '=', webhookId)
    .where(windowOf(filter))
    .where('id', '>=', range.from)
    .where('id', '<', range.before)
    .orderBy('id', 'desc')
    .limit(1)
    .offset(LOOK_AT - 1)
    .executeTakeFirst();
  return row?.id;
}

/** A page of the log, newest first, and the entry after which the next one begins, if there may be one. */
export async function listLog(
  executor: ReadExecutor,
  log: ReadLog,
  filter: LogFilter,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<{ readonly rows: DeliveryRow[]; readonly next: string | undefined }> {
  const range = rangeOf(filter, before);
  const end = await endOfLook(executor, log.webhookId, filter, range);
  const found = await logOf(executor, log)
    .where(matches(filter))
    .where('deliveries.id', '>=', end ?? range.from)
    .where('deliveries.id', '<', range.before)
    .orderBy('deliveries.id', 'desc')
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit);
  return { rows, next: found.length > limit ? rows.at(-1)?.id : end };
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
