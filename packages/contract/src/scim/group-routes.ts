import { z } from 'zod';
import { OrganizationParams } from '../organizations/organizations.ts';
import { defineRoute } from '../route.ts';
import {
  changeAnswers,
  common,
  forWhom,
  ListQuery,
  Nothing,
  otherAnswers,
  Projected,
  Search,
  type Tree,
} from './operations.ts';
import { listResponse, ScimGroup, ScimGroupInput, ScimPatch } from './shapes.ts';

const GroupParams = OrganizationParams.extend({ groupId: z.string() });
const GroupBody = z.object({ ...ScimGroup.shape, members: ScimGroup.shape.members.unwrap() });

/** The operations on the groups of a tree. */
export function groupRoutes<const Name extends Tree, const Label extends string>(tree: Name, label: Label) {
  const base = `/api/organizations/{name}/${tree}/v2` as const;
  const groups = { ...common, params: OrganizationParams, path: `${base}/Groups` as const };
  const group = { ...common, params: GroupParams, path: `${base}/Groups/{groupId}` as const };
  return {
    listGroups: defineRoute({
      ...groups,
      id: `list${label}Groups` as const,
      method: 'GET',
      summary: 'List the groups of an organization',
      description: `In the order of creation. ${forWhom}`,
      query: ListQuery,
      answers: { 200: listResponse(ScimGroup) },
      otherAnswers,
    }),
    searchGroups: defineRoute({
      ...groups,
      path: `${base}/Groups/.search` as const,
      id: `search${label}Groups` as const,
      client: { body: 'search' },
      method: 'POST',
      summary: 'List the groups of an organization, with the query in the body',
      description: forWhom,
      body: Search,
      answers: { 200: listResponse(ScimGroup) },
      otherAnswers,
    }),
    createGroup: defineRoute({
      ...groups,
      id: `create${label}Group` as const,
      client: { body: 'group' },
      method: 'POST',
      summary: 'Create a group',
      description: `The name must be unique in the organization. ${forWhom}`,
      body: ScimGroupInput,
      answers: { 201: GroupBody },
      otherAnswers,
    }),
    getGroup: defineRoute({
      ...group,
      id: `get${label}Group` as const,
      method: 'GET',
      summary: 'Get a group',
      description: forWhom,
      query: Projected,
      answers: { 200: ScimGroup },
      otherAnswers,
    }),
    replaceGroup: defineRoute({
      ...group,
      id: `replace${label}Group` as const,
      client: { body: 'group' },
      method: 'PUT',
      summary: 'Replace a group',
      description: `The given members replace the current ones. ${forWhom}`,
      query: Projected,
      body: ScimGroupInput,
      answers: { 200: GroupBody },
      otherAnswers: changeAnswers,
    }),
    updateGroup: defineRoute({
      ...group,
      id: `update${label}Group` as const,
      client: { body: { Operations: 'operations' } },
      method: 'PATCH',
      summary: 'Change attributes or members of a group',
      description: `Applies all operations or none. ${forWhom}`,
      query: Projected,
      body: ScimPatch,
      answers: { 200: GroupBody },
      otherAnswers: changeAnswers,
    }),
    deleteGroup: defineRoute({
      ...group,
      id: `delete${label}Group` as const,
      method: 'DELETE',
      summary: 'Delete a group',
      description: `Its members keep roles that other groups grant. ${forWhom}`,
      answers: { 204: Nothing },
      otherAnswers: changeAnswers,
    }),
  };
}
