import type { Config } from '@moonbase/server/config';
import type { Check, CheckName, Verification } from '@moonbase/server/verify-backup';
import { configOf, onDatabase } from '../../database-command.ts';
import { dataDir } from '../../hub-settings.ts';
import { command } from '../../program/command.ts';
import { FailedError, UsageError } from '../../program/failure.ts';
import { flag, optionalArgument, text } from '../../program/parameter.ts';
import { jsonText } from '../../terminal/table.ts';
import type { Terminal } from '../../terminal/terminal.ts';

export const verify = command({
  name: 'verify',
  summary: 'rehearse the restore of a backup in a temporary place, and check what a restore must give',
  details:
    'Never touches the database and the files of the hub; of its settings, only the key is used. Leaves nothing behind. The temporary folder is in TMPDIR, and needs room for the database and the largest repository.',
  args: { file: optionalArgument('a file written by `backup`, with the files of repositories beside it') },
  options: {
    dataDir,
    newest: flag('the newest backup that the hub has made of itself'),
    database: text('url', 'an empty PostgreSQL database to restore into, instead of SQLite in a temporary folder'),
    databaseOnly: flag('leave out the files of repositories'),
  },
  async run({ args, options: { newest = false, database, databaseOnly, ...settings }, terminal, json, end }) {
    if ((args.file === undefined) !== newest) throw new UsageError('Give either a file or --newest.');
    if (args.file === '-') throw new UsageError('A backup is read several times: give a file.');
    if (database !== undefined && !/^postgres(ql)?:\/\//.test(database))
      throw new UsageError('--database must be a URL that begins with postgres://.');
    const config = await configOf(settings, terminal);
    const server = await import('@moonbase/server/verify-backup');
    const target = newest ? targetOf(config) : undefined;
    const ending = new AbortController();
    const forget = terminal.onInterrupt?.(() =>
      ending.abort(new FailedError('The rehearsal was interrupted, and is deleted.')),
    );
    try {
      const { file, ...verified } = await onDatabase(terminal, {
        ...{ doing: 'Verifying', json },
        cannot: `Cannot rehearse the restore of ${args.file ?? 'the newest backup'}`,
        async work(progress) {
          const around = {
            ...{ databaseUrl: database, databaseOnly, progress, signal: ending.signal },
            onCheck: (check: Check) => tell(check, json, terminal),
          };
          if (target) return await server.verifyNewest(config, target, around);
          return { file: args.file ?? '', ...(await server.verifyBackup(config, args.file ?? '', around)) };
        },
      });
      const isSound = verified.checks.every(({ faults }) => faults.length === 0);
      if (!isSound) end(1);
      if (json) terminal.out(jsonText(jsonOf(file, isSound, verified)));
      else if (isSound) terminal.out(`${file} can be restored.\n`);
      else terminal.err(`${file} cannot be restored as it is.\n`);
    } finally {
      forget?.();
    }
  },
});

function targetOf({ backups }: Config) {
  if (backups === undefined) throw new FailedError('MOONBASE_BACKUP_TO is not set: give a file.');
  return backups.target;
}

const jsonOf = (file: string, sound: boolean, { createdAt, checks }: Verification) => ({
  ...{ file, sound, createdAt: createdAt ?? null, checks },
});

/** Prints the line of a check. On a terminal, it takes the place of the progress. */
function tell({ name, figures, faults }: Check, json: boolean, { out, err, isErrorTerminal }: Terminal): void {
  if (json) return;
  if (isErrorTerminal) err('\r\x1b[K');
  const begin = `${name}:`.padEnd(14);
  if (faults.length === 0) out(`${begin}${FIGURES[name]((figure) => (figures[figure] ?? 0).toLocaleString('en'))}\n`);
  for (const fault of faults) err(`${begin}${fault}\n`);
}

type Texts = Readonly<Record<CheckName, (figure: (name: string) => string) => string>>;

const FIGURES: Texts = {
  file: (figure) => `${figure('bytes')} bytes, as they were written`,
  key: (figure) => (figure('sealed') === '0' ? 'the backup needs none' : 'it is that of the backup'),
  'large files': (figure) => `${figure('largeFiles')} match their SHA-256, ${figure('bytes')} bytes`,
  rows: (figure) => `${figure('rows')} of ${figure('tables')} tables, as many as in the backup`,
  references: (figure) => `${figure('foreignKeys')} foreign keys hold`,
  secrets: (figure) => `${figure('opened')} can be opened with the key`,
  'audit log': (figure) => `${figure('events')} events in ${figure('chains')} chains match their hashes`,
  repositories: (figure) =>
    figure('fsck') === figure('repositories')
      ? `${figure('repositories')} pass git fsck`
      : `${figure('repositories')} match their hashes; without git on this machine, their history was not walked`,
};
