import * as z from 'zod';
import { OrganizationParams } from '../organizations/organizations.ts';
import { ObjectId, Page, Role, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { scimMedia } from './shapes.ts';

/** The role that members of a SCIM group get in a resource group or in the organization. */
export const ScimLink = z
  .object({
    id: ObjectId,
    group: z.object({ id: ObjectId, displayName: z.string() }),
    resourceGroup: z
      .object({ id: ObjectId, name: z.string() })
      .optional()
      .meta({ description: 'Absent if the role is in the organization.' }),
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
const OWNERS = 'For admins of the organization, with a write token. Enterprise Plus plan.';

export const listScimLinks = defineRoute({
  id: 'listScimLinks',
  method: 'GET',
  path: '/api/organizations/{name}/scim/links',
  summary: 'List the links of SCIM groups, newest first',
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
  description: `${OWNERS} Members of the group get the role at once. A member has the best of all roles that groups grant; a role that a member has in the organization independently of SCIM is never lowered. Only SCIM changes a linked resource group.`,
  tags,
  authority: 'org.write',
  media: scimMedia,
  params: OrganizationParams,
  body: NewScimLink,
  answers: { 201: ScimLink },
  otherAnswers: {
    402: 'The plan is not Enterprise Plus.',
    409: 'The link already exists, or somebody is in the resource group or joins it by auto-join.',
  },
});

export const updateScimLink = defineRoute({
  id: 'updateScimLink',
  method: 'PATCH',
  path: '/api/organizations/{name}/scim/links/{linkId}',
  summary: 'Change the role of a link',
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
  summary: 'Delete a link',
  description: `${OWNERS} Members keep roles that other groups grant. A resource group without links can be edited again.`,
  tags,
  authority: 'org.write',
  media: scimMedia,
  params: LinkParams,
  answers: { 200: Success },
  otherAnswers: { 402: 'The plan is not Enterprise Plus.' },
});

export const scimLinkRoutes = [listScimLinks, createScimLink, updateScimLink, deleteScimLink] as const;
