import { z } from 'zod';
import { OrganizationParams } from '../organizations/organizations.ts';
import { defineRoute } from '../route.ts';
import { listResponse, ScimGroup, ScimGroupInput, ScimPatch, ScimUser, ScimUserInput, scimMedia } from './shapes.ts';

const number = (jsonSchema: object) =>
  z
    .string()
    .optional()
    .meta({ jsonSchema: { type: 'number', ...jsonSchema } });
const Projected = z.object({
  attributes: z.string().optional().meta({ description: 'Names of attributes, with commas: these alone.' }),
  excludedAttributes: z.string().optional().meta({ description: 'Names of attributes, with commas: all but these.' }),
});
const ListQuery = Projected.extend({
  startIndex: number({ minimum: 1, default: 1 }),
  count: number({ minimum: 1, maximum: 1000, default: 1000 }),
  filter: z
    .string()
    .max(8192)
    .default('')
    .meta({ description: 'RFC 7644, 3.4.2.2, as `userName eq "ada@example.com"`.' }),
});
/** RFC 7644, 3.4.3: the query of a list, where it must not stand in a URL. */
const Search = z.object({
  schemas: z.array(z.string()).optional(),
  attributes: z.array(z.string()).optional(),
  excludedAttributes: z.array(z.string()).optional(),
  filter: z.string().max(8192).optional(),
  startIndex: z.number().optional(),
  count: z.number().optional(),
});
const UserParams = OrganizationParams.extend({ userId: z.string() });
const GroupParams = OrganizationParams.extend({ groupId: z.string() });
const GroupBody = z.object({ ...ScimGroup.shape, members: ScimGroup.shape.members.unwrap() });
const Nothing = z.unknown().meta({ description: 'No body.' });

const forWhom = 'For owners of the organization, with a token that may change it. Enterprise Plus plan.';
const common = { tags: ['scim'], authority: 'org.write', media: scimMedia } as const;
const otherAnswers = { 402: 'The organization needs the Enterprise Plus plan.' };
const changeAnswers = { ...otherAnswers, 412: 'The header If-Match names another version.' };
const LAST_OWNER = 'Also where the last owner would be gone.';

interface Words {
  readonly create: string;
  readonly change: string;
  readonly remove: string;
}

/** The operations of a tree; there are two with other effects (W§6.8). */
function resourcesOf<const Tree extends 'scim' | 'scim-provisioning', const Label extends string>(
  tree: Tree,
  label: Label,
  words: Words,
) {
  const base = `/api/organizations/{name}/${tree}/v2` as const;
  const users = { ...common, params: OrganizationParams, path: `${base}/Users` as const };
  const user = { ...common, params: UserParams, path: `${base}/Users/{userId}` as const };
  const groups = { ...common, params: OrganizationParams, path: `${base}/Groups` as const };
  const group = { ...common, params: GroupParams, path: `${base}/Groups/{groupId}` as const };
  return {
    listUsers: defineRoute({
      ...users,
      id: `list${label}Users` as const,
      method: 'GET',
      summary: 'List the users of an organization',
      description: `Members, and whom the identity provider knows. In the order of their making. ${forWhom}`,
      query: ListQuery,
      answers: { 200: listResponse(ScimUser) },
      otherAnswers,
    }),
    searchUsers: defineRoute({
      ...users,
      path: `${base}/Users/.search` as const,
      id: `search${label}Users` as const,
      client: { body: 'search' },
      method: 'POST',
      summary: 'List the users of an organization, with the query in the body',
      description: forWhom,
      body: Search,
      answers: { 200: listResponse(ScimUser) },
      otherAnswers,
    }),
    createUser: defineRoute({
      ...users,
      id: `create${label}User` as const,
      client: { body: 'user' },
      method: 'POST',
      summary: 'Create a user',
      description: `${words.create} ${forWhom}`,
      body: ScimUserInput,
      answers: { 201: ScimUser },
      otherAnswers,
    }),
    getUser: defineRoute({
      ...user,
      id: `get${label}User` as const,
      method: 'GET',
      summary: 'Get a user',
      description: forWhom,
      query: Projected,
      answers: { 200: ScimUser },
      otherAnswers,
    }),
    replaceUser: defineRoute({
      ...user,
      id: `replace${label}User` as const,
      client: { body: 'user' },
      method: 'PUT',
      summary: 'Replace a user',
      description: `${words.change} ${LAST_OWNER} ${forWhom}`,
      body: tree === 'scim' ? ScimUserInput : ScimUserInput.partial(),
      answers: { 200: ScimUser },
      otherAnswers: changeAnswers,
    }),
    updateUser: defineRoute({
      ...user,
      id: `update${label}User` as const,
      client: { body: { Operations: 'operations' } },
      method: 'PATCH',
      summary: 'Change attributes of a user',
      description: `${words.change} ${LAST_OWNER} ${forWhom}`,
      body: ScimPatch,
      answers: { 200: ScimUser },
      otherAnswers: changeAnswers,
    }),
    deleteUser: defineRoute({
      ...user,
      id: `delete${label}User` as const,
      method: 'DELETE',
      summary: 'Delete a user',
      description: `${words.remove} ${LAST_OWNER} ${forWhom}`,
      answers: { 204: Nothing },
      otherAnswers: changeAnswers,
    }),
    listGroups: defineRoute({
      ...groups,
      id: `list${label}Groups` as const,
      method: 'GET',
      summary: 'List the groups of an organization',
      description: `In the order of their making. ${forWhom}`,
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
      description: `Its name is unique in the organization. ${forWhom}`,
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
      description: `Its members are those that are sent. ${forWhom}`,
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
      description: `All operations, or none. ${forWhom}`,
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
      description: `Its members keep what other groups give them. ${forWhom}`,
      answers: { 204: Nothing },
      otherAnswers: changeAnswers,
    }),
  };
}

/** The tree for organizations whose members are the identity provider's. */
export const scim = resourcesOf('scim', 'Scim', {
  create: 'Makes an account that belongs to the organization, or takes a member into the care of SCIM.',
  change: 'Other than `externalId` and `active`, attributes change only where SCIM made the account.',
  remove: 'Erases the account where SCIM of this organization made it; otherwise the membership ends.',
});

/** The tree for organizations that invite people who have an account. */
export const scimProvisioning = resourcesOf('scim-provisioning', 'Provisioned', {
  create: 'Invites a user by name; whoever is a member already stays one.',
  change: '`externalId` and `active` change, other attributes are passed over.',
  remove: 'Ends the membership or the invitation.',
});

export type ScimResources = typeof scim | typeof scimProvisioning;
