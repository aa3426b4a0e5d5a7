import * as z from 'zod';
import { EmailAddress, ObjectId, Page, Plan, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['admin'];
const authority = 'site-admin.read';

/** The query of a list: a page, and a text to search for, ignoring case. */
const Searched = (fields: string) =>
  Page.extend({
    search: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: `Text to search for in ${fields}, ignoring case.` }),
  });

const count = (of: string) => z.int().meta({ description: `${of}; 10,000 stands for 10,000 or more.` });

/** A user as site administrators see it. */
export const UserEntry = z
  .object({
    id: ObjectId,
    type: z.literal('user'),
    name: z.string(),
    fullname: z.string(),
    email: z.string().optional().meta({ description: "The account's own, confirmed address." }),
    avatarUrl: z.string(),
    isPro: z.boolean(),
    isAdmin: z.boolean().meta({ description: 'Whether the user is a site administrator.' }),
    disabled: z.boolean().meta({
      description: 'Whether the user is disabled: the tokens of the user are invalid until somebody enables the user.',
    }),
    disabledAt: Timestamp.optional(),
    disabledBy: z.string().optional().meta({
      description: 'The site administrator who disabled the user, or the organization whose identity provider did.',
    }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.optional().meta({ description: 'When a token of the user was last used, to the hour.' }),
    scim: z
      .array(
        z.object({
          organization: z.string(),
          owned: z.boolean().meta({ description: 'Whether its identity provider created the account.' }),
          active: z.boolean().meta({ description: 'False if its identity provider has deactivated the user.' }),
          email: z
            .string()
            .optional()
            .meta({ description: 'The address of the user according to its identity provider.' }),
        }),
      )
      .optional()
      .meta({ description: 'What identity providers say about the user; absent if none does.' }),
  })
  .meta({ id: 'UserEntry' });
export type UserEntry = z.infer<typeof UserEntry>;

export const listUsers = defineRoute({
  id: 'listUsers',
  method: 'GET',
  path: '/api/admin/users',
  summary: 'List the users of the hub, newest first',
  tags,
  authority,
  query: Searched('name, full name or e-mail address').extend({
    disabled: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional()
      .meta({ description: 'true: only disabled users; false: only enabled users.' }),
  }),
  answers: { 200: z.array(UserEntry) },
});

export const getUserEntry = defineRoute({
  id: 'getUserEntry',
  method: 'GET',
  path: '/api/admin/users/{username}',
  summary: 'Get a user as site administrators see it',
  tags,
  authority,
  params: z.object({ username: z.string() }),
  answers: { 200: UserEntry },
});

export const createUser = defineRoute({
  id: 'createUser',
  method: 'POST',
  path: '/api/admin/users',
  summary: 'Create a user',
  description:
    'The user has no password yet: `POST /api/admin/users/{username}/links` creates a link with which the user sets one.',
  tags,
  authority: 'site-admin',
  body: z.object({
    name: z.string().min(1).max(100),
    fullname: z.string().trim().min(1).max(200).optional(),
    email: EmailAddress.optional().meta({ description: 'Counts as confirmed.' }),
    isAdmin: z.boolean().default(false).meta({ description: 'Whether the user is a site administrator.' }),
  }),
  answers: { 200: UserEntry },
  otherAnswers: { 409: 'Another user has the name or the address.' },
});

/** An organization as site administrators see it. */
export const OrganizationEntry = z
  .object({
    id: ObjectId,
    type: z.literal('org'),
    name: z.string(),
    fullname: z.string(),
    avatarUrl: z.string(),
    plan: Plan,
    numMembers: count('Members'),
    numRepos: count('Repositories'),
    createdAt: Timestamp,
    deletedAt: Timestamp.optional().meta({
      description: 'When the organization was deleted; it can be restored for 30 days.',
    }),
  })
  .meta({ id: 'OrganizationEntry' });
export type OrganizationEntry = z.infer<typeof OrganizationEntry>;

export const listOrganizations = defineRoute({
  id: 'listOrganizations',
  method: 'GET',
  path: '/api/admin/organizations',
  summary: 'List the organizations of the hub, including deleted ones, newest first',
  tags,
  authority,
  query: Searched('name or full name'),
  answers: { 200: z.array(OrganizationEntry) },
});

export const adminListRoutes = [listUsers, getUserEntry, createUser, listOrganizations] as const;
