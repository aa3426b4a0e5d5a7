import { sql } from 'kysely';
import { rawQuery } from './prepared.ts';
import type { Database, Executor } from './transaction.ts';

/** Table → column → type as the engine names it; columns are ordered by name, so that both engines agree. */
export type Catalog = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Selects all columns of all tables: table name, column name and type. Virtual tables of SQLite, which are indexes, and
 * those that they store their content in are none.
 */
export const CATALOG_QUERY = {
  sqlite: `select t.name as table_name, c.name as column_name, c.type as data_type
    from pragma_table_list t join pragma_table_info(t.name) c
    where t.schema = 'main' and t.type = 'table' and t.name not like 'sqlite_%'`,
  postgres: `select table_name, column_name, data_type from information_schema.columns
    where table_schema = current_schema()`,
};

export function catalogOf(rows: readonly (readonly [table: string, column: string, type: string])[]): Catalog {
  const catalog = new Map<string, Map<string, string>>();
  const inOrder = [...rows].sort(([, a], [, b]) => (a < b ? -1 : 1));
  for (const [table, column, type] of inOrder) {
    const columns = catalog.get(table) ?? new Map<string, string>();
    catalog.set(table, columns.set(column, type.toLowerCase()));
  }
  return catalog;
}

export async function readCatalog({ engine, read }: Pick<Database, 'engine' | 'read'>): Promise<Catalog> {
  const query = rawQuery<{ table_name: string; column_name: string; data_type: string }>(CATALOG_QUERY[engine]);
  const { rows } = await read.executeQuery(query);
  return catalogOf(rows.map((row) => [row.table_name, row.column_name, row.data_type]));
}

/** Returns the number of rows of a table known only by name. */
export async function countRows(tx: Executor, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(tx);
  return Number(rows[0]?.count);
}

/** Updates the statistics of tables, by which PostgreSQL plans. */
export async function analyze(tx: Executor, tables: readonly string[]): Promise<void> {
  await sql`analyze ${sql.join(tables.map((table) => sql.table(table)))}`.execute(tx);
}
