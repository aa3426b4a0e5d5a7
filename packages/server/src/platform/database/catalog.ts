import { CompiledQuery } from 'kysely';
import type { Database } from './transaction.ts';

/** Table → column → type in the words of the engine; columns in the order of their names, which is the same on both. */
export type Catalog = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Asks for all columns of all tables: name of the table, of the column, its type. */
export const CATALOG_QUERY = {
  sqlite: `select t.name as table_name, c.name as column_name, c.type as data_type
    from sqlite_master t join pragma_table_info(t.name) c where t.type = 'table' and t.name not like 'sqlite_%'`,
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
  const { rows } = await read.executeQuery<{ table_name: string; column_name: string; data_type: string }>(
    CompiledQuery.raw(CATALOG_QUERY[engine]) as CompiledQuery<never>,
  );
  return catalogOf(rows.map((row) => [row.table_name, row.column_name, row.data_type]));
}
