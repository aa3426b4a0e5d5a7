import { z } from 'zod';
import { BuiltInRole, ObjectId, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

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
    isAdmin: z.literal(true).optional().meta({ description: 'A site administrator; absent for everybody else.' }),
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

export const profileRoutes = [whoAmI, getUserOverview, getOrganizationOverview] as const;
