import { type RawBuilder, sql } from 'kysely';
import { type Executor, isPostgres } from './transaction.ts';

/**
 * The rows of a query as one JSON text, for lists of many small ones, in no particular order: handing a row over costs
 * the driver of SQLite more than finding it does. `columns`: the name of each field and where it comes from; only
 * texts, numbers below 2^53 and nulls.
 */
export function jsonRows(executor: Executor, columns: Readonly<Record<string, string>>): RawBuilder<string> {
  const fields = sql.join(Object.entries(columns).map(([name, column]) => sql`${sql.lit(name)}, ${sql.ref(column)}`));
  return isPostgres(executor)
    ? sql<string>`coalesce(json_agg(json_build_object(${fields})), '[]')::text`
    : sql<string>`json_group_array(json_object(${fields}))`;
}
