import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Executor } from '../../platform/database/transaction.ts';
import { pruneEvents } from '../../platform/events/event-store.ts';
import { isNotSetAside } from '../../platform/queue/dead-letter-store.ts';

/** The rows that one transaction deletes. */
const BATCH_ROWS = 500;

interface Entry {
  readonly id: string;
  readonly attempts: number;
}

/** Returns the first entries, as many as fill a batch: the attempts of each entry are deleted with it. */
function batchOf<T extends Entry>(entries: readonly T[]): readonly T[] {
  let rows = 0;
  const end = entries.findIndex((entry, at) => {
    rows += 1 + entry.attempts;
    return at > 0 && rows > BATCH_ROWS;
  });
  return end < 0 ? entries : entries.slice(0, end);
}

/** Deletes a batch of the log of one webhook; returns false when nothing is left. */
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

/** The last id that a batch considered, and the number of rows that it deleted. */
interface Swept {
  readonly reached: string;
  readonly deleted: number;
}

/** Deletes a batch of rows between two ids; returns undefined at the end. */
export type Sweep = (tx: Executor, after: string, before: string) => Promise<Swept | undefined>;

/** Returns a sweep that considers a batch of rows and deletes those that meet a condition. */
const sweepOf =
  (table: 'deliveries' | 'webhook_replays', isDeletable: RawBuilder<SqlBool>): Sweep =>
  async (tx, after, before) => {
    const rows = await sql<Entry>`
      select id, ${table === 'deliveries' ? sql`attempts` : sql`0`} as attempts from ${sql.table(table)}
      where id > ${after} and id < ${before} order by id limit ${BATCH_ROWS}`.execute(tx);
    const last = batchOf(rows.rows).at(-1);
    if (!last) return undefined;
    const { numAffectedRows = 0n } =
      await sql`delete from ${sql.table(table)} where id > ${after} and id <= ${last.id} and ${isDeletable}`.execute(
        tx,
      );
    return { reached: last.id, deleted: Number(numAffectedRows) };
  };

/** Deletes entries of the log, except those that are pending or set aside. */
export const sweepDeliveries = sweepOf(
  'deliveries',
  sql<SqlBool>`status <> 'pending' and ${isNotSetAside('deliveries', 'deliveries.id')}`,
);

/** Deletes events without deliveries: the trigger keys of deliveries begin with the event's id. */
export const sweepEvents: Sweep = (tx, after, before) =>
  pruneEvents(
    tx,
    { after, before },
    sql<SqlBool>`exists (
      select 1 from deliveries where trigger_key >= events.id and trigger_key < events.id || 'g'
    )`,
  );

/** Deletes replays that have ended. */
export const sweepReplays = sweepOf('webhook_replays', sql<SqlBool>`state <> 'running'`);
