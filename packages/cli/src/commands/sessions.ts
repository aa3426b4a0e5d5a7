import {
  endOtherSessions,
  endSession,
  endUserSession,
  endUserSessions,
  listSessions,
  listUserSessions,
} from '@moonbase/client/sessions';
import { command, group, listing } from '../program/command.ts';
import { UsageError } from '../program/failure.ts';
import { flag, optionalArgument, text } from '../program/parameter.ts';
import { when } from './parameters.ts';

const user = text('name', 'a user (for site administrators; default: yourself)');

const list = listing({
  name: 'list',
  summary: 'list the browsers in which you are signed in',
  options: { user },
  run: ({ hub, options }) =>
    options.user === undefined ? listSessions(hub) : listUserSessions({ ...hub, username: options.user }),
  columns: {
    id: ({ id }) => id,
    method: ({ method }) => method,
    address: ({ address }) => address,
    browser: ({ userAgent }) => userAgent,
    since: ({ createdAt }) => when(createdAt),
    'last use': ({ seenAt }) => when(seenAt),
    ends: ({ expiresAt }) => when(expiresAt),
  },
});

const end = command({
  name: 'end',
  summary: 'sign out one browser, or all of them',
  args: { session: optionalArgument('id of the session') },
  options: { user, all: flag('all sessions') },
  async run({ hub, args: { session: sessionId }, options: { user: username, all } }) {
    if ((sessionId === undefined) !== (all === true)) throw new UsageError('Give the id of a session, or --all.');
    if (sessionId === undefined)
      return username === undefined ? endOtherSessions(hub) : endUserSessions({ ...hub, username });
    await (username === undefined
      ? endSession({ ...hub, sessionId })
      : endUserSession({ ...hub, username, sessionId }));
    return { ended: 1 };
  },
  say: ({ ended }) => `Ended ${ended === 1 ? '1 session' : `${ended} sessions`}.\n`,
});

export const sessions = group('sessions', 'the browsers in which you are signed in', [list, end]);
