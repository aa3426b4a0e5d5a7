import { progressLine, refusable, settingsOf, summaryJson } from './database-command.ts';
import { UsageError } from './failure.ts';
import { jsonText } from './output.ts';
import type { Terminal } from './terminal.ts';

/** `moonbase restore`: fills the empty database of the hub of this machine from a backup. Answers the exit status. */
export async function restore(options: { file: string; json: boolean }, terminal: Terminal): Promise<0 | 1> {
  const { file, json } = options;
  if (file === '-') throw new UsageError('A backup is read twice, first to see that it is whole: give a file.');
  const settings = await settingsOf(terminal);
  const server = await import('@moonbase/server/backup');
  const line = progressLine('Restoring', terminal, !json && terminal.isErrorTerminal === true);
  return refusable(terminal, `Cannot restore ${file}`, async () => {
    const summary = await server.restore(settings, file, line.show).finally(line.end);
    if (json) return terminal.out(jsonText(summaryJson(summary)));
    const { rows, tables, header } = summary;
    terminal.out(`Restored ${rows.toLocaleString('en')} rows of ${tables.length} tables, as of ${header.createdAt}.\n`);
  });
}
