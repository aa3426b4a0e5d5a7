import { type SqlBool, sql } from 'kysely';
import { type Executor, forUpdateOf } from '../../platform/database/transaction.ts';
import { whereIn } from '../../platform/database/where-in.ts';
import type { DeliveryRow } from '../tables.ts';

/** A place among the pending deliveries of a lane. */
export interface Position {
  readonly dueAt: number;
  readonly id: string;
}

export const FIRST: Position = { dueAt: Number.MIN_SAFE_INTEGER, id: '' };

export type Change = Partial<Pick<DeliveryRow, 'status' | 'error' | 'lane'>>;

interface Search {
  readonly webhookId: string;
  readonly lane: string;
  readonly after: Position;
}

/** Returns the next pending deliveries of a webhook in a lane, in the order in which they are due. */
export const pendingOf = (tx: Executor, { webhookId, lane, after }: Search, limit: number): Promise<Position[]> =>
  tx
    .selectFrom('deliveries')
    .select(['id', 'due_at as dueAt'])
    .where('lane', '=', lane)
    .where('webhook_id', '=', webhookId)
    // Literally the condition of the partial index.
    .where(sql<SqlBool>`status = 'pending'`)
    .where(sql<SqlBool>`(due_at, id) > (${after.dueAt}, ${after.id})`)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();

/** Changes those of some deliveries that are still pending; locks them in the order in which attempts are recorded. */
export async function changePending(tx: Executor, ids: readonly string[], change: Change): Promise<void> {
  if (ids.length === 0) return;
  const pending = await tx
    .selectFrom('deliveries')
    .select('id')
    .where(whereIn(tx, 'id', ids))
    // Hidden from the planner of PostgreSQL, which would rather read all pending deliveries than these by id.
    .where(sql<SqlBool>`coalesce(status, '') = 'pending'`)
    .orderBy('id')
    .modifyEnd(forUpdateOf(tx, 'deliveries'))
    .execute();
  const locked = pending.map(({ id }) => id);
  await tx
    .updateTable('deliveries')
    .set(change)
    .where(whereIn(tx, 'id', locked))
    .execute();
}
