import { z } from 'zod';
import { ObjectId, Page, Plan, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['admin'];
const authority = 'site-admin.read';

/** A page of what has a text in it, in whatever case. */
const Searched = (fields: string) =>
  Page.extend({
    search: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .meta({ description: `In ${fields}, in either case.` }),
  });

const count = (of: string) => z.int().meta({ description: `${of}, 10,000 at most: that stands for more.` });

/** A user as site administrators see one. */
export const UserEntry = z
  .object({
    id: ObjectId,
    type: z.literal('user'),
    name: z.string(),
    fullname: z.string(),
    email: z.string().optional().meta({ description: "The account's own, confirmed address." }),
    avatarUrl: z.string(),
    isPro: z.boolean(),
    isAdmin: z.boolean().meta({ description: 'A site administrator.' }),
    disabled: z.boolean().meta({ description: 'The tokens of the user are unknown until somebody enables the user.' }),
    disabledAt: Timestamp.optional(),
    disabledBy: z
      .string()
      .optional()
      .meta({ description: 'The site administrator, or the organization whose identity provider did it.' }),
    createdAt: Timestamp,
    lastUsedAt: Timestamp.optional().meta({ description: 'When a token of the user was last in use, to the hour.' }),
    scim: z
      .array(
        z.object({
          organization: z.string(),
          owned: z.boolean().meta({ description: 'Its identity provider made the account.' }),
          active: z.boolean().meta({ description: 'False: its identity provider has put the user out.' }),
          email: z.string().optional().meta({ description: 'The address that its identity provider gives the user.' }),
        }),
      )
      .optional()
      .meta({ description: 'What identity providers say of the user; absent where none does.' }),
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
      .meta({ description: 'Only those who are disabled, or only the others.' }),
  }),
  answers: { 200: z.array(UserEntry) },
});

/** An organization as site administrators see one. */
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
    deletedAt: Timestamp.optional().meta({ description: 'Deleted then; for 30 days it can be restored.' }),
  })
  .meta({ id: 'OrganizationEntry' });
export type OrganizationEntry = z.infer<typeof OrganizationEntry>;

export const listOrganizations = defineRoute({
  id: 'listOrganizations',
  method: 'GET',
  path: '/api/admin/organizations',
  summary: 'List the organizations of the hub, newest first, deleted ones as well',
  tags,
  authority,
  query: Searched('name or full name'),
  answers: { 200: z.array(OrganizationEntry) },
});

export const adminListRoutes = [listUsers, listOrganizations] as const;
