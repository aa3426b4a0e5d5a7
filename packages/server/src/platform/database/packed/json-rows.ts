import { type RawBuilder, sql } from 'kysely';
import type { JsonText } from '../../stored-form.ts';
import { isPostgres, type ReadExecutor } from '../transaction.ts';

/** A column by its name, or what stands in its place: the rows of a query within. */
export type JsonColumn = string | RawBuilder<unknown>;

/**
 * Returns the rows of a query as one JSON array of arrays, in no particular order, for lists of many small rows: the SQLite
 * driver takes longer to hand a row over than SQLite takes to find it. Columns hold texts, numbers below 2^53 and nulls only;
 * `Row` states them in the order of `columns`.
 */
export function jsonRows<Row extends readonly unknown[] = readonly unknown[]>(
  executor: ReadExecutor,
  columns: readonly JsonColumn[],
): RawBuilder<JsonText<Row[]>> {
  const values = sql.join(columns.map((column) => (typeof column === 'string' ? sql.ref(column) : column)));
  return isPostgres(executor)
    ? sql<JsonText<Row[]>>`coalesce(json_agg(json_build_array(${values})), '[]')`
    : sql<JsonText<Row[]>>`json_group_array(json_array(${values}))`;
}

/** Returns the same JSON as a text, which the drivers hand over unparsed. */
export const asText = <Json extends string>(executor: ReadExecutor, json: RawBuilder<Json>): RawBuilder<Json> =>
  isPostgres(executor) ? sql<Json>`(${json})::text` : json;
