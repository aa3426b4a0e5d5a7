import { writeFile } from 'node:fs/promises';
import { acceptInvitation, createInvitation, listInvitations, listOwnInvitations } from '@moonbase/client/invitations';
import {
  addMember,
  changeMemberRole,
  listMembers,
  type OrganizationMember,
  removeMember,
} from '@moonbase/client/members';
import { type Columns, command, group, listing } from '../program/command.ts';
import { reasonOf, UsageError } from '../program/failure.ts';
import { argument, flag, needed, optionalArgument, text, texts } from '../program/parameter.ts';
import { readSecret } from '../terminal/asking.ts';
import { csvText } from '../terminal/csv.ts';
import { jsonText } from '../terminal/table.ts';
import { organization, role, when } from './parameters.ts';

const user = argument('name of the user');
const columns: Columns<OrganizationMember> = {
  user: (member) => member.user,
  'full name': ({ fullname }) => fullname,
  role: (member) => member.role,
  groups: ({ resourceGroups }) => resourceGroups?.map((each) => `${each.name} (${each.role})`).join(', '),
};

const list = listing({
  name: 'list',
  summary: 'list the members of an organization, those who joined first in front',
  args: { organization },
  options: {
    search: text('text', 'in names and full names'),
    email: text('address', 'the whole address (for admins, plan team or higher)'),
  },
  run: ({ hub, args, options }) => listMembers({ ...hub, name: args.organization, ...options }),
  columns,
});

const add = command({
  name: 'add',
  summary: 'add a member',
  args: { organization, user },
  options: { role: text('role', `${role.help} (default: read)`) },
  run: ({ hub, args, options }) =>
    addMember({ ...hub, name: args.organization, username: args.user, role: options.role ?? 'read' }),
  say: (_, { args }) => `${args.user} is a member of ${args.organization}.\n`,
});

const change = command({
  name: 'role',
  summary: 'give a member another role',
  details: 'The resource groups of the member are those given with --group: without any, none.',
  args: { organization, user, role },
  options: { group: texts('id=role', 'a resource group to be in') },
  run: ({ hub, args, options }) =>
    changeMemberRole({
      ...{ ...hub, name: args.organization, username: args.user, role: args.role },
      resourceGroups: options.group?.map((given) => {
        const [, id, inGroup] = /^([^=]+)=(.+)$/.exec(given) ?? [];
        if (id === undefined || inGroup === undefined) throw new UsageError('--group must be an id, = and a role');
        return { id, role: inGroup };
      }),
    }),
  say: (_, { args }) => `${args.user} has the role ${args.role} in ${args.organization}.\n`,
});

const remove = command({
  name: 'remove',
  summary: 'remove a member, or leave',
  args: { organization, user },
  run: ({ hub, args }) => removeMember({ ...hub, name: args.organization, username: args.user }),
  say: (_, { args }) => `${args.user} is no member of ${args.organization} any more.\n`,
});

const exporting = command({
  name: 'export',
  summary: 'write all members as comma-separated values, or with --json as they are answered',
  args: { organization },
  options: { output: text('path', 'write to a file instead of standard output', { short: 'o' }) },
  async run({ hub, args, options: { output }, json, terminal }) {
    const members: OrganizationMember[] = [];
    for await (const member of listMembers({ ...hub, name: args.organization, pageSize: 1000 })) members.push(member);
    const file = json
      ? jsonText(members)
      : csvText(members, { ...columns, email: ({ verifiedEmail }) => verifiedEmail });
    if (output === undefined) return terminal.out(file);
    await writeFile(output, file, { mode: 0o600 }).catch((error: unknown) => {
      throw new UsageError(`Cannot write ${output}: ${reasonOf(error)}`);
    });
  },
});

const invite = command({
  name: 'invite',
  summary: 'invite a user, or somebody by mail',
  details:
    'An invitation by mail is accepted with its secret, which is in the link that is printed this once and, where the hub sends mail, in a mail.',
  args: { organization, who: argument('name of a user, or an e-mail address') },
  options: { role: needed(text('role', role.help)) },
  run: ({ hub, args, options }) =>
    createInvitation({
      ...{ ...hub, name: args.organization, role: options.role },
      ...(args.who.includes('@') ? { email: args.who } : { user: args.who }),
    }),
  say: ({ id, url }, { args }) =>
    [
      `Invited ${args.who} to ${args.organization} (${id}).\n`,
      ...(url === undefined
        ? []
        : [`Within seven days this link accepts it, once and for anybody who has it: ${url}\n`]),
    ].join(''),
});

const invitations = listing({
  name: 'invitations',
  summary: 'list the open invitations of an organization, or without one your own',
  args: { organization: optionalArgument('its name') },
  run: ({ hub, args }) =>
    args.organization === undefined ? listOwnInvitations(hub) : listInvitations({ ...hub, name: args.organization }),
  columns: {
    id: ({ id }) => id,
    who: (invitation) => invitation.user ?? invitation.email,
    role: (invitation) => invitation.role,
    by: ({ invitedBy }) => invitedBy,
    at: ({ createdAt }) => when(createdAt),
    until: ({ expiresAt }) => expiresAt && when(expiresAt),
  },
});

const accept = command({
  name: 'accept',
  summary: 'accept an invitation',
  args: { invitation: argument('its id') },
  options: { secret: flag('of one by mail: ask for its secret, or read it from standard input') },
  run: async ({ hub, args, options, terminal }) =>
    acceptInvitation({
      ...{ ...hub, invitationId: args.invitation },
      secret: options.secret ? await readSecret('Secret: ', terminal) : undefined,
    }),
  say: () => 'Accepted.\n',
});

export const members = group('members', 'who belongs to an organization', [
  ...[list, add, change, remove, exporting],
  ...[invite, invitations, accept],
]);
