import { applyHub, type HubDocument, listUsers } from '@moonbase/client/admin';
import { getUserOverview } from '@moonbase/client/profiles';
import type { Hub } from '@moonbase/client/request';
import { deleteUser, disableUser, enableUser } from '@moonbase/client/users';
import { command, group, listing } from '../../program/command.ts';
import { FailedError } from '../../program/failure.ts';
import { argument, flag, text } from '../../program/parameter.ts';
import { confirm } from '../../terminal/asking.ts';
import { when, yes } from '../parameters.ts';

type User = NonNullable<HubDocument['users']>[number];
const name = argument('of the user');

/** One user by the document that fills a hub, which is how site administrators change users. */
const applyUser = (hub: Hub, user: User) => applyHub({ ...hub, document: { users: [user] } });

const list = listing({
  name: 'list',
  summary: 'list the users of the hub, newest first (for site administrators)',
  options: {
    search: text('text', 'only those with it in their name, full name or e-mail address'),
    disabled: flag('only those who are disabled'),
  },
  run: ({ hub, options: { search, disabled } }) => listUsers({ ...hub, search, ...(disabled && { disabled }) }),
  columns: {
    name: (user) => user.name,
    'full name': ({ fullname }) => fullname,
    'e-mail': ({ email }) => email,
    pro: ({ isPro }) => isPro,
    admin: ({ isAdmin }) => isAdmin,
    disabled: ({ disabledAt }) => when(disabledAt),
    since: ({ createdAt }) => when(createdAt),
    'last use': ({ lastUsedAt }) => when(lastUsedAt),
  },
});

const show = command({
  name: 'show',
  summary: 'show a user',
  args: { name },
  run: ({ hub, args }) => getUserOverview({ ...hub, username: args.name }),
  columns: {
    name: ({ user }) => user,
    'full name': ({ fullname }) => fullname,
    since: ({ createdAt }) => when(createdAt),
    organizations: ({ orgs }) => orgs.map((org) => org.name).join(', '),
    models: ({ numModels }) => numModels,
    datasets: ({ numDatasets }) => numDatasets,
    spaces: ({ numSpaces }) => numSpaces,
    discussions: ({ numDiscussions }) => numDiscussions,
  },
});

const create = command({
  name: 'create',
  summary: 'create a user (for site administrators)',
  args: { name },
  options: {
    fullname: text('name', 'the full name'),
    email: text('address', 'the e-mail address'),
    pro: flag('with a paid account'),
    admin: flag('as a site administrator'),
    token: text('name', 'with an access token of this name, which is printed once'),
  },
  async run({ hub, args, options: { token, ...options } }) {
    const known = await getUserOverview({ ...hub, username: args.name }).then(
      () => true,
      () => false,
    );
    if (known) throw new FailedError(`There is a user ${args.name} already.`);
    return applyUser(hub, { ...args, ...options, tokens: token === undefined ? [] : [{ name: token }] });
  },
  say: ({ newTokens: [made] }, { args }) =>
    `Created the user ${args.name}.\n${made ? `Access token ${made.name}, shown this once: ${made.token}\n` : ''}`,
});

const disable = command({
  name: 'disable',
  summary: 'disable a user: tokens, streams, webhooks and jobs end at once (for site administrators)',
  args: { name },
  options: { yes },
  async run({ hub, args, options, terminal }) {
    await confirm(`Disable the user ${args.name}?`, options.yes, terminal);
    return disableUser({ ...hub, username: args.name });
  },
  say: (_, { args }) => `Disabled the user ${args.name}.\n`,
});

const enable = command({
  name: 'enable',
  summary: 'enable a user again, whoever disabled it (for site administrators)',
  args: { name },
  run: ({ hub, args }) => enableUser({ ...hub, username: args.name }),
  say: (_, { args }) => `Enabled the user ${args.name}.\n`,
});

const remove = command({
  name: 'delete',
  summary: 'delete a user with all that is theirs: yourself, or anybody as a site administrator',
  args: { name },
  options: { yes },
  async run({ hub, args, options, terminal }) {
    await confirm(`Delete the user ${args.name} with repositories, posts and articles?`, options.yes, terminal);
    return deleteUser({ ...hub, username: args.name });
  },
  say: (_, { args }) => `Deleted the user ${args.name}.\n`,
});

export const users = group('users', 'list, show, create, disable, enable and delete users', [
  list,
  show,
  create,
  disable,
  enable,
  remove,
]);
