import { CompiledQuery } from 'kysely';
import type { Columns, ColumnType, RowOf } from './columns.ts';
import { UNAWAITED } from './postgres/unawaited.ts';
import type { Tables } from './tables.ts';
import { type Executor, isPostgres } from './transaction.ts';

/*
 * Statements over many rows. A query builder costs a microsecond per value, which for wide rows is more than the database
 * takes. On PostgreSQL each column is passed as one array, so that the text is the same for any number of rows; on SQLite,
 * which has no arrays, each value is a placeholder.
 */

/** The maximum number of rows per statement: SQLite accepts 32,766 values. */
const MAX_ROWS = 200;

interface Part {
  readonly text: string;
  readonly values: unknown[];
}

/** Returns the rows as sources to select from, in parts. */
function* partsOf(
  tx: Executor,
  types: Readonly<Record<string, string>>,
  rows: readonly Readonly<Record<string, unknown>>[],
): Generator<Part> {
  const columns = Object.keys(types);
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
 * Inserts rows. Skips a row that violates a unique constraint, unless `conflict` gives other words after `on conflict`.
 */
export async function insertNew<Declared extends Columns>(
  tx: Executor,
  table: keyof Tables,
  types: Declared,
  rows: readonly RowOf<Declared>[],
  conflict = 'do nothing',
): Promise<void> {
  const columns = Object.keys(types).join(', ');
  for (const { text, values } of partsOf(tx, types, rows))
    await tx.executeQuery(
      CompiledQuery.raw(`insert into ${table} (${columns}) ${text} on conflict ${conflict} ${UNAWAITED}`, values),
    );
}

/** Inserts rows into a table known only by name. */
export async function insertRows(
  tx: Executor,
  table: string,
  types: ReadonlyMap<string, string>,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = [...types.keys()].join(', ');
  for (const { text, values } of partsOf(tx, Object.fromEntries(types), rows))
    await tx.executeQuery(CompiledQuery.raw(`insert into ${table} (${columns}) ${text}`, values));
}

interface Updated {
  /** Leaves rows alone that have these values already. */
  readonly onlyChanged?: boolean;
  /** A condition in SQL on the row and its new values, which are called `v`. */
  readonly only?: string;
  /** Leaves rows alone that another transaction has locked, instead of waiting for it. */
  readonly skipLocked?: boolean;
}

/** Updates rows of a table by `id`, each with its own values. */
export async function updateEach<Declared extends Columns & { readonly id: ColumnType }>(
  tx: Executor,
  table: keyof Tables,
  types: Declared,
  rows: readonly RowOf<Declared>[],
  { onlyChanged = false, only, skipLocked = false }: Updated = {},
): Promise<void> {
  const columns = Object.keys(types);
  const changing = columns.filter((column) => column !== 'id');
  const sets = changing.map((column) => `${column} = v.${column}`);
  const changed = changing.map((column) => `${table}.${column} is distinct from v.${column}`).join(' or ');
  const unlocked = `select id from ${table} where id in (select id from v) for no key update skip locked`;
  const where = [
    `${table}.id = v.id`,
    ...(onlyChanged ? [`(${changed})`] : []),
    ...(only === undefined ? [] : [`(${only})`]),
    ...(skipLocked && isPostgres(tx) ? [`${table}.id in (${unlocked})`] : []),
  ].join(' and ');
  for (const { text, values } of partsOf(tx, types, rows))
    await tx.executeQuery(
      CompiledQuery.raw(
        `with v (${columns.join(', ')}) as (${text}) update ${table} set ${sets.join(', ')} from v where ${where} ${UNAWAITED}`,
        values,
      ),
    );
}
