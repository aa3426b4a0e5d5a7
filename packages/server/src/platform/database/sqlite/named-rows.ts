import type { SqliteStatement } from 'kysely';
import type Libsql from 'libsql';

type Row = Record<string, unknown>;

/**
 * The rows of a statement as objects. The driver returns them as arrays and the names are added here, because the driver
 * takes three times as long to return a row with names.
 */
export function namedRows(statement: Libsql.Statement): Pick<SqliteStatement, 'all' | 'iterate'> {
  statement.raw(true);
  let names: string[] = [];

  function* iterate(parameters: readonly unknown[]): IterableIterator<Row> {
    for (const values of statement.iterate(parameters)) yield named(values as unknown[]);
  }

  function named(values: unknown[]): Row {
    // A statement that was prepared before a column was added returns the column as well.
    if (names.length !== values.length) names = statement.columns().map((column) => column.name);
    const row: Row = {};
    let at = 0;
    for (const name of names) row[name] = values[at++];
    return row;
  }

  return {
    iterate,
    all(parameters) {
      const rows: Row[] = [];
      for (const values of statement.iterate(parameters)) rows.push(named(values as unknown[]));
      return rows;
    },
  };
}
