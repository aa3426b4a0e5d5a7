import {
  createAccessToken,
  deleteAccessToken,
  deleteUserToken,
  listAccessTokens,
  listUserTokens,
} from '@moonbase/client/access-tokens';
import { command, group, listing } from '../program/command.ts';
import { argument, choice, needed, text, texts } from '../program/parameter.ts';
import { when } from './parameters.ts';

type Permissions = NonNullable<NonNullable<Parameters<typeof createAccessToken>[0]['fineGrained']>['global']>;

const options = { user: text('name', 'those of this user (for site administrators)') };

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
  },
});

const create = command({
  name: 'create',
  summary: 'create an access token, which is printed once',
  args: { name: argument('its name') },
  options: {
    role: needed(choice(['read', 'write', 'fineGrained'], 'what it may do')),
    permission: texts('permission', 'for fineGrained: what it may do with all that is yours, as in repo.write'),
  },
  run: ({ hub, args, options: { role, permission = [] } }) =>
    createAccessToken({
      ...{ ...hub, displayName: args.name, role },
      // The hub says which permission it does not know.
      fineGrained: role === 'fineGrained' ? { global: [...permission] as Permissions } : undefined,
    }),
  say: ({ displayName, token }) => `Access token ${displayName}, shown this once:\n${token}\n`,
});

const remove = command({
  name: 'delete',
  summary: 'delete an access token',
  args: { token: argument('its id') },
  options,
  run: ({ hub, args, options: { user } }) =>
    user === undefined
      ? deleteAccessToken({ ...hub, tokenId: args.token })
      : deleteUserToken({ ...hub, username: user, tokenId: args.token }),
  say: () => 'Deleted the access token.\n',
});

export const tokens = group('tokens', 'your access tokens', [list, create, remove]);
