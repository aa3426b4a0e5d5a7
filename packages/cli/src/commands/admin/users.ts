import { applyHub, createUser, type HubDocument, listUsers } from '@moonbase/client/admin';
import { createUserLink } from '@moonbase/client/authentication';
import { HubApiError } from '@moonbase/client/errors';
import { exportOwnData, exportUserData } from '@moonbase/client/personal-data';
import { getUserOverview } from '@moonbase/client/profiles';
import type { Hub } from '@moonbase/client/request';
import { resetSecondFactor } from '@moonbase/client/second-factors';
import { deleteUser, disableUser, enableUser } from '@moonbase/client/users';
import { savePersonalData } from '../../personal-data.ts';
import { command, group, listing } from '../../program/command.ts';
import { FailedError } from '../../program/failure.ts';
import { argument, choice, flag, optionalArgument, text } from '../../program/parameter.ts';
import { confirm } from '../../terminal/asking.ts';
import { when, yes } from '../parameters.ts';

type User = NonNullable<HubDocument['users']>[number];
const name = argument('name of the user');

/** Changes one user through a hub document, which can do more than the endpoints for users. */
const applyUser = (hub: Hub, user: User) => applyHub({ ...hub, document: { users: [user] } });

interface NewUser {
  readonly name: string;
  readonly fullname?: string | undefined;
  readonly email?: string | undefined;
  readonly admin?: boolean | undefined;
}

/** Creates a user; returns false if the name is taken. */
async function createIfFree(hub: Hub, { admin, ...user }: NewUser): Promise<boolean> {
  try {
    await createUser({ ...hub, ...user, ...(admin && { isAdmin: true }) });
    return true;
  } catch (error) {
    if (!(error instanceof HubApiError) || error.status !== 409) throw error;
    const isTaken = await getUserOverview({ ...hub, username: user.name }).then(
      () => true,
      () => false,
    );
    // The conflict concerns the e-mail address, not the name.
    if (!isTaken) throw error;
    return false;
  }
}

const list = listing({
  name: 'list',
  summary: 'list the users of the hub, newest first (for site administrators)',
  options: {
    search: text('text', 'only those with this text in their name, full name or e-mail address'),
    disabled: flag('only disabled users'),
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
    pro: flag('give the user a paid account'),
    admin: flag('make the user a site administrator'),
    token: text('name', 'also create an access token of this name and print it once'),
  },
  async run({ hub, args, options: { token, pro, ...options } }) {
    if (!(await createIfFree(hub, { ...args, ...options })))
      throw new FailedError(`The user ${args.name} already exists.`);
    return applyUser(hub, { ...args, pro, tokens: token === undefined ? [] : [{ name: token }] });
  },
  say: ({ newTokens: [made] }, { args }) =>
    `Created the user ${args.name}.\n${made ? `Access token ${made.name}, shown this once: ${made.token}\n` : ''}`,
});

const link = command({
  name: 'link',
  summary: 'create a link that lets a user set a password once (for site administrators)',
  args: { name },
  options: {
    purpose: choice(
      ['invite', 'reset'],
      'invite: valid for 7 days, the user also chooses a name; reset: valid for 30 minutes (default)',
    ),
  },
  run: ({ hub, args, options: { purpose = 'reset' } }) => createUserLink({ ...hub, username: args.name, purpose }),
  say: ({ url, expiresAt }, { args }) => linkText(args.name, url, expiresAt),
});

const invite = command({
  name: 'invite',
  summary: 'create a link to sign in, and the user if the name is free (for site administrators)',
  args: { name },
  options: {
    fullname: text('name', 'the full name'),
    email: text('address', 'the e-mail address, which counts as confirmed'),
    admin: flag('make the user a site administrator'),
  },
  async run({ hub, args, options }) {
    if (
      !(await createIfFree(hub, { ...args, ...options })) &&
      Object.values(options).some((given) => given !== undefined)
    )
      await applyUser(hub, { ...args, ...options });
    return createUserLink({ ...hub, username: args.name, purpose: 'invite' });
  },
  say: ({ url, expiresAt }, { args }) => linkText(args.name, url, expiresAt),
});

const linkText = (name: string, url: string, expiresAt: string): string =>
  `${name} sets a password at ${url}\nuntil ${when(expiresAt)} UTC, once.\n`;

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
  summary: 'enable a disabled user, whoever disabled it (for site administrators)',
  args: { name },
  run: ({ hub, args }) => enableUser({ ...hub, username: args.name }),
  say: (_, { args }) => `Enabled the user ${args.name}.\n`,
});

const resetFactor = command({
  name: 'reset-second-factor',
  summary: 'remove the second factor of a user who lost it, and end all sessions (for site administrators)',
  args: { name },
  options: { yes },
  async run({ hub, args, options, terminal }) {
    await confirm(
      `Remove the second factor of ${args.name}? The password alone is then enough to sign in.`,
      options.yes,
      terminal,
    );
    return resetSecondFactor({ ...hub, username: args.name });
  },
  say: (_, { args }) => `Removed the second factor of ${args.name}.\n`,
});

const exporting = command({
  name: 'export',
  summary: 'write what the hub has about you, or as a site administrator about anybody, as one JSON object a line',
  details: 'A file is new, readable only by its owner, and complete: it has another name until the last line is there.',
  args: { name: optionalArgument('name of the user; default: yourself') },
  options: { output: text('path', 'write to a new file instead of standard output', { short: 'o' }) },
  run: ({ hub, args: { name: username }, options: { output }, terminal }) =>
    savePersonalData(
      () => (username === undefined ? exportOwnData(hub) : exportUserData({ ...hub, username })),
      output,
      terminal,
    ),
});

const remove = command({
  name: 'delete',
  summary: 'delete a user with everything that the user owns: yourself, or as a site administrator anybody',
  args: { name },
  options: { yes },
  async run({ hub, args, options, terminal }) {
    await confirm(`Delete the user ${args.name} with repositories, posts and articles?`, options.yes, terminal);
    return deleteUser({ ...hub, username: args.name });
  },
  say: (_, { args }) => `Deleted the user ${args.name}.\n`,
});

export const users = group('users', 'users of the hub', [
  ...[list, show, create, invite, link, disable, enable, resetFactor, exporting, remove],
]);
