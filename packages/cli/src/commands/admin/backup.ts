import { stat } from 'node:fs/promises';
import { configOf, onDatabase, summaryJson } from '../../database-command.ts';
import { dataDir } from '../../hub-settings.ts';
import { type Command, command } from '../../program/command.ts';
import { UsageError } from '../../program/failure.ts';
import { argument } from '../../program/parameter.ts';
import { jsonText } from '../../terminal/table.ts';
import { writeWhole } from '../../whole-file.ts';

export const backup: Command = command({
  name: 'backup',
  summary: 'write all that the hub of this machine knows to a file, while it runs',
  details:
    'MOONBASE_DATABASE_URL names another database than the one in the folder. The key of its secrets is not in it.',
  args: { file: argument('where to; - writes to standard output') },
  options: { dataDir },
  async run({ args: { file }, options, terminal, json }) {
    const toOutput = file === '-';
    if (!toOutput) await requireOrdinary(file);
    if (toOutput && terminal.isTerminal)
      throw new UsageError('A backup is no text: give a file, or lead the output to one.');
    const config = await configOf(options, terminal);
    const server = await import('@moonbase/server/backup');
    const summary = await onDatabase(terminal, {
      doing: 'Backing up',
      cannot: `Cannot back up to ${toOutput ? 'standard output' : file}`,
      json,
      work: (told) =>
        toOutput
          ? server.backup(config, process.stdout, told)
          : writeWhole(file, (output) => server.backup(config, output, told)),
    });
    const { rows, tables, header } = summary;
    const keep = `The key for the secrets in it is not in it: keep ${keyPlace(config)} elsewhere.\n`;
    const said =
      `${toOutput ? 'Backed up' : `${file} has`} ${rows.toLocaleString('en')} rows of ${tables.length} tables, ` +
      `as of ${header.createdAt}.\n${keep}`;
    // Standard output is the backup itself there.
    (toOutput ? terminal.err : terminal.out)(json ? jsonText(summaryJson(summary)) : said);
  },
});

export const restore: Command = command({
  name: 'restore',
  summary: 'fill the empty database of the hub of this machine from a backup',
  details: 'The hub must not run. Of the file, all is taken or nothing.',
  args: { file: argument('what `backup` wrote') },
  options: { dataDir },
  async run({ args: { file }, options, terminal, json }) {
    if (file === '-') throw new UsageError('A backup is read twice, first to see that it is whole: give a file.');
    const config = await configOf(options, terminal);
    const server = await import('@moonbase/server/backup');
    const summary = await onDatabase(terminal, {
      ...{ doing: 'Restoring', cannot: `Cannot restore ${file}`, json },
      work: (told) => server.restore(config, file, told),
    });
    return summaryJson(summary);
  },
  say: ({ rows, tables, createdAt }) =>
    `Restored ${rows.toLocaleString('en')} rows of ${tables.length} tables, as of ${createdAt}.\n`,
});

const keyPlace = ({ secretKey, dataDir }: { secretKey: string | undefined; dataDir: string }) =>
  secretKey === undefined ? `${dataDir}/secret.key` : 'MOONBASE_SECRET_KEY';

/** Moving a file to the place of a device or a pipe would put that out of the way. */
async function requireOrdinary(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there && !there.isFile())
    throw new UsageError(`${file} is no ordinary file. "moonbase backup -" writes to standard output.`);
}
