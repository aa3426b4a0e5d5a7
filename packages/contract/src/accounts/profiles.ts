import * as z from 'zod';
import { BuiltInRole, ObjectId, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/** The permissions of a fine-grained token, on single entities or everywhere. */
export const FineGrained = z.object({
  scoped: z.array(
    z.object({
      entity: z.object({ _id: z.string(), name: z.string().optional(), type: z.string() }),
      permissions: z.array(z.string()),
    }),
  ),
  global: z.array(z.string()).optional(),
  canReadGatedRepos: z.boolean().optional().meta({
    description: 'Whether the token reads the files of public gated repositories that its user was granted.',
  }),
});
export type FineGrained = z.infer<typeof FineGrained>;

export const TokenRole = z.enum(['read', 'write', 'fineGrained']);
export type TokenRole = z.infer<typeof TokenRole>;

/** The owner of a token (W§1.3). */
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
    isAdmin: z.literal(true).optional().meta({ description: 'True for site administrators, otherwise absent.' }),
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
          .meta({ description: 'Why the organization does not admit the token.' }),
      }),
    ),
    auth: z.object({
      type: z.enum(['access_token', 'session', 'oauth']),
      expiresAt: Timestamp.optional().meta({ description: 'Absent for a token that does not expire.' }),
      accessToken: z
        .object({
          displayName: z.string(),
          role: TokenRole,
          createdAt: Timestamp,
          fineGrained: FineGrained.optional(),
        })
        .optional()
        .meta({
          description: 'Absent for applications, and for sessions begun without a token.',
        }),
    }),
  })
  .meta({ id: 'WhoAmI' });

export const whoAmI = defineRoute({
  id: 'whoAmI',
  method: 'GET',
  path: '/api/whoami-v2',
  summary: 'Get the caller, its organizations and its token',
  tags: ['auth'],
  authority: 'signed-in',
  answers: { 200: WhoAmI },
});

const userFields = {
  _id: ObjectId,
  user: z.string(),
  fullname: z.string(),
  avatarUrl: z.string(),
  isPro: z.boolean(),
  type: z.literal('user'),
};

/** A user in a list. */
export const UserReference = z
  .object({
    ...userFields,
    isFollowing: z.boolean().optional().meta({ description: 'Whether the caller follows the user.' }),
  })
  .meta({ id: 'UserReference' });

const OrgReference = z.object({ id: z.string(), name: z.string(), fullname: z.string(), avatarUrl: z.string() });

export const UserOverview = z
  .object({
    ...userFields,
    createdAt: Timestamp,
    orgs: z.array(OrgReference),
    numModels: z.number(),
    numDatasets: z.number(),
    numSpaces: z.number(),
    numBuckets: z.number(),
    numKernels: z.number(),
    numDiscussions: z.number(),
    numPapers: z.number(),
    numUpvotes: z.literal(0).meta({ description: 'This hub has no upvotes.' }),
    numLikes: z.number().meta({ description: 'Public repositories only.' }),
    numFollowers: z.number(),
    numFollowing: z.number().meta({ description: 'Users only.' }),
    isFollowing: z.boolean().meta({ description: 'Whether the caller follows the user.' }),
  })
  .meta({ id: 'UserOverview' });

export const getUserOverview = defineRoute({
  id: 'getUserOverview',
  method: 'GET',
  path: '/api/users/{username}/overview',
  summary: 'Get a user',
  description: 'Counts include only what the caller may see.',
  tags: ['users'],
  authority: 'signed-in',
  anonymous: true,
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
    isFollowing: z.boolean().meta({ description: 'Whether the caller follows the organization.' }),
    numUsers: z.number(),
    numModels: z.number(),
    numDatasets: z.number(),
    numSpaces: z.number(),
    numFollowers: z.number(),
    numPapers: z.literal(0).meta({ description: 'Papers belong to users.' }),
  })
  .meta({ id: 'OrganizationOverview' });

export const getOrganizationOverview = defineRoute({
  id: 'getOrganizationOverview',
  method: 'GET',
  path: '/api/organizations/{name}/overview',
  summary: 'Get an organization',
  tags: ['orgs'],
  authority: 'signed-in',
  anonymous: true,
  params: z.object({ name: z.string() }),
  answers: { 200: OrganizationOverview },
});

/** The handles that an account gives; nobody can give any on this hub. */
const SocialHandles = z.object({
  twitter: z.string().optional(),
  github: z.string().optional(),
  linkedin: z.string().optional(),
});

export const getUserSocials = defineRoute({
  id: 'getUserSocials',
  method: 'GET',
  path: '/api/users/{username}/socials',
  summary: 'Get the social handles of a user',
  description: 'This hub keeps none: the object is empty.',
  tags: ['users'],
  authority: 'signed-in',
  params: z.object({ username: z.string() }),
  answers: {
    200: z.object({
      _id: ObjectId,
      user: z.string(),
      socialHandles: SocialHandles.extend({ bluesky: z.string().optional() }),
    }),
  },
});

export const getOrganizationSocials = defineRoute({
  id: 'getOrganizationSocials',
  method: 'GET',
  path: '/api/organizations/{name}/socials',
  summary: 'Get the social handles of an organization',
  description: 'This hub keeps none: the object is empty.',
  tags: ['orgs'],
  authority: 'signed-in',
  params: z.object({ name: z.string() }),
  answers: { 200: z.object({ _id: ObjectId, org: z.string(), socialHandles: SocialHandles }) },
});

export const profileRoutes = [
  whoAmI,
  getUserOverview,
  getOrganizationOverview,
  getUserSocials,
  getOrganizationSocials,
] as const;
