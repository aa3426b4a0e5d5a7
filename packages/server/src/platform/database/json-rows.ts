import { type RawBuilder, sql } from 'kysely';
import { isPostgres, type ReadExecutor } from './transaction.ts';

/** A column by its name, or what stands in its place: the rows of a query within. */
export type JsonColumn = string | RawBuilder<unknown>;

/**
 * The rows of a query as one JSON array of arrays, in no particular order, for lists of many small ones: handing a row
 * over costs the driver of SQLite more than finding it does. Only texts, numbers below 2^53 and nulls.
 */
export function jsonRows(executor: ReadExecutor, columns: readonly JsonColumn[]): RawBuilder<string> {
  const values = sql.join(columns.map((column) => (typeof column === 'string' ? sql.ref(column) : column)));
  return isPostgres(executor)
    ? sql<string>`coalesce(json_agg(json_build_array(${values})), '[]')`
    : sql<string>`json_group_array(json_array(${values}))`;
}

/** The same as a text, which the drivers hand over as it is. */
export const asText = (executor: ReadExecutor, json: RawBuilder<string>): RawBuilder<string> =>
  isPostgres(executor) ? sql<string>`(${json})::text` : json;
