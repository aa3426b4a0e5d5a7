import { CompiledQuery } from 'kysely';
import type { Tables } from './tables.ts';
import { type Executor, isPostgres } from './transaction.ts';

/*
 * Statements over many rows. A query builder costs a microsecond for every value it is given, which for wide rows is
 * more than the database takes; the texts below are made once for each number of rows.
 */

const texts = new Map<string, string>();

function textOf(key: string, make: () => string): string {
  const known = texts.get(key);
  if (known !== undefined) return known;
  if (texts.size === 500) texts.clear();
  const text = make();
  texts.set(key, text);
  return text;
}

/** `(?, ?), (?, ?)`, or numbered as PostgreSQL wants them; `cell` says how the value of a column is written. */
function tuples(
  postgres: boolean,
  rows: number,
  columns: readonly string[],
  cell: (mark: string, column: string) => string,
) {
  let number = 0;
  const tuple = () => `(${columns.map((column) => cell(postgres ? `$${++number}` : '?', column)).join(', ')})`;
  return Array.from({ length: rows }, tuple).join(', ');
}

const valuesOf = <Row extends object>(rows: readonly Row[], columns: readonly (keyof Row)[]): unknown[] =>
  rows.flatMap((row) => columns.map((column) => row[column]));

/** At most so many rows a statement: what the engines take as parameters, and few texts. */
const MOST_ROWS = 200;

/** Inserts rows that all have the columns of the first; a row that exists already by any unique rule is passed over. */
export async function insertNew<Table extends keyof Tables>(
  tx: Executor,
  table: Table,
  rows: readonly Tables[Table][],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const postgres = isPostgres(tx);
  for (let from = 0; from < rows.length; from += MOST_ROWS) {
    const part = rows.slice(from, from + MOST_ROWS);
    const text = textOf(`insert ${table} ${columns.join()} ${part.length} ${postgres}`, () => {
      const places = tuples(postgres, part.length, columns, (mark) => mark);
      return `insert into ${table} (${columns.join(', ')}) values ${places} on conflict do nothing`;
    });
    await tx.executeQuery(CompiledQuery.raw(text, valuesOf(part as readonly object[], columns as never[])));
  }
}

/** The types of the columns that `updateEach` writes and looks rows up by, in the words of both engines. */
export type ColumnTypes = Readonly<Record<string, 'text' | 'bigint' | 'integer'>>;

/** Updates rows of a table, each to values of its own; `types` names every column given, `id` among them. */
export async function updateEach<Row extends { id: string }>(
  tx: Executor,
  table: keyof Tables,
  types: ColumnTypes,
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.keys(types);
  const postgres = isPostgres(tx);
  for (let from = 0; from < rows.length; from += MOST_ROWS) {
    const part = rows.slice(from, from + MOST_ROWS);
    const text = textOf(`update ${table} ${columns.join()} ${part.length} ${postgres}`, () => {
      const places = tuples(postgres, part.length, columns, (mark, column) => `cast(${mark} as ${types[column]})`);
      const sets = columns.filter((column) => column !== 'id').map((column) => `${column} = v.${column}`);
      return `with v (${columns.join(', ')}) as (values ${places}) update ${table} set ${sets.join(', ')} from v where ${table}.id = v.id`;
    });
    await tx.executeQuery(CompiledQuery.raw(text, valuesOf(part, columns as (keyof Row)[])));
  }
}
