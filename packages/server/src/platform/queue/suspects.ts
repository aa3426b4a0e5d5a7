import { sql } from 'kysely';
import type { QueueName } from '../database/tables.ts';
import type { Database, Executor, ReadExecutor } from '../database/transaction.ts';
import { unnest, whereIn } from '../database/where-in.ts';
import type { Logger } from '../logger.ts';
import { MAX_DEATHS, type SetAside } from './dead-letters.ts';

interface Holder {
  readonly queue: QueueName;
  readonly owner: string;
}

/** How often an item that is in hand beside others was in hand at a death: of many, nobody knows which one it was. */
const BESIDE_OTHERS = -1;

/** Takes items in hand together; returns those that no other process has, and that are no suspects. */
export async function holdAll(executor: Executor, { queue, owner }: Holder, ids: readonly string[]) {
  const { rows } = await sql<{ item_id: string }>`
    insert into suspects (queue, item_id, deaths, held_by)
    select ${sql.lit(queue)}, value, ${sql.lit(BESIDE_OTHERS)}, ${owner} from ${unnest(executor, ids)} as items where true order by value
    on conflict (queue, item_id) do nothing returning item_id`.execute(executor);
  return new Set(rows.map((row) => row.item_id));
}

/** Takes a suspect in hand, alone; returns false where another process has it, or where it is about to be set aside. */
export async function holdOne(executor: Executor, { queue, owner }: Holder, id: string): Promise<boolean> {
  const { rows } = await sql`
    insert into suspects (queue, item_id, deaths, held_by) values (${queue}, ${id}, 0, ${owner})
    on conflict (queue, item_id) do update set held_by = excluded.held_by
    where suspects.deaths < ${sql.lit(MAX_DEATHS)} and (suspects.held_by is null or suspects.held_by = excluded.held_by)
    returning item_id`.execute(executor);
  return rows.length > 0;
}

/** Suspects no more: items that this process has had in hand. A death that was counted meanwhile was none. */
export async function release(executor: Executor, { queue, owner }: Holder, ids: readonly string[]): Promise<void> {
  await executor
    .deleteFrom('suspects')
    .where('queue', '=', queue)
    .where((eb) => eb.or([eb('held_by', '=', owner), eb('held_by', 'is', null)]))
    .where(whereIn(executor, 'item_id', ids))
    .execute();
}

export const loadSuspects = (executor: ReadExecutor) => executor.selectFrom('suspects').selectAll().execute();

/** At a clean end: nothing that this process has in hand has ended it. */
export async function releaseAll(tx: Executor, owner: string): Promise<void> {
  await tx.deleteFrom('suspects').where('held_by', '=', owner).where('deaths', '<=', 0).execute();
  await tx.updateTable('suspects').set({ held_by: null }).where('held_by', '=', owner).execute();
}

const DIED = 'The process of the hub ended each time while it had this in hand';

/**
 * Removes the rows of processes that say nothing any more, counts a death for what they had in hand alone, and makes
 * suspects of what they had in hand together. Returns whether there were any.
 */
export const countDeaths = (database: Database, dead: readonly { id: string; seenAt: number }[]): Promise<boolean> =>
  database.transaction(async (tx) => {
    let isNews = false;
    for (const { id, seenAt } of dead) {
      const { numDeletedRows } = await tx
        .deleteFrom('processes')
        .where('id', '=', id)
        .where('seen_at', '=', seenAt)
        .executeTakeFirst();
      if (numDeletedRows > 0n) isNews = true;
    }
    if (isNews)
      await sql`
        update suspects set deaths = deaths + 1, held_by = null
        where held_by is not null and held_by not in (select id from processes)`.execute(tx);
    return isNews;
  });

/** Sets aside what was in hand once too often. What cannot be set aside stays a suspect, and keeps no process from starting. */
export async function setAsideDeadly(database: Database, setAside: SetAside, logger: Logger): Promise<void> {
  const deadly = await database.read
    .selectFrom('suspects')
    .select(['queue', 'item_id', 'deaths'])
    .where('deaths', '>=', MAX_DEATHS)
    .where('held_by', 'is', null)
    .execute();
  for (const { queue, item_id, deaths } of deadly)
    await database
      .transaction(async (tx) => {
        const { numDeletedRows } = await tx
          .deleteFrom('suspects')
          .where('queue', '=', queue)
          .where('item_id', '=', item_id)
          .where('held_by', 'is', null)
          .executeTakeFirst();
        if (numDeletedRows > 0n) await setAside(tx, queue, item_id, { error: DIED, failures: 0, deaths });
      })
      .catch((err: unknown) => logger.error({ err, queue, itemId: item_id }, 'a suspect could not be set aside'));
}
