import * as z from 'zod';
import { TokenRole } from '../accounts/profiles.ts';
import { ObjectId, Page, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { OrganizationParams } from './organizations.ts';

/** The access tokens of members that an organization admits (W§6.4). */
export const TokenPolicy = z.enum(['any', 'fine-grained', 'approval']);
export type TokenPolicy = z.infer<typeof TokenPolicy>;

/** An access token of a member. Without a decision it is `pending` if approval is required, otherwise `approved`. */
export const MemberToken = z
  .object({
    id: ObjectId,
    user: z.string(),
    role: TokenRole,
    last4: z.string(),
    application: z
      .string()
      .optional()
      .meta({ description: 'The application that uses the token, in place of `last4`; absent for a personal token.' }),
    status: z.enum(['pending', 'approved', 'denied', 'revoked']),
    lastUsedAt: Timestamp.optional(),
    expiresAt: Timestamp.optional(),
  })
  .meta({ id: 'MemberToken' });
export type MemberToken = z.infer<typeof MemberToken>;

/** The maximum lifetime of tokens in days; null: unlimited. */
const MaxDays = z.int().min(1).max(3650).nullable();

const TokenParams = OrganizationParams.extend({ tokenId: z.string() });
const tags = ['orgs'];
const ADMINS = 'For admins of the organization, plan enterprise or higher.';
const otherAnswers = { 402: 'The plan of the organization is too low.', 404: 'No member has this token.' };

/** E14. */
export const revokeMemberToken = defineRoute({
  id: 'revokeMemberToken',
  method: 'POST',
  path: '/api/organizations/{name}/settings/tokens/revoke',
  summary: "Revoke a member's access token from the organization, by its value",
  description: `${ADMINS} Permanently; elsewhere the token keeps working.`,
  tags,
  authority: 'org.write',
  params: OrganizationParams,
  body: z.object({ token: z.string().regex(/^hf_.*/) }),
  answers: { 200: Success },
  otherAnswers: { ...otherAnswers, 400: 'It is the token of the call.' },
});

export const revokeMemberTokenById = defineRoute({
  id: 'revokeMemberTokenById',
  method: 'POST',
  path: '/api/organizations/{name}/settings/tokens/{tokenId}/revoke',
  summary: "Revoke a member's access token from the organization, by its id",
  description: `${ADMINS} Permanently; elsewhere the token keeps working.`,
  tags,
  authority: 'org.write',
  params: TokenParams,
  answers: { 200: Success },
  otherAnswers: { ...otherAnswers, 400: 'It is the token of the call.' },
});

export const listMemberTokens = defineRoute({
  id: 'listMemberTokens',
  method: 'GET',
  path: '/api/organizations/{name}/settings/tokens',
  summary: 'List the access tokens of members that reach the organization, newest first',
  description: `${ADMINS} A page may contain fewer than \`limit\` while there are more.`,
  tags,
  authority: 'org.read',
  params: OrganizationParams,
  query: Page,
  answers: { 200: z.array(MemberToken) },
  otherAnswers: { 402: otherAnswers[402] },
});

export const approveMemberToken = defineRoute({
  id: 'approveMemberToken',
  method: 'POST',
  path: '/api/organizations/{name}/settings/tokens/{tokenId}/approve',
  summary: "Approve a member's access token",
  description: ADMINS,
  tags,
  authority: 'org.write',
  params: TokenParams,
  answers: { 200: Success },
  otherAnswers: { ...otherAnswers, 409: 'It has been revoked permanently.' },
});

export const denyMemberToken = defineRoute({
  id: 'denyMemberToken',
  method: 'POST',
  path: '/api/organizations/{name}/settings/tokens/{tokenId}/deny',
  summary: "Deny a member's access token",
  description: `${ADMINS} It can be approved later.`,
  tags,
  authority: 'org.write',
  params: TokenParams,
  answers: { 200: Success },
  otherAnswers: { ...otherAnswers, 409: 'It has been revoked permanently.' },
});

export const getTokenPolicy = defineRoute({
  id: 'getTokenPolicy',
  method: 'GET',
  path: '/api/organizations/{name}/settings/tokens/policy',
  summary: 'Get which access tokens the organization admits',
  description: ADMINS,
  tags,
  authority: 'org.read',
  params: OrganizationParams,
  answers: { 200: z.object({ policy: TokenPolicy, maxDays: MaxDays }) },
  otherAnswers: { 402: otherAnswers[402] },
});

export const updateTokenPolicy = defineRoute({
  id: 'updateTokenPolicy',
  method: 'PATCH',
  path: '/api/organizations/{name}/settings/tokens/policy',
  summary: 'Set which access tokens the organization admits',
  description:
    `${ADMINS} \`approval\` does not apply to tokens of admins. With \`maxDays\`, the organization admits only tokens that expire ` +
    'at most this many days after their creation; null removes the limit. Absent fields keep their values.',
  tags,
  authority: 'org.write',
  params: OrganizationParams,
  body: z.object({ policy: TokenPolicy.optional(), maxDays: MaxDays.optional() }),
  answers: { 200: Success },
  otherAnswers: { 400: 'The policy would lock out the token of the call.', 402: otherAnswers[402] },
});

export const memberTokenRoutes = [
  revokeMemberToken,
  revokeMemberTokenById,
  listMemberTokens,
  approveMemberToken,
  denyMemberToken,
  getTokenPolicy,
  updateTokenPolicy,
] as const;
