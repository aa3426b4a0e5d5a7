import {
  createBranch,
  createRepo,
  createTag,
  deleteBranch,
  deleteRepo,
  deleteTag,
  getBucket,
  getRepo,
  listOrganizationRepos,
  listRefs,
  listRepos,
  moveRepo,
  updateRepoSettings,
} from '@moonbase/client/repositories';
import { command, group, listing } from '../program/command.ts';
import { argument, choice, flag, text } from '../program/parameter.ts';
import { confirm } from '../terminal/asking.ts';
import { discussedType, repo, repoType, when, yes } from './parameters.ts';

const list = listing({
  name: 'list',
  summary: 'list your repositories, or those of an organization',
  options: {
    org: text('name', 'of the organization'),
    search: text('text', 'in the name'),
    type: repoType,
    sort: choice(['storage', 'updatedAt'], 'the order (default: storage)'),
  },
  run: ({ hub, options: { org, ...filters } }) =>
    org === undefined
      ? listRepos({ ...hub, ...filters })
      : listOrganizationRepos({ ...hub, ...filters, organization: org }),
  columns: {
    type: ({ type }) => type,
    name: ({ id }) => id,
    visibility: ({ visibility }) => visibility,
    updated: ({ updatedAt }) => when(updatedAt),
    bytes: ({ storage }) => storage,
  },
});

const create = command({
  name: 'create',
  summary: 'create a repository',
  args: { repo: argument('namespace/name, or a name of your own') },
  options: {
    type: repoType,
    private: flag('seen by those with access only'),
    group: text('id', 'the resource group that it is made in'),
    sdk: text('name', 'of a Space'),
  },
  run: ({ hub, args, options: { group: resourceGroupId, ...options } }) =>
    createRepo({ ...hub, ...args, ...options, resourceGroupId }),
  say: ({ name, url }) => `Created ${name}: ${url}\n`,
});

interface Shown {
  readonly id: string;
  readonly private?: boolean | undefined;
  readonly gated?: string | false | undefined;
  readonly sha?: string | undefined;
  readonly lastModified?: string | undefined;
  readonly updatedAt?: string | undefined;
}

const show = command({
  name: 'show',
  summary: 'show a repository',
  args: { repo },
  options: { type: repoType },
  run: ({ hub, args, options: { type = 'model' } }): Promise<Shown> =>
    type === 'bucket' ? getBucket({ ...hub, ...args }) : getRepo({ ...hub, ...args, type }),
  columns: {
    name: ({ id }) => id,
    private: (shown) => shown.private,
    gated: ({ gated }) => gated,
    commit: ({ sha }) => sha,
    changed: ({ lastModified, updatedAt }) => when(lastModified ?? updatedAt),
  },
});

const settings = command({
  name: 'settings',
  summary: 'change the settings of a repository',
  args: { repo },
  options: {
    type: repoType,
    visibility: choice(['public', 'private', 'protected'], 'who sees it; protected is for Spaces'),
    discussions: choice(['on', 'off'], 'whether there are discussions'),
    gated: choice(['off', 'auto', 'manual'], 'whether access has to be asked for'),
  },
  run: ({ hub, args, options: { type = 'model', visibility, discussions, gated } }) =>
    updateRepoSettings({
      ...{ ...hub, ...args, type },
      settings: {
        visibility,
        discussionsDisabled: discussions && discussions === 'off',
        gated: gated === 'off' ? false : gated,
      },
    }),
  say: (_, { args }) => `Changed the settings of ${args.repo}.\n`,
});

const move = command({
  name: 'move',
  summary: 'rename a repository, or move it to another namespace',
  args: { from: repo, to: argument('namespace/name, after it') },
  options: { type: repoType },
  run: ({ hub, args, options }) => moveRepo({ ...hub, ...args, ...options }),
  say: (_, { args }) => `${args.from} is now ${args.to}.\n`,
});

const remove = command({
  name: 'delete',
  summary: 'delete a repository',
  args: { repo },
  options: { type: repoType, yes },
  async run({ hub, args, options: { type, yes: sure }, terminal }) {
    await confirm(`Delete the ${type ?? 'model'} ${args.repo} for good?`, sure, terminal);
    return deleteRepo({ ...hub, ...args, type });
  },
  say: (_, { args }) => `Deleted ${args.repo}.\n`,
});

const refs = listing({
  name: 'refs',
  summary: 'list branches and tags',
  args: { repo },
  options: { type: discussedType },
  async run({ hub, args, options: { type = 'model' } }) {
    const { branches, tags } = await listRefs({ ...hub, ...args, type });
    return [...branches, ...tags];
  },
  columns: { name: ({ name }) => name, ref: ({ ref }) => ref, commit: ({ targetCommit }) => targetCommit },
});

const branch = command({
  name: 'branch',
  summary: 'create a branch, or delete one',
  args: { repo, branch: argument('its name') },
  options: {
    type: repoType,
    from: text('revision', 'where it begins (default: main)'),
    delete: flag('delete it instead'),
  },
  run: ({ hub, args, options: { type = 'model', from, delete: gone } }) =>
    gone ? deleteBranch({ ...hub, ...args, type }) : createBranch({ ...hub, ...args, type, startingPoint: from }),
  say: (_, { args, options }) => `${options.delete ? 'Deleted' : 'Created'} the branch ${args.branch}.\n`,
});

const tag = command({
  name: 'tag',
  summary: 'create a tag, or delete one',
  args: { repo, tag: argument('its name') },
  options: {
    type: repoType,
    revision: text('revision', 'what it names (default: main)'),
    message: text('text', 'its message', { short: 'm' }),
    delete: flag('delete it instead'),
  },
  run: ({ hub, args, options: { type = 'model', revision = 'main', message, delete: gone } }) =>
    gone ? deleteTag({ ...hub, ...args, type }) : createTag({ ...hub, ...args, type, revision, message }),
  say: (_, { args, options }) => `${options.delete ? 'Deleted' : 'Created'} the tag ${args.tag}.\n`,
});

export const repos = group('repos', 'repositories of all types, their branches and tags', [
  ...[list, create, show, settings, move, remove],
  ...[refs, branch, tag],
]);
