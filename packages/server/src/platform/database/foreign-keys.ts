import { sql } from 'kysely';
import { type Executor, isPostgres } from './transaction.ts';

/**
 * Counts the foreign keys of the schema, and the rows that refer to nothing. PostgreSQL has refused such rows before;
 * SQLite looks at all rows again.
 */
export async function checkForeignKeys(tx: Executor): Promise<{ readonly keys: number; readonly broken: number }> {
  if (isPostgres(tx)) {
    await sql`set constraints all immediate`.execute(tx);
    const { rows } = await sql<{ keys: number }>`
      select count(*) as keys from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(tx);
    return { keys: Number(rows[0]?.keys), broken: 0 };
  }
  const { rows: keys } = await sql<{ keys: number }>`
    select count(*) as keys from pragma_table_list t join pragma_foreign_key_list(t.name) k
    where t.schema = 'main' and k.seq = 0`.execute(tx);
  const { rows: broken } = await sql<{ broken: number }>`
    select count(*) as broken from pragma_foreign_key_check`.execute(tx);
  return { keys: Number(keys[0]?.keys), broken: Number(broken[0]?.broken) };
}
