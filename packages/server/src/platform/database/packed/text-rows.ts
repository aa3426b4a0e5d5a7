import { type RawBuilder, sql } from 'kysely';
import { isPostgres, type ReadExecutor } from '../transaction.ts';

/*
 * Rows as one text, for rows whose last column is long JSON: a line per row, a blank between columns. Handing one text over
 * is quicker than many rows, and unlike `jsonRows` this form neither escapes that JSON nor parses it. Columns are numbers, ids
 * and empty texts, which contain neither blanks nor line breaks; the last column may contain blanks, and JSON text without
 * indentation contains no line breaks.
 */

/** Returns the rows of a query as one text, null where there are no rows. No column may be null. */
export function textRows(executor: ReadExecutor, columns: readonly RawBuilder<unknown>[]): RawBuilder<string | null> {
  const line = sql.join(columns, sql` || ' ' || `);
  return isPostgres(executor)
    ? sql<string | null>`string_agg(${line}, chr(10))`
    : sql<string | null>`group_concat(${line}, char(10))`;
}

/** Returns the columns of each row that `textRows` wrote; `count` is the number of columns. */
export const readTextRows = (text: string | null, count: number): string[][] =>
  text === null || text === '' ? [] : text.split('\n').map((line) => columnsOf(line, count));

function columnsOf(line: string, count: number): string[] {
  const columns: string[] = [];
  let from = 0;
  while (columns.length < count - 1) {
    const blank = line.indexOf(' ', from);
    columns.push(line.slice(from, blank));
    from = blank + 1;
  }
  columns.push(line.slice(from));
  return columns;
}
