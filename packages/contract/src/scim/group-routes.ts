import * as z from 'zod';
import { OrganizationParams } from '../organizations/organizations.ts';
import { defineRoute } from '../route.ts';
import {
  ADMINS_ONLY,
  CHANGE_ERROR_ANSWERS,
  COMMON_FIELDS,
  ERROR_ANSWERS,
  ListQuery,
  NoBody,
  Projected,
  type ScimApiName,
  Search,
} from './operations.ts';
import { listResponse, ScimGroup, ScimGroupInput, ScimPatch } from './shapes.ts';

const GroupParams = OrganizationParams.extend({ groupId: z.string() });
const GroupBody = z.object({ ...ScimGroup.shape, members: ScimGroup.shape.members.unwrap() });

/** The operations on the groups of a tree. */
export function groupRoutes<const Name extends ScimApiName, const Label extends string>(tree: Name, label: Label) {
  const base = `/api/organizations/{name}/${tree}/v2` as const;
  const groups = { ...COMMON_FIELDS, params: OrganizationParams, path: `${base}/Groups` as const };
  const group = { ...COMMON_FIELDS, params: GroupParams, path: `${base}/Groups/{groupId}` as const };
  return {
    listGroups: defineRoute({
      ...groups,
      id: `list${label}Groups` as const,
      method: 'GET',
      summary: 'List the groups of an organization',
      description: `In the order of creation. ${ADMINS_ONLY}`,
      query: ListQuery,
      answers: { 200: listResponse(ScimGroup) },
      otherAnswers: ERROR_ANSWERS,
    }),
    searchGroups: defineRoute({
      ...groups,
      path: `${base}/Groups/.search` as const,
      id: `search${label}Groups` as const,
      client: { body: 'search' },
      method: 'POST',
      summary: 'List the groups of an organization, with the query in the body',
      description: ADMINS_ONLY,
      body: Search,
      answers: { 200: listResponse(ScimGroup) },
      otherAnswers: ERROR_ANSWERS,
    }),
    createGroup: defineRoute({
      ...groups,
      id: `create${label}Group` as const,
      client: { body: 'group' },
      method: 'POST',
      summary: 'Create a group',
      description: `The name must be unique in the organization. ${ADMINS_ONLY}`,
      body: ScimGroupInput,
      answers: { 201: GroupBody },
      otherAnswers: ERROR_ANSWERS,
    }),
    getGroup: defineRoute({
      ...group,
      id: `get${label}Group` as const,
      method: 'GET',
      summary: 'Get a group',
      description: ADMINS_ONLY,
      query: Projected,
      answers: { 200: ScimGroup },
      otherAnswers: ERROR_ANSWERS,
    }),
    replaceGroup: defineRoute({
      ...group,
      id: `replace${label}Group` as const,
      client: { body: 'group' },
      method: 'PUT',
      summary: 'Replace a group',
      description: `The given members replace the current ones. ${ADMINS_ONLY}`,
      query: Projected,
      body: ScimGroupInput,
      answers: { 200: GroupBody },
      otherAnswers: CHANGE_ERROR_ANSWERS,
    }),
    updateGroup: defineRoute({
      ...group,
      id: `update${label}Group` as const,
      client: { body: { Operations: 'operations' } },
      method: 'PATCH',
      summary: 'Change attributes or members of a group',
      description: `Applies all operations or none. ${ADMINS_ONLY}`,
      query: Projected,
      body: ScimPatch,
      answers: { 200: GroupBody },
      otherAnswers: CHANGE_ERROR_ANSWERS,
    }),
    deleteGroup: defineRoute({
      ...group,
      id: `delete${label}Group` as const,
      method: 'DELETE',
      summary: 'Delete a group',
      description: `Its members keep roles that other groups grant. ${ADMINS_ONLY}`,
      answers: { 204: NoBody },
      otherAnswers: CHANGE_ERROR_ANSWERS,
    }),
  };
}
