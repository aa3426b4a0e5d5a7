import { collectStorage, type StorageCollection } from '@moonbase/client/admin';
import { getRepoStorage, maintainRepo, maintainRepoById } from '@moonbase/client/content';
import { command, group } from '../program/command.ts';
import { argument, flag } from '../program/parameter.ts';
import { bytesText } from '../terminal/bytes.ts';
import { styleOf } from '../terminal/style.ts';
import { tableText } from '../terminal/table.ts';
import { discussedType, repo, when } from './parameters.ts';

const amountText = ({ files, bytes }: StorageCollection['due']): string =>
  `${files.toLocaleString('en')} ${files === 1 ? 'large file' : 'large files'} (${bytesText(bytes)})`;

const collect = command({
  name: 'collect',
  summary: 'delete large files that no repository has had for the grace period (for site administrators)',
  details: 'The hub does so by itself within the hour.',
  options: { dryRun: flag('change nothing, and print what would be deleted and when') },
  run: ({ hub, options }) => collectStorage({ ...hub, dryRun: options.dryRun === true }),
  say({ dryRun, due, waiting, graceDays, repositories }, { terminal }) {
    const table = tableText(
      repositories,
      {
        owner: ({ owner }) => owner,
        repository: ({ repository }) => repository?.name ?? repository?.id,
        'files now': (entry) => entry.due.files,
        'bytes now': (entry) => entry.due.bytes,
        'files later': (entry) => entry.waiting.files,
        'bytes later': (entry) => entry.waiting.bytes,
        from: ({ nextAt }) => when(nextAt),
        until: ({ lastAt }) => when(lastAt),
      },
      styleOf(terminal),
    );
    return (
      `${dryRun ? 'To be deleted now' : 'Being deleted'}: ${amountText(due)}.\n` +
      `Later, after ${graceDays} days in no repository: ${amountText(waiting)}.\n` +
      (repositories.length > 0 ? table : '')
    );
  },
});

const show = command({
  name: 'show',
  summary: 'show how much a repository stores, and when it was last maintained',
  args: { repo },
  options: { type: discussedType },
  run: ({ hub, args, options: { type = 'model' } }) => getRepoStorage({ ...hub, ...args, type }),
  columns: {
    'used bytes': ({ usedStorage }) => usedStorage,
    'large files': ({ largeFiles }) => largeFiles.files,
    'their bytes': ({ largeFiles }) => largeFiles.bytes,
    packs: ({ git }) => git.packs,
    'packed bytes': ({ git }) => git.packedBytes,
    'loose objects': ({ git }) => git.looseObjects,
    maintained: ({ maintenance }) => when(maintenance.lastAt),
    'took ms': ({ maintenance }) => maintenance.durationMs,
    next: ({ maintenance }) => when(maintenance.nextAt),
    failures: ({ maintenance: { failures } }) => (failures > 0 ? failures : undefined),
    fault: ({ maintenance }) => maintenance.fault,
  },
});

const ID = /^[0-9a-f]{24}$/;

const maintain = command({
  name: 'maintain',
  summary: 'request maintenance of a repository (for site administrators)',
  args: { repo: argument('namespace/name, or the id of a repository from the log') },
  options: { type: discussedType },
  run: ({ hub, args, options: { type = 'model' } }) =>
    ID.test(args.repo) ? maintainRepoById({ ...hub, id: args.repo }) : maintainRepo({ ...hub, ...args, type }),
  say: (_, { args }) => `The hub maintains ${args.repo} soon.\n`,
});

export const storage = group('storage', 'storage of repositories: figures, maintenance, deleted large files', [
  ...[collect, show, maintain],
]);
