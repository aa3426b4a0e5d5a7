import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { DeadLetterRow, QueueName, Tables } from '../database/tables.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../database/transaction.ts';
import { MAX_COUNTED } from './state.ts';

/** Inserts a dead letter, or updates the existing one of the same item. */
export async function putDeadLetter(tx: Executor, letter: DeadLetterRow): Promise<void> {
  const { error, failures, deaths, set_aside_at } = letter;
  await tx
    .insertInto('dead_letters')
    .values(letter)
    .onConflict((conflict) =>
      conflict.columns(['queue', 'item_id']).doUpdateSet({ error, failures, deaths, set_aside_at }),
    )
    .execute();
}

/** Returns the condition that an item, whose id is in a column, is not set aside. */
export const isNotSetAside = (queue: QueueName, id: string): RawBuilder<SqlBool> => sql<SqlBool>`not exists (
  select 1 from dead_letters where dead_letters.queue = ${sql.lit(queue)} and dead_letters.item_id = ${sql.ref(id)}
)`;

/** Counts the dead letters of each queue, at most 10,000 in total; omits queues without any. */
export async function countDeadLetters(executor: ReadExecutor): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ queue: QueueName; count: number }>`
    select queue, count(*) as count from (select queue from dead_letters limit ${MAX_COUNTED}) as counted
    group by queue`.execute(executor);
  return new Map(rows.map(({ queue, count }) => [queue, count]));
}

/** Returns at most `limit` dead letters before an id, of all queues or of one, newest first. */
export function listDeadLetters(
  executor: ReadExecutor,
  queue: QueueName | undefined,
  before: string | undefined,
  limit: number,
): Promise<DeadLetterRow[]> {
  let query = executor.selectFrom('dead_letters').selectAll();
  if (queue !== undefined) query = query.where('queue', '=', queue);
  if (before !== undefined) query = query.where('id', '<', before);
  return query.orderBy('id', 'desc').limit(limit).execute();
}

/** Deletes a dead letter and returns it; undefined if it does not exist. */
export async function takeDeadLetter(tx: Executor, id: string): Promise<DeadLetterRow | undefined> {
  const row = await tx
    .selectFrom('dead_letters')
    .selectAll()
    .where('id', '=', id)
    .modifyEnd(forUpdateOf(tx, 'dead_letters'))
    .executeTakeFirst();
  if (row) await tx.deleteFrom('dead_letters').where('id', '=', id).execute();
  return row;
}

/** Deletes the dead letter of an item that succeeded after all. */
export async function deleteDeadLetter(tx: Executor, queue: QueueName, itemId: string): Promise<void> {
  await tx.deleteFrom('dead_letters').where('queue', '=', queue).where('item_id', '=', itemId).execute();
}

/** The table of the items of each queue. */
export type ItemTables = ReadonlyMap<QueueName, keyof Tables>;

/** Deletes the dead letters of a page whose items no longer exist. Returns the last letter of the page, if any. */
export async function pruneDeadLetterPage(
  tx: Executor,
  tables: ItemTables,
  { after, limit }: { readonly after: string; readonly limit: number },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from dead_letters where id > ${after} order by id limit ${limit}`.execute(tx);
  const last = rows.at(-1)?.id;
  if (last === undefined) return undefined;
  const isItemThere = sql.join(
    [...tables].map(
      ([queue, table]) =>
        sql`(queue = ${sql.lit(queue)} and exists (select 1 from ${sql.table(table)} as item where item.id = item_id))`,
    ),
    sql` or `,
  );
  await sql`delete from dead_letters where id > ${after} and id <= ${last} and not (${isItemThere})`.execute(tx);
  return last;
}
