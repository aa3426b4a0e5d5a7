import { collectStorage, type StorageCollection } from '@moonbase/client/admin';
import { getRepoStorage, maintainRepo, maintainRepoById } from '@moonbase/client/content';
import { getOrganizationStorageUsage, getOwnQuotas, type OwnQuotas, type StorageUsage } from '@moonbase/client/quotas';
import { command, group } from '../program/command.ts';
import { argument, flag, text } from '../program/parameter.ts';
import { bytesText } from '../terminal/bytes.ts';
import { styleOf } from '../terminal/style.ts';
import { tableText } from '../terminal/table.ts';
import { countLines, usageLine } from '../terminal/usage-line.ts';
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

const usage = command({
  name: 'usage',
  summary: 'show how much of your quotas is used, or of the storage quota of an organization',
  options: { org: text('name', 'an organization that you belong to') },
  run: ({ hub, options: { org } }): Promise<StorageUsage & Partial<OwnQuotas>> =>
    org === undefined ? getOwnQuotas(hub) : getOrganizationStorageUsage({ ...hub, organization: org }),
  say: (answer) => `${usageLine(answer)}.\n${countLines(answer)}`,
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

export const storage = group(
  'storage',
  'storage: how much is used, figures and maintenance of repositories, deleted large files',
  [...[usage, collect, show, maintain]],
);
