import { joinOrganization } from '@moonbase/client/members';
import type { Organization } from '@moonbase/client/organizations';
import {
  createOrganization,
  deleteOrganization,
  restoreOrganization,
  updateOrganization,
} from '@moonbase/client/organizations';
import { getOrganizationOverview, whoAmI } from '@moonbase/client/profiles';
import { type Columns, command, group, listing } from '../program/command.ts';
import { argument, choice, text, texts } from '../program/parameter.ts';
import { confirm } from '../terminal/asking.ts';
import { when, yes } from './parameters.ts';

const name = argument('name of the organization');
const columns: Columns<Organization> = {
  name: (org) => org.name,
  'full name': ({ fullname }) => fullname,
  details: ({ details }) => details,
  plan: ({ plan }) => plan,
  since: ({ createdAt }) => when(createdAt),
  'private members': ({ membersPrivate }) => membersPrivate,
  'join by domain': ({ joinDomains }) => joinDomains.join(', '),
  'verified domains': ({ verifiedDomains }) => verifiedDomains.join(', '),
  'group creators': ({ groupCreators }) => groupCreators,
  tokens: ({ tokenPolicy }) => tokenPolicy,
};

const list = listing({
  name: 'list',
  summary: 'list the organizations that you belong to',
  run: async ({ hub }) => (await whoAmI(hub)).orgs,
  columns: {
    name: (org) => org.name,
    'full name': ({ fullname }) => fullname,
    role: ({ roleInOrg }) => roleInOrg,
  },
});

const show = command({
  name: 'show',
  summary: 'show an organization',
  args: { name },
  run: ({ hub, args }) => getOrganizationOverview({ ...hub, ...args }),
  columns: {
    name: (org) => org.name,
    'full name': ({ fullname }) => fullname,
    details: ({ details }) => details,
    plan: ({ plan }) => plan,
    members: ({ numUsers }) => numUsers,
    models: ({ numModels }) => numModels,
    datasets: ({ numDatasets }) => numDatasets,
    spaces: ({ numSpaces }) => numSpaces,
  },
});

const create = command({
  name: 'create',
  summary: 'create an organization with yourself as its first admin',
  args: { name },
  options: {
    fullname: text('name', 'the full name'),
    plan: choice(['free', 'team', 'enterprise', 'plus'], 'the plan (for site administrators)'),
  },
  run: ({ hub, args, options }) => createOrganization({ ...hub, ...args, ...options }),
  say: (org) => `Created the organization ${org.name}.\n`,
});

const update = command({
  name: 'update',
  summary: 'change or rename an organization',
  args: { name },
  options: {
    rename: text('name', 'its new name'),
    fullname: text('name', 'the full name'),
    details: text('text', 'the description'),
    members: choice(['public', 'private'], 'who can see the list of members'),
    groupCreators: choice(['admin', 'write', 'contributor', 'read'], 'the lowest role that may create resource groups'),
    defaultRepoVisibility: choice(['public', 'private'], 'the visibility of new repositories and buckets'),
    joinDomain: texts('domain', 'users with a confirmed e-mail address in this domain may join; replaces all domains'),
    verifiedDomain: texts(
      'domain',
      'SCIM may vouch for e-mail addresses in this domain; replaces all domains (for site administrators)',
    ),
  },
  run({ hub, args, options: { rename, members, joinDomain, verifiedDomain, ...options } }) {
    const membersPrivate = members && members === 'private';
    const joinDomains = joinDomain && [...joinDomain];
    const verifiedDomains = verifiedDomain && [...verifiedDomain];
    const change = { name: rename, membersPrivate, joinDomains, verifiedDomains, ...options };
    return updateOrganization({ ...hub, ...args, change });
  },
  columns,
});

const remove = command({
  name: 'delete',
  summary: 'delete an organization with all that it owns; for 30 days it can be restored',
  args: { name },
  options: { yes },
  async run({ hub, args, options, terminal }) {
    await confirm(`Delete the organization ${args.name} with all that it owns?`, options.yes, terminal);
    return deleteOrganization({ ...hub, ...args });
  },
  say: (_, { args }) => `Deleted the organization ${args.name}. \`moonbase orgs restore\` brings it back.\n`,
});

const restore = command({
  name: 'restore',
  summary: 'bring a deleted organization back',
  args: { name },
  run: ({ hub, args }) => restoreOrganization({ ...hub, ...args }),
  say: (org) => `Restored the organization ${org.name}.\n`,
});

const join = command({
  name: 'join',
  summary: 'join by the domain of your confirmed e-mail address',
  args: { name },
  run: ({ hub, args }) => joinOrganization({ ...hub, ...args }),
  say: (_, { args }) => `You are a member of ${args.name}.\n`,
});

export const orgs = group('orgs', 'organizations', [list, show, create, update, remove, restore, join]);
