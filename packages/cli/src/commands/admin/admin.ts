import { getHubStatus, listOrganizations } from '@moonbase/client/admin';
import { command, group, listing } from '../../program/command.ts';
import { text } from '../../program/parameter.ts';
import { hubStatusText } from '../../terminal/hub-status-text.ts';
import { styleOf } from '../../terminal/style.ts';
import { when } from '../parameters.ts';
import { deadLetters } from './dead-letters.ts';
import { mirrors } from './mirrors.ts';
import { resetPassword, token } from './operator-access.ts';
import { quota } from './quota.ts';
import { retention } from './retention.ts';
import { settings } from './settings.ts';

const status = command({
  name: 'status',
  summary: 'show the health of the hub: queues, deliveries of the last day, failing receivers',
  run: ({ hub }) => getHubStatus(hub),
  say: (answer, { terminal }) => hubStatusText(answer, styleOf(terminal)),
});

const organizations = listing({
  name: 'organizations',
  summary: 'list the organizations of the hub, including deleted ones, newest first',
  options: { search: text('text', 'only those with this text in their name or full name') },
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

export const admin = group('admin', 'administration of the hub (for site administrators)', [
  status,
  organizations,
  mirrors,
  quota,
  retention,
  settings,
  deadLetters,
  token,
  resetPassword,
]);
