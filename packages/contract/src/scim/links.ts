import { z } from 'zod';
import { OrganizationParams } from '../organizations/organizations.ts';
import { ObjectId, Page, Role, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { scimMedia } from './shapes.ts';

/** What the members of a SCIM group get: a role in a resource group, or in the organization. */
export const ScimLink = z
  .object({
    id: ObjectId,
    group: z.object({ id: ObjectId, displayName: z.string() }),
    resourceGroup: z
      .object({ id: ObjectId, name: z.string() })
      .optional()
      .meta({ description: 'Absent: the role is one in the organization.' }),
    role: Role,
    createdAt: Timestamp,
  })
  .meta({ id: 'ScimLink' });
export type ScimLink = z.infer<typeof ScimLink>;

export const NewScimLink = z.object({
  groupId: ObjectId,
  resourceGroupId: ObjectId.optional(),
  role: Role,
});
export type NewScimLink = z.infer<typeof NewScimLink>;

const LinkParams = OrganizationParams.extend({ linkId: z.string() });
const tags = ['scim'];
const OWNERS = 'For admins of the organization with a token that may write, plan Enterprise Plus.';

export const listScimLinks = defineRoute({
  id: 'listScimLinks',
  method: 'GET',
  path: '/api/organizations/{name}/scim/links',
  summary: 'List what SCIM groups are linked to, the newest first',
  description: OWNERS,
  tags,
  authority: 'org.write',
  media: scimMedia,
  params: OrganizationParams,
  query: Page,
  answers: { 200: z.array(ScimLink) },
  otherAnswers: { 402: 'The plan is not Enterprise Plus.' },
});

export const createScimLink = defineRoute({
  id: 'createScimLink',
  method: 'POST',
  path: '/api/organizations/{name}/scim/links',
  summary: 'Link a SCIM group to a resource group, or to a role in the organization',
  description: `${OWNERS} Its members get the role at once. A member has the best of all roles that groups give; a role in the organization that is a member's own is never lowered. A linked resource group is changed by SCIM alone.`,
  tags,
  authority: 'org.write',
  media: scimMedia,
  params: OrganizationParams,
  body: NewScimLink,
  answers: { 201: ScimLink },
  otherAnswers: {
    402: 'The plan is not Enterprise Plus.',
    409: 'The link is there, or somebody is in the resource group or joins it by auto-join.',
  },
});

export const updateScimLink = defineRoute({
  id: 'updateScimLink',
  method: 'PATCH',
  path: '/api/organizations/{name}/scim/links/{linkId}',
  summary: 'Change the role that a link gives',
  description: OWNERS,
  tags,
  authority: 'org.write',
  media: scimMedia,
  params: LinkParams,
  body: z.object({ role: Role }),
  answers: { 200: ScimLink },
  otherAnswers: { 402: 'The plan is not Enterprise Plus.' },
});

export const deleteScimLink = defineRoute({
  id: 'deleteScimLink',
  method: 'DELETE',
  path: '/api/organizations/{name}/scim/links/{linkId}',
  summary: 'End a link',
  description: `${OWNERS} Members keep what other groups give them. A resource group without links is changed by hand again.`,
  tags,
  authority: 'org.write',
  media: scimMedia,
  params: LinkParams,
  answers: { 200: Success },
  otherAnswers: { 402: 'The plan is not Enterprise Plus.' },
});

export const scimLinkRoutes = [listScimLinks, createScimLink, updateScimLink, deleteScimLink] as const;
