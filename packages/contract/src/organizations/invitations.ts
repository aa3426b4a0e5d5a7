import * as z from 'zod';
import { EmailAddress, ObjectId, Page, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { RoleName } from './members.ts';
import { OrganizationParams } from './organizations.ts';

/** An invitation, of a user or by mail. */
export const Invitation = z
  .object({
    id: ObjectId,
    user: z.string().optional(),
    email: z.string().optional(),
    role: RoleName,
    invitedBy: z.string().optional().meta({ description: 'Absent if that user was deleted.' }),
    createdAt: Timestamp,
    expiresAt: Timestamp.optional().meta({ description: 'For an invitation by mail: when it expires.' }),
  })
  .meta({ id: 'Invitation' });
export type Invitation = z.infer<typeof Invitation>;

const NewInvitation = z
  .object({ user: z.string().optional(), email: EmailAddress.max(254).optional(), role: RoleName })
  .refine(({ user, email }) => (user === undefined) !== (email === undefined), 'must have either `user` or `email`');
export type NewInvitation = z.infer<typeof NewInvitation>;

const NewlyMade = Invitation.extend({
  secret: z
    .string()
    .optional()
    .meta({ description: 'For an invitation by mail: the secret that accepts it; returned only once.' }),
  url: z
    .string()
    .optional()
    .meta({ description: 'URL of the page that accepts the invitation, with the secret after the #.' }),
});

const tags = ['orgs'];

export const listInvitations = defineRoute({
  id: 'listInvitations',
  method: 'GET',
  path: '/api/organizations/{name}/invitations',
  summary: 'List the open invitations of an organization, newest first',
  description: 'For admins of the organization.',
  tags,
  authority: 'org.read',
  params: OrganizationParams,
  query: Page,
  answers: { 200: z.array(Invitation) },
});

export const createInvitation = defineRoute({
  id: 'createInvitation',
  method: 'POST',
  path: '/api/organizations/{name}/invitations',
  summary: 'Invite a user or an e-mail address',
  description:
    'For admins of the organization. Anybody with the secret of an invitation by mail can accept it, once, within seven days. Inviting an address again creates a new secret.',
  tags,
  authority: 'org.write',
  params: OrganizationParams,
  body: NewInvitation,
  answers: { 200: NewlyMade },
  otherAnswers: { 409: 'A user who is invited already, or a member.' },
});

export const deleteInvitation = defineRoute({
  id: 'deleteInvitation',
  method: 'DELETE',
  path: '/api/organizations/{name}/invitations/{invitationId}',
  summary: 'Withdraw an invitation',
  description: 'For admins of the organization.',
  tags,
  authority: 'org.write',
  params: OrganizationParams.extend({ invitationId: z.string() }),
  answers: { 200: Success },
});

export const listOwnInvitations = defineRoute({
  id: 'listOwnInvitations',
  method: 'GET',
  path: '/api/settings/invitations',
  summary: 'List the invitations of the caller, newest first',
  tags,
  authority: 'user.settings.read',
  query: Page,
  answers: {
    200: z.array(Invitation.extend({ organization: z.object({ name: z.string(), fullname: z.string() }) })),
  },
});

export const acceptInvitation = defineRoute({
  id: 'acceptInvitation',
  method: 'POST',
  path: '/api/settings/invitations/{invitationId}/accept',
  summary: 'Accept an invitation',
  tags,
  authority: 'user.settings.write',
  params: z.object({ invitationId: z.string() }),
  body: z.object({
    secret: z.string().max(200).optional().meta({
      description:
        'For an invitation by mail; not required if the confirmed e-mail address of the caller is the invited one.',
    }),
  }),
  answers: { 200: Success },
  otherAnswers: {
    404: 'There is no such invitation, or it is not for the caller.',
    409: 'It has expired, or its role or the right of its sender is no more.',
  },
});

export const invitationRoutes = [
  listInvitations,
  createInvitation,
  deleteInvitation,
  listOwnInvitations,
  acceptInvitation,
] as const;
