import { type RawBuilder, sql } from 'kysely';
import { type Executor, isPostgres } from './transaction.ts';

/**
 * The rows of a query as one text, `[[…], …]`, for lists of many small ones: handing a row over costs the driver of
 * SQLite more than finding it does. Only texts, numbers and nulls, and numbers below 2^53.
 */
export function jsonRows(executor: Executor, columns: readonly string[]): RawBuilder<string> {
  const values = sql.join(columns.map((column) => sql.ref(column)));
  return isPostgres(executor)
    ? sql<string>`coalesce(json_agg(json_build_array(${values})), '[]')::text`
    : sql<string>`json_group_array(json_array(${values}))`;
}

/** The rows back as objects. */
export function fromJsonRows<Row>(text: string, columns: readonly (keyof Row & string)[]): Row[] {
  const rows = JSON.parse(text) as unknown[][];
  return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])) as Row);
}
