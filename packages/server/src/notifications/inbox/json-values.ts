import { type RawBuilder, sql } from 'kysely';
import { type Executor, isPostgres, type ReadExecutor } from '../../platform/database/transaction.ts';

/*
 * Rows that come with a query as one JSON text: its text is the same for any number of them, on both engines, and it
 * can be kept prepared.
 */

/** The texts of a JSON array, as rows of one column `value`, for queries that are kept; otherwise there is `listed`. */
export const textsOf = (executor: ReadExecutor, json: unknown): RawBuilder<{ value: string }> =>
  isPostgres(executor)
    ? sql`(select value from json_array_elements_text(cast(${json} as json)))`
    : sql`(select value from json_each(${json}))`;

/** Arrays of a text and numbers, as rows of the given columns, the first one the text. */
export function tuplesOf(
  executor: Executor,
  json: unknown,
  [text, ...numbers]: readonly string[],
): RawBuilder<unknown> {
  const column = (name: string, at: number, type: 'text' | 'bigint') =>
    isPostgres(executor)
      ? sql`cast(value ->> ${sql.lit(at)} as ${sql.raw(type)}) as ${sql.ref(name)}`
      : sql`json_extract(value, ${sql.lit(`$[${at}]`)}) as ${sql.ref(name)}`;
  const columns = [column(text ?? '', 0, 'text'), ...numbers.map((name, at) => column(name, at + 1, 'bigint'))];
  const elements = isPostgres(executor) ? sql`json_array_elements(cast(${json} as json))` : sql`json_each(${json})`;
  return sql`(select ${sql.join(columns)} from ${elements})`;
}
