import { DELIVERY_STATUSES, type DeliveryStatus } from '@moonbase/contract/webhooks';
import { sql } from 'kysely';
import type { Executor } from '../platform/database/transaction.ts';
import { firstIdAt } from '../platform/ids.ts';
import { logOf, matches } from './log-store.ts';

const HOUR_MS = 3_600_000;
const HOURS = 24;
/** So many entries are counted at the most: the log of a busy webhook does not hold up everybody else. */
const MOST = 50_000;

type HourCounts = Record<DeliveryStatus, number> & { from: number };

const NONE = Object.fromEntries(DELIVERY_STATUSES.map((status) => [status, 0])) as Record<DeliveryStatus, number>;

/** The entries of the last 24 hours by hour and status, the oldest hour first. */
export async function countLog(
  executor: Executor,
  { webhookId, ownerId }: { readonly webhookId: string; readonly ownerId: string },
  now: number,
): Promise<{ hours: HourCounts[]; complete: boolean }> {
  const from = now - HOURS * HOUR_MS + 1;
  const entries = logOf(executor, webhookId, ownerId)
    .clearSelect()
    .select(['deliveries.created_at', 'deliveries.status'])
    .where(matches({ from }))
    .where('deliveries.id', '>=', firstIdAt(from))
    .orderBy('deliveries.id', 'desc')
    .limit(MOST + 1);
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
  return { hours, complete: rows.reduce((sum, { count }) => sum + Number(count), 0) <= MOST };
}
