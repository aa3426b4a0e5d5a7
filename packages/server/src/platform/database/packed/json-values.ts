import { type RawBuilder, sql } from 'kysely';
import { type Executor, isPostgres, type ReadExecutor } from '../transaction.ts';

/*
 * Lists that a query takes as one JSON text: the statement is the same for any number of items, on both engines, and can be
 * kept prepared.
 */

/** Returns the texts of a JSON array as rows of one column `value`, for prepared queries; other queries use `unnest`. */
export const textsOf = (executor: ReadExecutor, json: unknown): RawBuilder<{ value: string }> =>
  isPostgres(executor)
    ? sql`(select value from json_array_elements_text(cast(${json} as json)))`
    : sql`(select value from json_each(${json}))`;

/** Returns JSON arrays of one text and then numbers as rows: `text` is the column of the text, `numbers` are the others. */
export function tuplesOf(
  executor: Executor,
  json: unknown,
  [text, ...numbers]: readonly [text: string, ...numbers: string[]],
): RawBuilder<unknown> {
  const column = (name: string, at: number, type: 'text' | 'bigint') =>
    isPostgres(executor)
      ? sql`cast(value ->> ${sql.lit(at)} as ${sql.raw(type)}) as ${sql.ref(name)}`
      : sql`json_extract(value, ${sql.lit(`$[${at}]`)}) as ${sql.ref(name)}`;
  const columns = [column(text, 0, 'text'), ...numbers.map((name, at) => column(name, at + 1, 'bigint'))];
  const elements = isPostgres(executor) ? sql`json_array_elements(cast(${json} as json))` : sql`json_each(${json})`;
  return sql`(select ${sql.join(columns)} from ${elements})`;
}
