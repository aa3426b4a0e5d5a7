import { CompiledQuery } from 'kysely';
import type { ColumnType } from './columns.ts';
import type { Tables } from './tables.ts';
import { type Executor, isPostgres } from './transaction.ts';

/*
 * Statements over many rows. A query builder costs a microsecond for every value it is given, which for wide rows is
 * more than the database takes. On PostgreSQL each column goes as one array, so that the text is the same for any
 * number of rows; on SQLite, which knows no arrays, as places for the values.
 */

/** The columns of a statement over many rows, with their types in the words of both engines. */
export type ColumnTypes<Row> = { readonly [Name in keyof Row & string]-?: ColumnType };

/** At most so many rows a statement: SQLite takes 32,766 values. */
const MAX_ROWS = 200;

interface Part {
  readonly text: string;
  readonly values: unknown[];
}

/** The rows as something to select from, in parts. */
function* partsOf<Row extends object>(tx: Executor, types: ColumnTypes<Row>, rows: readonly Row[]): Generator<Part> {
  const columns = Object.keys(types) as (keyof Row & string)[];
  for (let from = 0; from < rows.length; from += MAX_ROWS) {
    const part = rows.slice(from, from + MAX_ROWS);
    if (isPostgres(tx)) {
      const text = `select * from unnest(${columns.map((column, at) => `$${at + 1}::${types[column]}[]`).join(', ')})`;
      yield { text, values: columns.map((column) => part.map((row) => row[column])) };
    } else {
      const place = `(${columns.map(() => '?').join(', ')})`;
      const text = `values ${Array.from(part, () => place).join(', ')}`;
      yield { text, values: part.flatMap((row) => columns.map((column) => row[column])) };
    }
  }
}

/**
 * Inserts rows. One that exists already by any unique rule is passed over, or what `conflict` says: the words after
 * `on conflict`.
 */
export async function insertNew<Table extends keyof Tables>(
  tx: Executor,
  table: Table,
  types: ColumnTypes<Tables[Table]>,
  rows: readonly Tables[Table][],
  conflict = 'do nothing',
): Promise<void> {
  const columns = Object.keys(types).join(', ');
  for (const { text, values } of partsOf(tx, types, rows))
    await tx.executeQuery(
      CompiledQuery.raw(`insert into ${table} (${columns}) ${text} on conflict ${conflict}`, values),
    );
}

/** Inserts rows of a table that is known by its name only. */
export async function insertRows(
  tx: Executor,
  table: string,
  types: ReadonlyMap<string, string>,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = [...types.keys()].join(', ');
  for (const { text, values } of partsOf(tx, Object.fromEntries(types) as ColumnTypes<Record<string, unknown>>, rows))
    await tx.executeQuery(CompiledQuery.raw(`insert into ${table} (${columns}) ${text}`, values));
}

/** Updates rows of a table, each to values of its own, by `id`. */
export async function updateEach<Row extends { id: string }>(
  tx: Executor,
  table: keyof Tables,
  types: ColumnTypes<Row>,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(types);
  const sets = columns.filter((column) => column !== 'id').map((column) => `${column} = v.${column}`);
  for (const { text, values } of partsOf(tx, types, rows))
    await tx.executeQuery(
      CompiledQuery.raw(
        `with v (${columns.join(', ')}) as (${text}) update ${table} set ${sets.join(', ')} from v where ${table}.id = v.id`,
        values,
      ),
    );
}
