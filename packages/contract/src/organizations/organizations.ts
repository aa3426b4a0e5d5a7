import * as z from 'zod';
import { ObjectId, Plan, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/** Path parameter of operations on one organization. */
export const OrganizationParams = z.object({ name: z.string() });

const fullname = z.string().trim().min(1).max(200);
export const Domain = z
  .string()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain, as in example.com');

/** The possible minimum roles for creating resource groups. */
export const GroupCreators = z.enum(['admin', 'write', 'contributor', 'read']);

/** The visibility that new repositories of an organization get, buckets included, if the request names none. */
export const DefaultRepoVisibility = z.enum(['public', 'private']);

/** An organization as its admins see it. */
export const Organization = z
  .object({
    id: ObjectId,
    name: z.string(),
    fullname: z.string(),
    details: z.string().nullable(),
    avatarUrl: z.string(),
    plan: Plan,
    createdAt: Timestamp,
    membersPrivate: z.boolean().meta({ description: 'Whether only members can see the list of members.' }),
    groupCreators: GroupCreators.meta({ description: 'The lowest role that may create resource groups.' }),
    defaultRepoVisibility: DefaultRepoVisibility.meta({
      description: 'The visibility of new repositories and buckets whose request names none.',
    }),
    joinDomains: z
      .array(z.string())
      .meta({ description: 'Users whose confirmed e-mail address is in one of these domains may join by themselves.' }),
    verifiedDomains: z.array(z.string()).meta({
      description: 'The organization accepts e-mail addresses in these domains that its SCIM sets.',
    }),
    tokenPolicy: z.enum(['any', 'fine-grained', 'approval']),
    tokenMaxDays: z.int().nullable().meta({
      description: 'The organization admits only tokens that expire at most this many days after their creation.',
    }),
  })
  .meta({ id: 'Organization' });
export type Organization = z.infer<typeof Organization>;

const NewOrganization = z.object({
  name: z.string(),
  fullname: fullname.optional(),
  plan: Plan.optional().meta({ description: 'For site administrators only.' }),
});
export type NewOrganization = z.infer<typeof NewOrganization>;

const OrganizationChange = z.object({
  name: z.string().optional().meta({ description: 'The new name; the old one becomes free at once.' }),
  fullname: fullname.optional(),
  details: z.string().max(2000).nullable().optional(),
  avatarUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .optional(),
  membersPrivate: z.boolean().optional(),
  groupCreators: GroupCreators.optional(),
  defaultRepoVisibility: DefaultRepoVisibility.optional(),
  joinDomains: z.array(Domain).max(100).optional(),
  verifiedDomains: z
    .array(Domain)
    .max(100)
    .optional()
    .meta({ description: 'For site administrators only, who need not be members.' }),
});
export type OrganizationChange = z.infer<typeof OrganizationChange>;

const tags = ['orgs'];

export const createOrganization = defineRoute({
  id: 'createOrganization',
  method: 'POST',
  path: '/api/organizations',
  summary: 'Create an organization',
  description: 'The caller becomes its first admin.',
  tags,
  authority: 'org.write',
  body: NewOrganization,
  answers: { 200: Organization },
  otherAnswers: { 403: '`plan` is for site administrators.', 409: 'The name is taken.' },
});

export const updateOrganization = defineRoute({
  id: 'updateOrganization',
  client: { body: 'change' },
  method: 'PATCH',
  path: '/api/organizations/{name}',
  summary: 'Change or rename an organization',
  description: 'Absent fields keep their values. References to the organization survive a rename.',
  tags,
  authority: 'org.write',
  params: OrganizationParams,
  body: OrganizationChange,
  answers: { 200: Organization },
  otherAnswers: { 403: '`verifiedDomains` is for site administrators.', 409: 'The name is taken.' },
});

export const deleteOrganization = defineRoute({
  id: 'deleteOrganization',
  method: 'DELETE',
  path: '/api/organizations/{name}',
  summary: 'Delete an organization',
  description: 'The organization disappears at once with everything that it owns, and can be restored for 30 days.',
  tags,
  authority: 'org.write',
  params: OrganizationParams,
  answers: { 200: Success },
});

export const restoreOrganization = defineRoute({
  id: 'restoreOrganization',
  method: 'POST',
  path: '/api/organizations/{name}/restore',
  summary: 'Restore a deleted organization',
  description: 'For its former admins, within 30 days; 404 for others.',
  tags,
  authority: 'org.write',
  params: OrganizationParams,
  answers: { 200: Organization },
});

export const organizationRoutes = [
  createOrganization,
  updateOrganization,
  deleteOrganization,
  restoreOrganization,
] as const;
