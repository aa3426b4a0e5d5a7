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
    org: text('name', 'an organization (default: yourself)'),
    search: text('text', 'only those with this text in the name'),
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
  args: { repo: argument('namespace/name, or only a name for your own namespace') },
  options: {
    type: repoType,
    private: flag('visible only to users with access'),
    group: text('id', 'id of the resource group to create it in'),
    sdk: text('name', 'the SDK of a Space'),
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
    visibility: choice(['public', 'private', 'protected'], 'who can see it; protected is for Spaces'),
    discussions: choice(['on', 'off'], 'whether discussions are enabled'),
    gated: choice(['off', 'auto', 'manual'], 'whether access must be requested, and how requests are approved'),
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
  args: { from: repo, to: argument('the new namespace/name') },
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
    await confirm(`Delete the ${type ?? 'model'} ${args.repo} permanently?`, sure, terminal);
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
  summary: 'create or delete a branch',
  args: { repo, branch: argument('name of the branch') },
  options: {
    type: repoType,
    from: text('revision', 'revision to start from (default: main)'),
    delete: flag('delete it instead'),
  },
  run: ({ hub, args, options: { type = 'model', from, delete: gone } }) =>
    gone ? deleteBranch({ ...hub, ...args, type }) : createBranch({ ...hub, ...args, type, startingPoint: from }),
  say: (_, { args, options }) => `${options.delete ? 'Deleted' : 'Created'} the branch ${args.branch}.\n`,
});

const tag = command({
  name: 'tag',
  summary: 'create or delete a tag',
  args: { repo, tag: argument('name of the tag') },
  options: {
    type: repoType,
    revision: text('revision', 'revision to tag (default: main)'),
    message: text('text', 'message of the tag', { short: 'm' }),
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
