import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { CopiedFiles, Pruned } from '@moonbase/server/backup';
import { configOf, onDatabase, summaryJson } from '../../database-command.ts';
import { dataDir } from '../../hub-settings.ts';
import { type Command, command, withCommands } from '../../program/command.ts';
import { UsageError } from '../../program/failure.ts';
import { argument, flag } from '../../program/parameter.ts';
import { jsonText } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';
import { verify } from './verify-backup.ts';

const databaseOnly = flag('leave out the files of repositories');
const prune = flag('afterwards, delete files of repositories that no backup in the folder has needed for 30 days');

const write: Command = command({
  name: 'backup',
  summary: 'back up the hub of this machine to a file, while it runs or not',
  details:
    'MOONBASE_DATABASE_URL selects another database than the one in the data folder. The backup does not contain the key for its secrets.',
  args: { file: argument('the backup file; - writes to standard output') },
  options: { dataDir, databaseOnly, prune },
  async run({ args: { file }, options, terminal, json }) {
    const toOutput = file === '-';
    const { databaseOnly: isDatabaseOnly, prune: isPruning, ...settings } = options;
    if (isPruning && (toOutput || isDatabaseOnly))
      throw new UsageError('--prune needs a backup with the files of repositories: neither - nor --database-only.');
    if (!toOutput) await requireOrdinary(file);
    if (toOutput && terminal.isTerminal)
      throw new UsageError('A backup is binary: give a file, or redirect the output to one.');
    const config = await configOf(settings, terminal);
    const server = await import('@moonbase/server/backup');
    const withFiles = !toOutput && !isDatabaseOnly;
    const summary = await onDatabase(terminal, {
      doing: 'Backing up',
      cannot: `Cannot back up to ${toOutput ? 'standard output' : file}`,
      json,
      work: (onProgress) =>
        toOutput
          ? server.backup(config, process.stdout, { withFiles, progress: onProgress })
          : server.writeWhole(file, (output) => server.backup(config, output, { withFiles, progress: onProgress })),
    });
    const files = withFiles
      ? await onDatabase(terminal, {
          ...{ doing: 'Backing up', cannot: `Cannot copy the files of repositories beside ${file}`, json },
          work: (onProgress) => server.backupFiles(config, file, onProgress),
        })
      : undefined;
    // What the hub has lost may be beside older backups alone.
    const pruned =
      isPruning && files?.faulty.length === 0
        ? await onDatabase(terminal, {
            ...{ doing: 'Deleting', cannot: `Cannot delete old files beside ${file}`, json },
            work: (onProgress) => server.pruneBackupFiles(dirname(file), onProgress),
          })
        : undefined;
    const { rows, tables, header } = summary;
    const keep = `The backup does not contain the key for its secrets: keep ${keyPlace(config)} elsewhere.\n`;
    const text =
      `${toOutput ? 'Backed up' : `${file} has`} ${rows.toLocaleString('en')} rows of ${tables.length} tables, ` +
      `as of ${header.createdAt}.\n${files && files.gitFolders + files.blobs > 0 ? filesText(files, server.filesFolderOf(file)) : ''}${pruned?.files ? deletedText(pruned) : ''}${keep}`;
    if (files) warnOfFaults(files, terminal);
    if (pruned?.hindrance !== undefined) terminal.err(`No old files were deleted: ${pruned.hindrance}.\n`);
    // Standard output carries the backup itself.
    (toOutput ? terminal.err : terminal.out)(json ? jsonText(summaryJson(summary)) : text);
  },
});

export const backup = withCommands(write, [verify]);

export const restore: Command = command({
  name: 'restore',
  summary: 'restore a backup into the empty database of the hub of this machine',
  details: 'The hub must not be running. The backup is restored completely or not at all.',
  args: { file: argument('a file written by `backup`') },
  options: { dataDir, databaseOnly },
  async run({ args: { file }, options, terminal, json }) {
    if (file === '-') throw new UsageError('A backup is read twice, first to verify it: give a file.');
    const { databaseOnly: isDatabaseOnly, ...settings } = options;
    const config = await configOf(settings, terminal);
    const server = await import('@moonbase/server/backup');
    const description = { doing: 'Restoring', cannot: `Cannot restore ${file}`, json };
    // Files are restored first, because they do no harm without their rows.
    if (!isDatabaseOnly)
      warnOfFaults(
        await onDatabase(terminal, {
          ...description,
          work: (onProgress) => server.restoreFiles(config, file, onProgress),
        }),
        terminal,
      );
    const summary = await onDatabase(terminal, {
      ...description,
      work: (onProgress) => server.restore(config, file, onProgress),
    });
    if (config.git.store === 'bucket' && !isDatabaseOnly)
      terminal.err('The git objects are in the data folder: run "moonbase git-to-bucket" before you start the hub.\n');
    return summaryJson(summary);
  },
  say: ({ rows, tables, createdAt }) =>
    `Restored ${rows.toLocaleString('en')} rows of ${tables.length} tables, as of ${createdAt}.\n`,
});

const filesText = ({ gitFolders, blobs }: CopiedFiles, folder: string): string =>
  `${folder} has the files of ${gitFolders.toLocaleString('en')} repositories and ${blobs.toLocaleString('en')} large files.\n`;

const deletedText = ({ files, bytes }: Pruned): string =>
  `Files that no backup in the folder needs, now deleted: ${files.toLocaleString('en')}, ${bytes.toLocaleString('en')} bytes.\n`;

/** Prints the names of some missing or damaged files. */
function warnOfFaults({ faulty }: CopiedFiles, terminal: Pick<Terminal, 'err'>): void {
  if (faulty.length === 0) return;
  terminal.err(
    `Missing or damaged, and not copied: ${faulty.length} files, such as ${faulty.slice(0, 3).join(', ')}\n`,
  );
}

const keyPlace = ({ secretKey, dataDir }: { secretKey: string | undefined; dataDir: string }) =>
  secretKey === undefined ? `${dataDir}/secret.key` : 'MOONBASE_SECRET_KEY';

/** Throws unless the path is free or a regular file: renaming a file onto a device or a pipe would replace it. */
async function requireOrdinary(file: string): Promise<void> {
  const there = await stat(file).catch(() => undefined);
  if (there && !there.isFile())
    throw new UsageError(`${file} is not a regular file. "moonbase backup -" writes to standard output.`);
}
