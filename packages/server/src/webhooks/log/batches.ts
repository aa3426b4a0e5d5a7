import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor } from '../../platform/database/transaction.ts';
import { pruneEvents } from '../../platform/events/prune-events.ts';
import { isNotSetAside } from '../../platform/queue/dead-letters.ts';

/** So many rows go in one transaction. */
const BATCH_ROWS = 500;

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

/** Deletes rows of a table between two ids, a batch of them; returns the last one looked at, or undefined at the end. */
export type Sweep = (tx: Executor, after: string, before: string) => Promise<string | undefined>;

/** Looks at the first rows of a range, as many as make a batch, and deletes those of them that may go. */
const sweepOf =
  (table: 'deliveries' | 'webhook_replays', mayGo: RawBuilder<SqlBool>): Sweep =>
  async (tx, after, before) => {
    const rows = await sql<Entry>`
      select id, ${table === 'deliveries' ? sql`attempts` : sql`0`} as attempts from ${sql.table(table)}
      where id > ${after} and id < ${before} order by id limit ${BATCH_ROWS}`.execute(tx);
    const last = batchOf(rows.rows).at(-1);
    if (!last) return undefined;
    await sql`delete from ${sql.table(table)} where id > ${after} and id <= ${last.id} and ${mayGo}`.execute(tx);
    return last.id;
  };

/** What is pending stays, however old, and so does what is set aside. */
export const sweepDeliveries = sweepOf(
  'deliveries',
  sql<SqlBool>`status <> 'pending' and ${isNotSetAside('deliveries', 'deliveries.id')}`,
);

/** Events that no delivery needs any more: the keys of deliveries begin with the event's id. */
export const sweepEvents: Sweep = (tx, after, before) =>
  pruneEvents(
    tx,
    { after, before },
    sql<SqlBool>`exists (
      select 1 from deliveries where trigger_key >= events.id and trigger_key < events.id || 'g'
    )`,
  );

/** Replays that have ended. */
export const sweepReplays = sweepOf('webhook_replays', sql<SqlBool>`state <> 'running'`);
