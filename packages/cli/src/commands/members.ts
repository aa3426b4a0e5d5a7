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
  summary: 'list the members of an organization, in the order in which they joined',
  args: { organization },
  options: {
    search: text('text', 'only members with this text in their name or full name'),
    email: text('address', 'only the member with this e-mail address (for admins, plan team or higher)'),
  },
  run: ({ hub, args, options }) => listMembers({ ...hub, name: args.organization, ...options }),
  columns,
});

const add = command({
  name: 'add',
  summary: 'add a member to an organization',
  args: { organization, user },
  options: { role: text('role', `${role.help} (default: read)`) },
  run: ({ hub, args, options }) =>
    addMember({ ...hub, name: args.organization, username: args.user, role: options.role ?? 'read' }),
  say: (_, { args }) => `${args.user} is a member of ${args.organization}.\n`,
});

const change = command({
  name: 'role',
  summary: 'change the role of a member',
  details: 'The member is then in exactly the resource groups given with --group: without any, in none.',
  args: { organization, user, role },
  options: { group: texts('id=role', 'a resource group and the role in it') },
  run: ({ hub, args, options }) =>
    changeMemberRole({
      ...{ ...hub, name: args.organization, username: args.user, role: args.role },
      resourceGroups: options.group?.map((given) => {
        const [, id, inGroup] = /^([^=]+)=(.+)$/.exec(given) ?? [];
        if (id === undefined || inGroup === undefined) throw new UsageError('--group must have the form id=role');
        return { id, role: inGroup };
      }),
    }),
  say: (_, { args }) => `${args.user} has the role ${args.role} in ${args.organization}.\n`,
});

const remove = command({
  name: 'remove',
  summary: 'remove a member, or leave an organization',
  args: { organization, user },
  run: ({ hub, args }) => removeMember({ ...hub, name: args.organization, username: args.user }),
  say: (_, { args }) => `Removed ${args.user} from ${args.organization}.\n`,
});

const exporting = command({
  name: 'export',
  summary: 'write all members as comma-separated values, or as JSON with --json',
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
  summary: 'invite a user, or a person by mail',
  details:
    'An invitation by mail is accepted with its secret. The secret is part of a link that is printed only once and, if the hub sends mail, mailed.',
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
        : [`This link accepts the invitation. It works once, for anybody who has it, for seven days: ${url}\n`]),
    ].join(''),
});

const invitations = listing({
  name: 'invitations',
  summary: 'list the open invitations of an organization, or by default your own',
  args: { organization: optionalArgument('name of the organization') },
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
  args: { invitation: argument('id of the invitation') },
  options: { secret: flag('for an invitation by mail: prompt for its secret, or read it from standard input') },
  run: async ({ hub, args, options, terminal }) =>
    acceptInvitation({
      ...{ ...hub, invitationId: args.invitation },
      secret: options.secret ? await readSecret('Secret: ', terminal) : undefined,
    }),
  say: () => 'Accepted.\n',
});

export const members = group('members', 'members of organizations', [
  ...[list, add, change, remove, exporting],
  ...[invite, invitations, accept],
]);
