import { z } from 'zod';
import { TokenRole } from '../accounts/profiles.ts';
import { ObjectId, Page, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { OrganizationParams } from './organizations.ts';

/** Which of its members' access tokens an organization admits (W§6.4). */
export const TokenPolicy = z.enum(['any', 'fine-grained', 'approval']);
export type TokenPolicy = z.infer<typeof TokenPolicy>;

/** An access token of a member. What nobody decided about is `pending` where approval is needed, else `approved`. */
export const MemberToken = z
  .object({
    id: ObjectId,
    user: z.string(),
    role: TokenRole,
    last4: z.string(),
    status: z.enum(['pending', 'approved', 'denied', 'revoked']),
    lastUsedAt: Timestamp.optional(),
  })
  .meta({ id: 'MemberToken' });
export type MemberToken = z.infer<typeof MemberToken>;

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
  description: `${ADMINS} For good; elsewhere the token keeps working.`,
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
  description: `${ADMINS} For good; elsewhere the token keeps working.`,
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
  description: `${ADMINS} A page may hold fewer than \`limit\` while there are more.`,
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
  otherAnswers: { ...otherAnswers, 409: 'It has been revoked, which is for good.' },
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
  otherAnswers: { ...otherAnswers, 409: 'It has been revoked, which is for good.' },
});

export const updateTokenPolicy = defineRoute({
  id: 'updateTokenPolicy',
  method: 'PATCH',
  path: '/api/organizations/{name}/settings/tokens/policy',
  summary: 'Choose which access tokens the organization admits',
  description: `${ADMINS} \`approval\` leaves the tokens of admins out.`,
  tags,
  authority: 'org.write',
  params: OrganizationParams,
  body: z.object({ policy: TokenPolicy }),
  answers: { 200: Success },
  otherAnswers: { 400: 'The policy would shut out the token of the call.', 402: otherAnswers[402] },
});

export const memberTokenRoutes = [
  revokeMemberToken,
  revokeMemberTokenById,
  listMemberTokens,
  approveMemberToken,
  denyMemberToken,
  updateTokenPolicy,
] as const;
