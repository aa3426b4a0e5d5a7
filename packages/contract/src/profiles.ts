import { z } from 'zod';
import { BuiltInRole, ObjectId, Timestamp } from './primitives.ts';
import { defineRoute } from './route.ts';

/** What a fine-grained token may do: permission words on single entities, or everywhere. */
export const FineGrained = z.object({
  scoped: z.array(
    z.object({
      entity: z.object({ _id: z.string(), name: z.string().optional(), type: z.string() }),
      permissions: z.array(z.string()),
    }),
  ),
  global: z.array(z.string()).optional(),
});
export type FineGrained = z.infer<typeof FineGrained>;

export const TokenRole = z.enum(['read', 'write', 'fineGrained']);
export type TokenRole = z.infer<typeof TokenRole>;

/** Who the token belongs to (W§1.3). */
export const WhoAmI = z
  .object({
    type: z.literal('user'),
    id: ObjectId,
    name: z.string(),
    fullname: z.string(),
    email: z.string().nullable().optional(),
    emailVerified: z.boolean().optional(),
    avatarUrl: z.string(),
    isPro: z.boolean(),
    orgs: z.array(
      z.object({
        type: z.literal('org'),
        id: ObjectId,
        name: z.string(),
        fullname: z.string(),
        avatarUrl: z.string(),
        plan: z.enum(['team', 'enterprise', 'plus']).optional(),
        roleInOrg: BuiltInRole,
        securityRestrictions: z
          .array(z.enum(['mfa', 'token-policy', 'token-revoked', 'sso', 'ip']))
          .optional()
          .meta({ description: 'Why the token does not reach the organization.' }),
      }),
    ),
    auth: z.object({
      type: z.literal('access_token'),
      accessToken: z.object({
        displayName: z.string(),
        role: TokenRole,
        createdAt: Timestamp,
        fineGrained: FineGrained.optional(),
      }),
    }),
  })
  .meta({ id: 'WhoAmI' });

export const whoAmI = defineRoute({
  id: 'whoAmI',
  method: 'GET',
  path: '/api/whoami-v2',
  summary: 'Who am I',
  tags: ['auth'],
  authority: 'signed-in',
  answers: { 200: WhoAmI },
});

const OrgReference = z.object({ id: z.string(), name: z.string(), fullname: z.string(), avatarUrl: z.string() });

export const UserOverview = z
  .object({
    _id: ObjectId,
    user: z.string(),
    fullname: z.string(),
    avatarUrl: z.string(),
    isPro: z.boolean(),
    type: z.literal('user'),
    createdAt: Timestamp,
    orgs: z.array(OrgReference),
    numModels: z.number(),
    numDatasets: z.number(),
    numSpaces: z.number(),
    numBuckets: z.number(),
    numKernels: z.number(),
    numDiscussions: z.number(),
  })
  .meta({ id: 'UserOverview' });

export const getUserOverview = defineRoute({
  id: 'getUserOverview',
  method: 'GET',
  path: '/api/users/{username}/overview',
  summary: 'User overview',
  description: 'Counts are of what the caller may see.',
  tags: ['users'],
  authority: 'signed-in',
  params: z.object({ username: z.string() }),
  answers: { 200: UserOverview },
});

export const OrganizationOverview = z
  .object({
    _id: ObjectId,
    name: z.string(),
    fullname: z.string(),
    avatarUrl: z.string(),
    type: z.literal('org'),
    details: z.string().optional(),
    plan: z.enum(['team', 'enterprise', 'plus']).optional(),
    isVerified: z.literal(false),
    isFollowing: z.literal(false),
    numUsers: z.number(),
    numModels: z.number(),
    numDatasets: z.number(),
    numSpaces: z.number(),
    numFollowers: z.number(),
  })
  .meta({ id: 'OrganizationOverview' });

export const getOrganizationOverview = defineRoute({
  id: 'getOrganizationOverview',
  method: 'GET',
  path: '/api/organizations/{name}/overview',
  summary: 'Organization overview',
  tags: ['orgs'],
  authority: 'signed-in',
  params: z.object({ name: z.string() }),
  answers: { 200: OrganizationOverview },
});

const Avatar = z.object({ avatarUrl: z.url() });
const Redirect = z.object({
  redirect: z.unknown().optional().meta({ description: 'Given with any value: redirect to the picture.' }),
});
const avatarNotes = {
  description:
    'With the header `Sec-Fetch-Dest: image`, or `redirect`, it redirects to the picture; no token is needed then.',
  otherAnswers: { 302: 'Redirect to the picture.', 401: 'JSON is for callers with a token.' },
} as const;

export const getOrganizationAvatar = defineRoute({
  id: 'getOrganizationAvatar',
  method: 'GET',
  path: '/api/organizations/{name}/avatar',
  tags: ['orgs'],
  summary: 'Organization avatar',
  ...avatarNotes,
  authority: 'public',
  params: z.object({ name: z.string() }),
  query: Redirect,
  answers: { 200: Avatar },
});

export const getUserAvatar = defineRoute({
  id: 'getUserAvatar',
  method: 'GET',
  path: '/api/users/{username}/avatar',
  summary: 'User avatar',
  tags: ['users'],
  ...avatarNotes,
  authority: 'public',
  params: z.object({ username: z.string() }),
  query: Redirect,
  answers: { 200: Avatar },
});

export const getAvatar = defineRoute({
  id: 'getAvatar',
  method: 'GET',
  path: '/api/avatars/{namespace}',
  summary: 'Avatar of a user or organization',
  tags: ['users', 'orgs'],
  authority: 'public',
  params: z.object({ namespace: z.string() }),
  answers: {},
  otherAnswers: { 302: 'Redirect to the picture.' },
});

export const getGeneratedAvatar = defineRoute({
  id: 'getGeneratedAvatar',
  method: 'GET',
  path: '/avatars/{file}',
  summary: 'Generated picture of an account',
  tags: ['users', 'orgs'],
  authority: 'public',
  params: z.object({ file: z.string().regex(/^[0-9a-f]{24}\.svg$/, 'must be an object id and .svg') }),
  answers: {},
  otherAnswers: { 200: 'An SVG picture made from the id.' },
});

export const profileRoutes = [
  whoAmI,
  getUserOverview,
  getOrganizationOverview,
  getOrganizationAvatar,
  getUserAvatar,
  getAvatar,
  getGeneratedAvatar,
] as const;
