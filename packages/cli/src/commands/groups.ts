import {
  addResourceGroupUsers,
  createResourceGroup,
  deleteResourceGroup,
  getResourceGroup,
  listResourceGroups,
  type ResourceGroup,
  removeResourceGroupUser,
  setCollectionResourceGroup,
  setRepoResourceGroup,
  updateResourceGroup,
  updateResourceGroupUser,
} from '@moonbase/client/resource-groups';
import { type Columns, command, group, listing } from '../program/command.ts';
import { argument, text } from '../program/parameter.ts';
import { confirm } from '../terminal/asking.ts';
import { organization, repo, repoType, role, yes } from './parameters.ts';

const resourceGroup = argument('id of the resource group');
const user = argument('name of the user');
const one = { organization, group: resourceGroup };
type One = { readonly organization: string; readonly group: string };
const ids = (args: One) => ({ organization: args.organization, resourceGroupId: args.group });

const details: Columns<ResourceGroup> = {
  id: ({ id }) => id,
  name: ({ name }) => name,
  description: ({ description }) => description,
  'auto-join': ({ autoJoin }) => autoJoin && (autoJoin.enabled ? autoJoin.role : 'off'),
  users: ({ users }) => users.map((each) => `${each.name} (${each.role})`).join(', '),
  repos: ({ repos }) => repos.map((each) => `${each.type} ${each.name}`).join(', '),
  collections: ({ collections }) => collections.map(({ slug }) => slug).join(', '),
};

const list = listing({
  name: 'list',
  summary: 'list the resource groups that you may see',
  args: { organization },
  run: ({ hub, args }) => listResourceGroups({ ...hub, ...args }),
  columns: {
    id: ({ id }) => id,
    name: ({ name }) => name,
    users: ({ users }) => users.length,
    repos: ({ repos }) => repos.length,
    collections: ({ collections }) => collections.length,
  },
});

const show = command({
  name: 'show',
  summary: 'show a resource group with its users, repositories and collections',
  args: one,
  run: ({ hub, args }) => getResourceGroup({ ...hub, ...ids(args) }),
  columns: details,
});

const create = command({
  name: 'create',
  summary: 'create a resource group',
  args: { organization, name: argument('name of the resource group') },
  options: { description: text('text', 'its description'), admin: text('user', 'its first admin') },
  run: ({ hub, args, options: { description, admin } }) =>
    createResourceGroup({ ...hub, ...args, description, users: admin ? [{ user: admin, role: 'admin' }] : [] }),
  say: ({ id, name }) => `Created the resource group ${name} (${id}).\n`,
});

const update = command({
  name: 'update',
  summary: 'change the name or description of a resource group',
  args: one,
  options: { name: text('name', 'its new name'), description: text('text', 'its description') },
  run: ({ hub, args, options }) => updateResourceGroup({ ...hub, ...ids(args), ...options }),
  columns: details,
});

const remove = command({
  name: 'delete',
  summary: 'delete a resource group; its repositories and collections remain, without a group',
  args: one,
  options: { yes },
  async run({ hub, args, options, terminal }) {
    await confirm(`Delete the resource group ${args.group}?`, options.yes, terminal);
    return deleteResourceGroup({ ...hub, ...ids(args) });
  },
  say: () => 'Deleted the resource group.\n',
});

const addUser = command({
  name: 'add-user',
  summary: 'add a user to a resource group',
  args: { ...one, user, role },
  run: ({ hub, args }) =>
    addResourceGroupUsers({ ...hub, ...ids(args), users: [{ name: args.user, role: args.role }] }),
  say: ({ name }, { args }) => `Added ${args.user} to ${name}.\n`,
});

const changeRole = command({
  name: 'role',
  summary: 'change the role of a user in a resource group',
  args: { ...one, user, role },
  run: ({ hub, args }) => updateResourceGroupUser({ ...hub, ...ids(args), username: args.user, role: args.role }),
  say: ({ name }, { args }) => `${args.user} has the role ${args.role} in ${name}.\n`,
});

const removeUser = command({
  name: 'remove-user',
  summary: 'remove a user from a resource group',
  args: { ...one, user },
  run: ({ hub, args }) => removeResourceGroupUser({ ...hub, ...ids(args), username: args.user }),
  say: ({ name }, { args }) => `Removed ${args.user} from ${name}.\n`,
});

const move = command({
  name: 'set-repo',
  summary: 'move a repository into a resource group, or with "none" out of its group',
  args: { repo, group: resourceGroup },
  options: { type: repoType },
  run: ({ hub, args, options }) =>
    setRepoResourceGroup({
      ...{ ...hub, repo: args.repo, type: options.type ?? 'model' },
      resourceGroupId: args.group === 'none' ? null : args.group,
    }),
  say: (_, { args }) => `${args.repo} is in ${args.group === 'none' ? 'no resource group' : args.group}.\n`,
});

const collection = argument('collection as namespace/slug');

const moveCollection = command({
  name: 'set-collection',
  summary: 'move a collection into a resource group, or with "none" out of its group',
  args: { collection, group: resourceGroup },
  run: ({ hub, args }) => {
    const [namespace = '', slug = ''] = args.collection.split('/');
    return setCollectionResourceGroup({
      ...{ ...hub, namespace, slug },
      resourceGroupId: args.group === 'none' ? null : args.group,
    });
  },
  say: (_, { args }) => `${args.collection} is in ${args.group === 'none' ? 'no resource group' : args.group}.\n`,
});

export const groups = group('groups', 'resource groups of organizations', [
  ...[list, show, create, update, remove],
  ...[addUser, changeRole, removeUser, move, moveCollection],
]);
