import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isPostgres, type ReadExecutor } from './transaction.ts';

/**
 * The condition that a text column has one of the values, passed as one parameter: the text of the query is the same for
 * any number of values, so that the engines plan it once.
 */
export const whereIn = (executor: ReadExecutor, column: string, values: Values): RawBuilder<SqlBool> =>
  isPostgres(executor)
    ? sql<SqlBool>`${sql.ref(column)} = any(${parameter(executor, values)})`
    : sql<SqlBool>`${sql.ref(column)} in ${unnest(executor, values)}`;

/**
 * The condition that a column is equal to the value of a query, for columns with which several indexes begin and of which
 * one value may have far more rows than others. PostgreSQL expects the rows of the average value; where that is one row, it
 * takes any of the indexes, and reads all rows of a value that has many. Of a list it expects ten times as many, and so takes
 * the index that has the other columns of the condition too.
 */
export const isOneOfMany = (executor: ReadExecutor, column: string, query: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  isPostgres(executor)
    ? sql<SqlBool>`${sql.ref(column)} = any(array(${query}))`
    : sql<SqlBool>`${sql.ref(column)} = (${query})`;

/** Returns texts, passed as one parameter, as rows of one column `value`. */
export const unnest = (executor: ReadExecutor, values: Values): RawBuilder<{ value: string }> =>
  isPostgres(executor)
    ? sql`(select value from unnest(${parameter(executor, values)}::text[]) as listed (value))`
    : sql`(select value from json_each(${parameter(executor, values)}))`;

/** A list of texts as one parameter of an engine: the argument of a prepared query. */
export type TextList = string | readonly string[];

export const textList = (executor: ReadExecutor, values: readonly string[]): TextList =>
  isPostgres(executor) ? values : JSON.stringify(values);

type Values = readonly string[] | RawBuilder<TextList>;

const parameter = (executor: ReadExecutor, values: Values): RawBuilder<TextList> =>
  'isRawBuilder' in values ? values : sql`${textList(executor, values)}`;
