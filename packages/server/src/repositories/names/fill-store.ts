import { sql } from 'kysely';
import { type Executor, isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';

/** Returns whether the table of searched names has every name. */
export const namesAreFilled = async (executor: ReadExecutor): Promise<boolean> =>
  (await executor.selectFrom('name_fills').select('reached').executeTakeFirst()) === undefined;

/** Adds the names of the next repositories; returns the id of the last, or undefined if there were no more. */
export async function addNames(tx: Executor, after: string, limit: number): Promise<string | undefined> {
  // The lock keeps a repository from being deleted before its name is there to be deleted.
  const locked = isPostgres(tx) ? sql`for key share` : sql``;
  const next = sql`select id, name_key from repositories where id > ${after} order by id limit ${limit} ${locked}`;
  await sql`
    insert into searched_names (id, name)
    select id, replace(replace(name_key, '_', '-'), '.', '-') from (${next}) as next where 1 = 1
    on conflict (id) do nothing`.execute(tx);
  const { rows } = await sql<{ id: string | null }>`
    select max(id) as id from (
      select id from repositories where id > ${after} order by id limit ${limit}
    ) as next`.execute(tx);
  return rows[0]?.id ?? undefined;
}

/**
 * Adds the next names to SQLite's index of them; returns whether there may be more. PostgreSQL collects new entries of an
 * index itself. The index may have a number of before, of a name that was changed or deleted.
 */
export async function indexNames(tx: Executor, limit: number): Promise<boolean> {
  if (isPostgres(tx)) return false;
  const next = sql`from searched_names where pending = 1 order by number limit ${limit}`;
  await sql`delete from searched_name_grams where rowid in (select number ${next})`.execute(tx);
  await sql`insert into searched_name_grams (rowid, name) select number, name ${next}`.execute(tx);
  const { numAffectedRows } =
    await sql`update searched_names set pending = 0 where number in (select number ${next})`.execute(tx);
  return Number(numAffectedRows ?? 0) === limit;
}
