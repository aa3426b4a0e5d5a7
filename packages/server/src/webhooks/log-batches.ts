import { type SqlBool, sql } from 'kysely';
import type { Executor } from '../platform/database/transaction.ts';

/** So many rows go in one transaction. */
const BATCH_ROWS = 1000;

interface Entry {
  readonly id: string;
  readonly attempts: number;
}

/** The first of the entries, as many as make a batch: each goes with its attempts. */
function batchOf<T extends Entry>(entries: readonly T[]): readonly T[] {
  let rows = 0;
  const end = entries.findIndex((entry, at) => {
    rows += 1 + entry.attempts;
    return at > 0 && rows > BATCH_ROWS;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** Deletes a batch of the log of one webhook; false when there is nothing left. */
export async function purgeLog(tx: Executor, webhookId: string): Promise<boolean> {
  const entries = await tx
    .selectFrom('deliveries')
    .select(['id', 'attempts'])
    .where('webhook_id', '=', webhookId)
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute();
  const last = batchOf(entries).at(-1);
  if (!last) return false;
  await tx.deleteFrom('deliveries').where('webhook_id', '=', webhookId).where('id', '<=', last.id).execute();
  return true;
}

/** Deletes rows of a table between two ids, a batch of them; answers the last one looked at, or undefined at the end. */
export type Sweep = (tx: Executor, after: string, before: string) => Promise<string | undefined>;

/** What is pending stays, however old. */
export const sweepDeliveries: Sweep = async (tx, after, before) => {
  const entries = await tx
    .selectFrom('deliveries')
    .select(['id', 'attempts'])
    .where('id', '>', after)
    .where('id', '<', before)
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute();
  const last = batchOf(entries).at(-1);
  if (!last) return undefined;
  await tx
    .deleteFrom('deliveries')
    .where('id', '>', after)
    .where('id', '<=', last.id)
    .where('status', '<>', 'pending')
    .execute();
  return last.id;
};

/** Events that are done and that no delivery needs any more: their keys begin with the event's id. */
export const sweepEvents: Sweep = async (tx, after, before) => {
  const events = await tx
    .selectFrom('events')
    .select('id')
    .where('id', '>', after)
    .where('id', '<', before)
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute();
  const last = events.at(-1);
  if (!last) return undefined;
  await tx
    .deleteFrom('events')
    .where('id', '>', after)
    .where('id', '<=', last.id)
    .where('done_at', 'is not', null)
    .where(
      sql<SqlBool>`not exists (
        select 1 from deliveries where trigger_key >= events.id and trigger_key < events.id || 'g'
      )`,
    )
    .execute();
  return last.id;
};

/** Replays that have ended. */
export const sweepReplays: Sweep = async (tx, after, before) => {
  const replays = await tx
    .selectFrom('webhook_replays')
    .select('id')
    .where('id', '>', after)
    .where('id', '<', before)
    .orderBy('id')
    .limit(BATCH_ROWS)
    .execute();
  const last = replays.at(-1);
  if (!last) return undefined;
  await tx
    .deleteFrom('webhook_replays')
    .where('id', '>', after)
    .where('id', '<=', last.id)
    .where('state', '<>', 'running')
    .execute();
  return last.id;
};
