import { styleOf } from './style.ts';
import { type Columns, detailsText, jsonText, tableText } from './table.ts';
import type { Terminal } from './terminal.ts';

interface Printing {
  readonly json: boolean;
  readonly terminal: Terminal;
}

/** Prints a result: unchanged with `--json`, otherwise as the command formats it. Prints nothing for undefined. */
export function printAnswer<T, C extends Printing>(
  answer: T,
  { say, columns }: { say?: (answer: T, context: C) => string; columns?: Columns<T> },
  context: C,
): void {
  const { json, terminal } = context;
  if (answer === undefined) return;
  if (json) terminal.out(jsonText(answer));
  else if (say) terminal.out(say(answer, context));
  else if (columns) terminal.out(detailsText(answer, columns, styleOf(terminal)));
}

/**
 * Prints the first entries of a list. A hint that there are more goes to standard error, so that it does not disturb
 * programs.
 */
export async function printList<T>(
  list: AsyncIterable<T> | Promise<readonly T[]>,
  columns: Columns<T>,
  limit: number,
  { json, terminal }: Printing,
): Promise<void> {
  const entries: T[] = [];
  let more = false;
  for await (const entry of Symbol.asyncIterator in list ? list : await list) {
    more = entries.length >= limit;
    if (more) break;
    entries.push(entry);
  }
  if (json) terminal.out(jsonText(entries));
  else if (entries.length > 0) terminal.out(tableText(entries, columns, styleOf(terminal)));
  else terminal.err('There is nothing to list.\n');
  if (more) terminal.err(`There are more than ${limit} entries: use --limit to show more.\n`);
}

/** Prints entries as they arrive, one per line. */
export async function printLines<T>(
  entries: AsyncIterable<T>,
  line: (entry: T) => string,
  { json, terminal }: Printing,
): Promise<void> {
  for await (const entry of entries) terminal.out(`${json ? JSON.stringify(entry) : line(entry)}\n`);
}
