import type { DeliveryStatus } from '@moonbase/contract/webhooks/webhooks';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { logOf, matches, type ReadLog } from './store.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** The entries that are counted: more of them in the log of a busy webhook would hold up other requests. */
const MAX_COUNTED = 50_000;

type HourCounts = Record<DeliveryStatus, number> & { from: number };

/** The entries of 24 hours, the oldest hour first. */
interface Counts {
  readonly hours: HourCounts[];
  /** False where only the newest entries are counted, as there are more. */
  readonly complete: boolean;
}

const NONE: Record<DeliveryStatus, number> = { pending: 0, delivered: 0, failed: 0, throttled: 0 };

const DAY_MS = HOURS * HOUR_MS;

/** Counts the entries of a webhook's log of the last 24 hours, by hour and status. */
export function countLog(executor: ReadExecutor, log: ReadLog, now: number): Promise<Counts> {
  const entries = logOf(executor, log).clearSelect().select(['deliveries.created_at', 'deliveries.status']);
  return byHour(executor, entries, now);
}

/** Counts the entries of all webhooks of the last 24 hours, by the primary key, which is in the order of time. */
export const countDeliveries = (executor: ReadExecutor, now: number): Promise<Counts> =>
  byHour(executor, executor.selectFrom('deliveries').select(['deliveries.created_at', 'deliveries.status']), now);

type Entries = SelectQueryBuilder<Tables, 'deliveries', { created_at: number; status: DeliveryStatus }>;

async function byHour(executor: ReadExecutor, all: Entries, now: number): Promise<Counts> {
  const from = now - DAY_MS + 1;
  const entries = all
    .where(matches({ from }))
    .where('deliveries.id', '>=', firstIdAt(from))
    .orderBy('deliveries.id', 'desc')
    .limit(MAX_COUNTED + 1);
  // Literals, because SQLite takes numbers in parameters for fractions, which `/` would not divide into whole hours.
  const hour = sql<number>`(created_at - ${sql.lit(from)}) / ${sql.lit(HOUR_MS)}`;
  const rows = await executor
    .selectFrom(entries.as('entry'))
    .select(['status', hour.as('hour'), sql<number>`count(*)`.as('count')])
    .groupBy(['status', hour])
    .execute();
  const hours = Array.from({ length: HOURS }, (_, at): HourCounts => ({ from: from + at * HOUR_MS, ...NONE }));
  for (const row of rows) {
    const counts = hours[Number(row.hour)];
    if (counts) counts[row.status] = Number(row.count);
  }
  return { hours, complete: rows.reduce((sum, { count }) => sum + Number(count), 0) <= MAX_COUNTED };
}
