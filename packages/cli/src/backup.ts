import { stat } from 'node:fs/promises';
import { progressLine, refusable, settingsOf, summaryJson } from './database-command.ts';
import { UsageError } from './failure.ts';
import { jsonText } from './output.ts';
import type { Terminal } from './terminal.ts';
import { writeWhole } from './whole-file.ts';

/** `moonbase backup`: writes everything that the hub of this machine knows to a file. Answers the exit status. */
export async function backup(options: { file: string; json: boolean }, terminal: Terminal): Promise<0 | 1> {
  const { file, json } = options;
  const toOutput = file === '-';
  if (!toOutput) await requireOrdinary(file);
  if (toOutput && terminal.isTerminal)
    throw new UsageError('A backup is no text: give a file, or lead the output to one');
  const settings = await settingsOf(terminal);
  const server = await import('@moonbase/server/backup');
  // Standard output is the backup itself there.
  const say = toOutput ? terminal.err : terminal.out;
  const line = progressLine('Backing up', terminal, !json && terminal.isErrorTerminal === true);
  return refusable(terminal, `Cannot back up to ${toOutput ? 'standard output' : file}`, async () => {
    const summary = await (toOutput
      ? server.backup(settings, process.stdout, line.show)
      : writeWhole(file, (output) => server.backup(settings, output, line.show))
    ).finally(line.end);
    if (json) return say(jsonText(summaryJson(summary)));
    const { rows, tables, header } = summary;
    say(`${toOutput ? 'Backed up' : `${file} has`} ${rows.toLocaleString('en')} rows of ${tables.length} tables`);
    say(`, as of ${header.createdAt}.\n`);
    say(`The key for the secrets in it is not in it: keep ${keyPlace(settings)} elsewhere.\n`);
  });
}

const keyPlace = ({ secretKey, dataDir }: { secretKey: string | undefined; dataDir: string }) =>
  secretKey === undefined ? `${dataDir}/secret.key` : 'MOONBASE_SECRET_KEY';

/** Moving a file to the place of a device or a pipe would put that out of the way. */
async function requireOrdinary(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there && !there.isFile())
    throw new UsageError(`${file} is no ordinary file. "moonbase backup -" writes to standard output.`);
}
