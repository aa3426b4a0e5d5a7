import { z } from 'zod';
import { ObjectId, Plan, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';

/** Path parameter of everything about one organization. */
export const OrganizationParams = z.object({ name: z.string() });

const fullname = z.string().trim().min(1).max(200);
export const Domain = z
  .string()
  .toLowerCase()
  .max(253)
  .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/, 'must be a domain, as in example.com');

/** The roles that may be the least one to create resource groups. */
export const GroupCreators = z.enum(['admin', 'write', 'contributor', 'read']);

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
    membersPrivate: z.boolean().meta({ description: 'Only members see the list of members.' }),
    groupCreators: GroupCreators.meta({ description: 'The least role that may create resource groups.' }),
    joinDomains: z
      .array(z.string())
      .meta({ description: 'Users whose own, confirmed e-mail address is of these domains may join by themselves.' }),
    verifiedDomains: z.array(z.string()).meta({
      description: 'E-mail addresses of these domains, as the SCIM of the organization gives them, count in it.',
    }),
    tokenPolicy: z.enum(['any', 'fine-grained', 'approval']),
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
  name: z.string().optional().meta({ description: 'A new name; the old one is free at once.' }),
  fullname: fullname.optional(),
  details: z.string().max(2000).nullable().optional(),
  avatarUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .nullable()
    .optional(),
  membersPrivate: z.boolean().optional(),
  groupCreators: GroupCreators.optional(),
  joinDomains: z.array(Domain).max(100).optional(),
  verifiedDomains: z
    .array(Domain)
    .max(100)
    .optional()
    .meta({ description: 'For site administrators only, who need not belong to the organization for it.' }),
});
export type OrganizationChange = z.infer<typeof OrganizationChange>;

const tags = ['orgs'];

export const createOrganization = defineRoute({
  id: 'createOrganization',
  method: 'POST',
  path: '/api/organizations',
  summary: 'Create an organization',
  description: 'Whoever creates it is its first admin.',
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
  description: 'What is absent stays. Nothing that refers to the organization loses it when it is renamed.',
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
  description: 'It is gone at once, with all that it owns, and can be restored for 30 days.',
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
  description: 'For those who were its admins, within 30 days; to others it is not there.',
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
