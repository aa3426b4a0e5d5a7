import { getHubStatus, listOrganizations } from '@moonbase/client/admin';
import { command, group, listing } from '../../program/command.ts';
import { text } from '../../program/parameter.ts';
import { hubStatusText } from '../../terminal/hub-status-text.ts';
import { styleOf } from '../../terminal/style.ts';
import { when } from '../parameters.ts';
import { deadLetters } from './dead-letters.ts';

const status = command({
  name: 'status',
  summary: 'show how the hub does: queues, deliveries of the last day, receivers that fail',
  run: ({ hub }) => getHubStatus(hub),
  say: (answer, { terminal }) => hubStatusText(answer, styleOf(terminal)),
});

const organizations = listing({
  name: 'organizations',
  summary: 'list the organizations of the hub, newest first, deleted ones as well',
  options: { search: text('text', 'only those with it in their name or full name') },
  run: ({ hub, options }) => listOrganizations({ ...hub, ...options }),
  columns: {
    name: (org) => org.name,
    'full name': ({ fullname }) => fullname,
    plan: ({ plan }) => plan,
    members: ({ numMembers }) => numMembers,
    repositories: ({ numRepos }) => numRepos,
    since: ({ createdAt }) => when(createdAt),
    deleted: ({ deletedAt }) => when(deletedAt),
  },
});

export const admin = group('admin', 'the hub as site administrators see it', [status, organizations, deadLetters]);
