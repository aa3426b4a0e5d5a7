import {
  createAccessToken,
  deleteAccessToken,
  deleteUserToken,
  listAccessTokens,
  listUserTokens,
} from '@moonbase/client/access-tokens';
import { command, group, listing } from '../program/command.ts';
import { argument, choice, flag, needed, number, text, texts } from '../program/parameter.ts';
import { when } from './parameters.ts';

type Permissions = NonNullable<NonNullable<Parameters<typeof createAccessToken>[0]['fineGrained']>['global']>;

const DAY_MS = 24 * 60 * 60 * 1000;
const options = { user: text('name', 'a user (for site administrators; default: yourself)') };

const list = listing({
  name: 'list',
  summary: 'list your access tokens',
  options,
  run: ({ hub, options: { user } }) =>
    user === undefined ? listAccessTokens(hub) : listUserTokens({ ...hub, username: user }),
  columns: {
    id: ({ id }) => id,
    name: ({ displayName }) => displayName,
    role: ({ role }) => role,
    ends: ({ last4 }) => `…${last4}`,
    created: ({ createdAt }) => when(createdAt),
    'last used': ({ lastUsedAt }) => when(lastUsedAt),
    expires: ({ expiresAt }) => when(expiresAt),
    'created by': ({ createdBy }) => createdBy ?? '',
  },
});

const create = command({
  name: 'create',
  summary: 'create an access token and print it once',
  args: { name: argument('name of the token') },
  options: {
    role: needed(choice(['read', 'write', 'fineGrained'], 'role of the token')),
    days: number('count', 'days until the token expires (default: never)'),
    permission: texts('permission', 'for fineGrained: a permission on everything that you own, such as repo.write'),
  },
  run: ({ hub, args, options: { role, days, permission = [] } }) =>
    createAccessToken({
      ...{ ...hub, displayName: args.name, role },
      expiresAt: days === undefined ? undefined : new Date(Date.now() + days * DAY_MS).toISOString(),
      // The hub rejects unknown permissions.
      fineGrained: role === 'fineGrained' ? { global: [...permission] as Permissions } : undefined,
    }),
  say: ({ displayName, token }) => `Access token ${displayName}, shown this once:\n${token}\n`,
});

const remove = command({
  name: 'delete',
  summary: 'delete an access token, and those that were created with it',
  args: { token: argument('id of the token') },
  options: { ...options, keepCreated: flag('keep the tokens that were created with it') },
  run({ hub, args, options: { user, keepCreated } }) {
    const deletion = { ...hub, tokenId: args.token, keepCreated: keepCreated || undefined };
    return user === undefined ? deleteAccessToken(deletion) : deleteUserToken({ ...deletion, username: user });
  },
  say: () => 'Deleted the access token.\n',
});

export const tokens = group('tokens', 'your access tokens', [list, create, remove]);
