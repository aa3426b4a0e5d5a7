import * as z from 'zod';
import { ObjectId, Page, Success, Timestamp } from '../primitives.ts';
import { defineRoute, ROUTE_PERMISSIONS } from '../route.ts';
import { FineGrained, TokenRole } from './profiles.ts';

/** The permissions of fine-grained tokens: those that this hub checks, and further ones of the public hub (W§6.6, W§1.3). */
export const PERMISSIONS = [
  ...ROUTE_PERMISSIONS,
  'post.write',
  'inference.serverless.write',
  'inference.endpoints.infer.write',
  'inference.endpoints.write',
  'org.serviceAccounts.read',
  'org.serviceAccounts.write',
  'org.auditLog.write',
] as const;

/** The entity of a scope of a fine-grained token. */
export const SCOPE_ENTITIES = [
  'dataset',
  'model',
  'space',
  'bucket',
  'kernel',
  'collection',
  'org',
  'user',
  'resource-group',
  'oauth-app',
] as const;

const Permission = z.enum(PERMISSIONS);

/** The scopes of a new token. */
export const NewScopes = z.object({
  scoped: z
    .array(
      z.object({
        entity: z.object({ _id: ObjectId, name: z.string().max(200).optional(), type: z.enum(SCOPE_ENTITIES) }),
        permissions: z.array(Permission).min(1).max(50),
      }),
    )
    .max(500)
    .default([]),
  global: z.array(Permission).max(50).optional(),
  canReadGatedRepos: z.boolean().optional().meta({
    description: 'Whether the token reads the files of public gated repositories that its user was granted.',
  }),
});

/** An access token without its value. `lastUsedAt` has a resolution of about an hour. */
export const AccessToken = z
  .object({
    id: ObjectId,
    displayName: z.string(),
    role: TokenRole,
    last4: z.string(),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.optional(),
    expiresAt: Timestamp.optional().meta({
      description: 'When the token expires. Absent: never.',
    }),
    fineGrained: FineGrained.optional(),
    createdBy: ObjectId.optional().meta({
      description:
        'The id of the access token, or of the authorization of an application, with which this token was created. Absent: without one, such as in a session, or it is no more.',
    }),
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof AccessToken>;

const NewAccessToken = z
  .object({
    displayName: z.string().trim().min(1).max(100),
    role: TokenRole,
    expiresAt: Timestamp.optional().meta({
      description:
        'Must be in the future, and no later than the expiry of the token of this request. Absent: the token does not expire.',
    }),
    fineGrained: NewScopes.optional().meta({
      description: 'Required for the role `fineGrained`, not allowed for others.',
    }),
  })
  .superRefine(({ role, fineGrained }, context) => {
    if ((role === 'fineGrained') === (fineGrained !== undefined)) return;
    const message =
      role === 'fineGrained' ? 'is needed for the role fineGrained' : 'is for tokens of the role fineGrained only';
    context.addIssue({ code: 'custom', path: ['fineGrained'], message });
  });
export type NewAccessToken = z.infer<typeof NewAccessToken>;

const Deletion = z.object({
  keepCreated: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({ description: 'true: the tokens that were created with this one stay valid.' }),
});

const tags = ['users'];

export const listAccessTokens = defineRoute({
  id: 'listAccessTokens',
  method: 'GET',
  path: '/api/settings/tokens',
  summary: "List the caller's access tokens, newest first",
  tags,
  authority: 'user.settings.read',
  query: Page,
  answers: { 200: z.array(AccessToken) },
});

export const createAccessToken = defineRoute({
  id: 'createAccessToken',
  method: 'POST',
  path: '/api/settings/tokens',
  summary: 'Create an access token',
  description: 'The value, `token`, is returned only once. A token cannot create one that may do more than itself.',
  tags,
  authority: 'user.settings.write',
  body: NewAccessToken,
  answers: { 200: AccessToken.extend({ token: z.string() }) },
  otherAnswers: { 409: 'The caller has a token of this name.' },
});

export const deleteAccessToken = defineRoute({
  id: 'deleteAccessToken',
  method: 'DELETE',
  path: '/api/settings/tokens/{tokenId}',
  summary: 'Delete an access token',
  description:
    'The token is invalid from the next request on, and its open streams end. So are the tokens that were created with it, directly or indirectly, unless `keepCreated` is true.',
  tags,
  authority: 'user.settings.write',
  params: z.object({ tokenId: z.string() }),
  query: Deletion,
  answers: { 200: Success },
});

/** W§6.4. */
export const revokeCredentials = defineRoute({
  id: 'revokeCredentials',
  method: 'POST',
  path: '/api/credentials/revoke',
  summary: 'Revoke leaked access tokens',
  description:
    'For anybody who finds a leaked token; needs no token of its own. Revokes it everywhere. The response is the same for any text.',
  tags: ['auth'],
  authority: 'public',
  body: z.object({ credentials: z.array(z.string().min(1).max(200)).min(1).max(1000) }),
  answers: { 202: Success },
});

export const listUserTokens = defineRoute({
  id: 'listUserTokens',
  method: 'GET',
  path: '/api/admin/users/{username}/tokens',
  summary: 'List the access tokens of a user, newest first',
  tags: ['admin'],
  authority: 'site-admin.read',
  params: z.object({ username: z.string() }),
  query: Page,
  answers: { 200: z.array(AccessToken) },
});

export const deleteUserToken = defineRoute({
  id: 'deleteUserToken',
  method: 'DELETE',
  path: '/api/admin/users/{username}/tokens/{tokenId}',
  summary: 'Delete an access token of a user',
  description:
    'The token is invalid from the next request on, and its open streams end. So are the tokens that were created with it, directly or indirectly, unless `keepCreated` is true.',
  tags: ['admin'],
  authority: 'site-admin',
  params: z.object({ username: z.string(), tokenId: z.string() }),
  query: Deletion,
  answers: { 200: Success },
});

export const accessTokenRoutes = [
  listAccessTokens,
  createAccessToken,
  deleteAccessToken,
  revokeCredentials,
  listUserTokens,
  deleteUserToken,
] as const;
