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
import { listResponse, ScimPatch, ScimUser, ScimUserInput } from './shapes.ts';

const UserParams = OrganizationParams.extend({ userId: z.string() });
const LAST_OWNER = '409 if the organization would lose its last owner.';

/** The effects on users, which differ between the two trees. */
export interface UserWords {
  readonly create: string;
  readonly change: string;
  readonly remove: string;
}

/** The operations on the users of a tree. */
export function userRoutes<const Name extends ScimApiName, const Label extends string>(
  tree: Name,
  label: Label,
  words: UserWords,
) {
  const base = `/api/organizations/{name}/${tree}/v2` as const;
  const users = { ...COMMON_FIELDS, params: OrganizationParams, path: `${base}/Users` as const };
  const user = { ...COMMON_FIELDS, params: UserParams, path: `${base}/Users/{userId}` as const };
  return {
    listUsers: defineRoute({
      ...users,
      id: `list${label}Users` as const,
      method: 'GET',
      summary: 'List the users of an organization',
      description: `Returns members and users known to the identity provider, in the order of creation. ${ADMINS_ONLY}`,
      query: ListQuery,
      answers: { 200: listResponse(ScimUser) },
      otherAnswers: ERROR_ANSWERS,
    }),
    searchUsers: defineRoute({
      ...users,
      path: `${base}/Users/.search` as const,
      id: `search${label}Users` as const,
      client: { body: 'search' },
      method: 'POST',
      summary: 'List the users of an organization, with the query in the body',
      description: ADMINS_ONLY,
      body: Search,
      answers: { 200: listResponse(ScimUser) },
      otherAnswers: ERROR_ANSWERS,
    }),
    createUser: defineRoute({
      ...users,
      id: `create${label}User` as const,
      client: { body: 'user' },
      method: 'POST',
      summary: 'Create a user',
      description: `${words.create} ${ADMINS_ONLY}`,
      body: ScimUserInput,
      answers: { 201: ScimUser },
      otherAnswers: ERROR_ANSWERS,
    }),
    getUser: defineRoute({
      ...user,
      id: `get${label}User` as const,
      method: 'GET',
      summary: 'Get a user',
      description: ADMINS_ONLY,
      query: Projected,
      answers: { 200: ScimUser },
      otherAnswers: ERROR_ANSWERS,
    }),
    replaceUser: defineRoute({
      ...user,
      id: `replace${label}User` as const,
      client: { body: 'user' },
      method: 'PUT',
      summary: 'Replace a user',
      description: `${words.change} ${LAST_OWNER} ${ADMINS_ONLY}`,
      body: tree === 'scim' ? ScimUserInput : ScimUserInput.partial(),
      answers: { 200: ScimUser },
      otherAnswers: CHANGE_ERROR_ANSWERS,
    }),
    updateUser: defineRoute({
      ...user,
      id: `update${label}User` as const,
      client: { body: { Operations: 'operations' } },
      method: 'PATCH',
      summary: 'Change attributes of a user',
      description: `${words.change} ${LAST_OWNER} ${ADMINS_ONLY}`,
      body: ScimPatch,
      answers: { 200: ScimUser },
      otherAnswers: CHANGE_ERROR_ANSWERS,
    }),
    deleteUser: defineRoute({
      ...user,
      id: `delete${label}User` as const,
      method: 'DELETE',
      summary: 'Delete a user',
      description: `${words.remove} ${LAST_OWNER} ${ADMINS_ONLY}`,
      answers: { 204: NoBody },
      otherAnswers: CHANGE_ERROR_ANSWERS,
    }),
  };
}
