import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isPostgres, type ReadExecutor } from './transaction.ts';

/**
 * The condition that a text column has one of the values, passed as one parameter: the text of the query is the same for
 * any number of values, so that the engines plan it once.
 */
export const whereIn = (executor: ReadExecutor, column: string, values: readonly string[]): RawBuilder<SqlBool> =>
  isPostgres(executor)
    ? sql<SqlBool>`${sql.ref(column)} = any(${values})`
    : sql<SqlBool>`${sql.ref(column)} in ${unnest(executor, values)}`;

/** Returns texts, passed as one parameter, as rows of one column `value`. */
export const unnest = (executor: ReadExecutor, values: readonly string[]): RawBuilder<{ value: string }> =>
  isPostgres(executor)
    ? sql`(select value from unnest(${values}::text[]) as listed (value))`
    : sql`(select value from json_each(${JSON.stringify(values)}))`;
