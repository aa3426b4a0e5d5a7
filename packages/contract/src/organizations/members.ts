import * as z from 'zod';
import { BuiltInRole, EmailAddress, ObjectId, queryInteger, Success } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { OrganizationParams } from './organizations.ts';

/** A built-in role, or the name of a custom role of the organization. */
export const RoleName = z.union([BuiltInRole, z.string().meta({ description: 'Custom role name' })]);

/** Element of the list of members (E16). Optional fields depend on the caller. */
export const OrganizationMember = z
  .object({
    avatarUrl: z.string(),
    fullname: z.string(),
    isPro: z.boolean(),
    user: z.string(),
    type: z.literal('user'),
    isFollowing: z.boolean().optional(),
    _id: ObjectId,
    role: RoleName.optional().meta({ description: 'Visible to members.' }),
    resourceGroups: z
      .array(z.object({ name: z.string(), id: z.string(), numUsers: z.number(), role: RoleName }))
      .optional()
      .meta({ description: 'Visible to admins; other members see only groups of their own.' }),
    twoFaEnabled: z.boolean().optional(),
    verifiedEmail: z
      .union([z.string(), z.null()])
      .optional()
      .meta({ description: 'Visible to admins, if the organization has the plan team or higher.' }),
    isExternalCollaborator: z
      .boolean()
      .optional()
      .meta({ description: 'Visible to members: whether the e-mail address is outside the domains that may join.' }),
  })
  .meta({ id: 'OrganizationMember' });
export type OrganizationMember = z.infer<typeof OrganizationMember>;

const MemberParams = OrganizationParams.extend({ username: z.string() });
const tags = ['orgs'];
const ADMINS = 'For admins of the organization.';

/** E16. */
export const listMembers = defineRoute({
  id: 'listMembers',
  method: 'GET',
  path: '/api/organizations/{name}/members',
  summary: 'List the members of an organization, in the order of joining',
  description: 'For members, and for everybody if the list is not private.',
  tags,
  authority: 'signed-in',
  params: OrganizationParams,
  query: z.object({
    search: z
      .string()
      .max(2048)
      .optional()
      .meta({ description: 'Text to search for in names and full names, ignoring case.' }),
    email: EmailAddress.optional().meta({
      description: 'The complete address, ignoring case; for admins, plan team or higher.',
    }),
    cursor: z.string().max(2048).optional(),
    limit: queryInteger({ min: 10, max: 10_000, default: 500 }),
  }),
  answers: { 200: z.array(OrganizationMember) },
  otherAnswers: { 403: 'The list is private, or `email` is not for the caller.' },
});

export const addMember = defineRoute({
  id: 'addMember',
  method: 'PUT',
  path: '/api/organizations/{name}/members/{username}',
  summary: 'Add a member',
  description: `${ADMINS} Has no effect on a member who already has the role.`,
  tags,
  authority: 'org.write',
  params: MemberParams,
  body: z.object({ role: RoleName }),
  answers: { 200: Success },
  otherAnswers: { 409: 'A member with another role: change that with `/role`.' },
});

export const removeMember = defineRoute({
  id: 'removeMember',
  method: 'DELETE',
  path: '/api/organizations/{name}/members/{username}',
  summary: 'Remove a member, or leave',
  description: `${ADMINS} Members may leave. Also removes the member from the resource groups of the organization.`,
  tags,
  authority: 'org.write',
  params: MemberParams,
  answers: { 200: Success },
  otherAnswers: { 409: 'The only admin stays.' },
});

/** E17. */
export const changeMemberRole = defineRoute({
  id: 'changeMemberRole',
  method: 'PUT',
  path: '/api/organizations/{name}/members/{username}/role',
  summary: "Change a member's role and resource groups",
  description: `${ADMINS} \`resourceGroups\` is the complete list of the member's groups: absent or empty, none.`,
  tags,
  authority: 'org.write',
  params: MemberParams,
  body: z.object({
    role: RoleName,
    resourceGroups: z
      .array(
        z.object({
          id: z
            .string()
            .length(24)
            .regex(/^[0-9a-fA-F]{24}$/),
          role: RoleName,
        }),
      )
      .optional(),
  }),
  answers: { 200: Success },
  otherAnswers: {
    402: 'The organization has no paid plan.',
    403: 'A group is not of the organization, or an identity provider manages it.',
    409: 'The only admin stays one.',
  },
});

export const joinOrganization = defineRoute({
  id: 'joinOrganization',
  method: 'POST',
  path: '/api/organizations/{name}/join',
  summary: 'Join an organization by the domain of your e-mail address',
  description: 'The caller joins with the role `read`.',
  tags,
  authority: 'user.settings.write',
  params: OrganizationParams,
  answers: { 200: Success },
});

export const memberRoutes = [listMembers, addMember, removeMember, changeMemberRole, joinOrganization] as const;
