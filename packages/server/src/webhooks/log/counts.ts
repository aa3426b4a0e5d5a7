import { DELIVERY_STATUSES, type DeliveryStatus } from '@moonbase/contract/webhooks/webhooks';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { firstIdAt } from '../../platform/ids.ts';
import { logOf, matches, type ReadLog } from './store.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** So many entries are counted at the most: the log of a busy webhook does not hold up everybody else. */
const MAX_COUNTED = 50_000;

type HourCounts = Record<DeliveryStatus, number> & { from: number };

/** Of 24 hours, the oldest first. */
interface Counts {
  readonly hours: HourCounts[];
  /** False: there are more, and these are the newest. */
  readonly complete: boolean;
}

const NONE = Object.fromEntries(DELIVERY_STATUSES.map((status) => [status, 0])) as Record<DeliveryStatus, number>;

const DAY_MS = HOURS * HOUR_MS;

/** The entries of a log of the last 24 hours, by hour and status. */
export function countLog(executor: ReadExecutor, log: ReadLog, now: number): Promise<Counts> {
  const entries = logOf(executor, log).clearSelect().select(['deliveries.created_at', 'deliveries.status']);
  return byHour(executor, entries, now);
}

/** The same of all webhooks together, by the primary key, which is in the order of time. */
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
  // In words, not as parameters: SQLite would divide those as fractions.
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
