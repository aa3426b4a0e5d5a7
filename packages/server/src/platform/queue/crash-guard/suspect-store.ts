import { sql } from 'kysely';
import type { QueueName } from '../../database/tables.ts';
import type { Executor, ReadExecutor } from '../../database/transaction.ts';
import { unnest, whereIn } from '../../database/where-in.ts';
import { MAX_DEATHS } from '../dead-letters.ts';

interface Holder {
  readonly queue: QueueName;
  readonly owner: string;
}

/** The number of deaths of an item in hand beside others, which the first death sets to 0: its cause among many is unknown. */
const BESIDE_OTHERS = -1;

/** Takes items in hand together; returns those that are not suspects and not in hand of another process. */
export async function holdTogether(executor: Executor, { queue, owner }: Holder, ids: readonly string[]) {
  const { rows } = await sql<{ item_id: string }>`
    insert into suspects (queue, item_id, deaths, held_by)
    select ${sql.lit(queue)}, value, ${sql.lit(BESIDE_OTHERS)}, ${owner} from ${unnest(executor, ids)} as items where true order by value
    on conflict (queue, item_id) do nothing returning item_id`.execute(executor);
  return new Set(rows.map((row) => row.item_id));
}

/** Takes a suspect in hand alone; returns false if another process has it, or if it is about to be set aside. */
export async function holdAlone(executor: Executor, { queue, owner }: Holder, id: string): Promise<boolean> {
  const { rows } = await sql`
    insert into suspects (queue, item_id, deaths, held_by) values (${queue}, ${id}, 0, ${owner})
    on conflict (queue, item_id) do update set held_by = excluded.held_by
    where suspects.deaths < ${sql.lit(MAX_DEATHS)} and (suspects.held_by is null or suspects.held_by = excluded.held_by)
    returning item_id`.execute(executor);
  return rows.length > 0;
}

/** Clears items that this process has survived. A death counted meanwhile is withdrawn. */
export async function release(executor: Executor, { queue, owner }: Holder, ids: readonly string[]): Promise<void> {
  await executor
    .deleteFrom('suspects')
    .where('queue', '=', queue)
    .where((eb) => eb.or([eb('held_by', '=', owner), eb('held_by', 'is', null)]))
    .where(whereIn(executor, 'item_id', ids))
    .execute();
}

export const loadSuspects = (executor: ReadExecutor) => executor.selectFrom('suspects').selectAll().execute();

/** At a clean exit: no item in hand of this process has ended it. */
export async function releaseAll(tx: Executor, owner: string): Promise<void> {
  await tx.deleteFrom('suspects').where('held_by', '=', owner).where('deaths', '<=', 0).execute();
  await tx.updateTable('suspects').set({ held_by: null }).where('held_by', '=', owner).execute();
}

/** Counts a death for items that dead processes had in hand alone, and makes suspects of items that they had together. */
export async function countDeathsOfGone(tx: Executor): Promise<void> {
  await sql`
    update suspects set deaths = deaths + 1, held_by = null
    where held_by is not null and held_by not in (select id from processes)`.execute(tx);
}

/** Returns items with too many deaths that no process has in hand. */
export const deadlySuspects = (executor: ReadExecutor) =>
  executor
    .selectFrom('suspects')
    .select(['queue', 'item_id', 'deaths'])
    .where('deaths', '>=', MAX_DEATHS)
    .where('held_by', 'is', null)
    .execute();

/** Deletes a suspect that no process has in hand. Returns whether it existed. */
export async function deleteSuspect(tx: Executor, queue: QueueName, itemId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('suspects')
    .where('queue', '=', queue)
    .where('item_id', '=', itemId)
    .where('held_by', 'is', null)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
