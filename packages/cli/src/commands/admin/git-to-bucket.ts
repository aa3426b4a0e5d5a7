import { configOf, onDatabase } from '../../database-command.ts';
import { dataDir } from '../../hub-settings.ts';
import { type Command, command } from '../../program/command.ts';
import { FailedError } from '../../program/failure.ts';
import { flag } from '../../program/parameter.ts';

export const gitToBucket: Command = command({
  name: 'git-to-bucket',
  summary: 'move the git objects of the hub of this machine from its data folder into its bucket',
  details:
    'No process of the hub may be running. MOONBASE_GIT_STORE must be bucket. The command may be interrupted and run again. See docs/replicas.md.',
  options: {
    dataDir,
    takeOver: flag('use a bucket that belongs to another hub, which is gone'),
  },
  async run({ options: { takeOver, ...settings }, terminal, json }) {
    const config = await configOf(settings, terminal);
    const server = await import('@moonbase/server/git-to-bucket');
    const moved = await onDatabase(terminal, {
      ...{ doing: 'Moving', cannot: 'Cannot move the git objects', json },
      work: (onProgress) => server.gitToBucket(config, { takeOver, onProgress }),
    });
    const { faulty } = moved;
    if (faulty.length > 0)
      throw new FailedError(
        `Missing or damaged: ${faulty.length} files, such as ${faulty.slice(0, 3).join(', ')}. Bring them back from a backup or delete them, and run the command again.`,
      );
    return moved;
  },
  say: ({ repositories, packs }) =>
    `The git objects of ${repositories.toLocaleString('en')} repositories are in the bucket, in ${packs.toLocaleString('en')} packs.\n`,
});
