import { z } from 'zod';
import { ObjectId, RepoId, RepoParams, RepoType, Role } from '../primitives.ts';
import { defineRoute } from '../route.ts';

const tags = ['resource-groups'];
const Params = z.object({ name: z.string() });
/** `name` is also a field of some bodies. */
const client = { params: { name: 'organization' } };
const GroupParams = Params.extend({ resourceGroupId: z.string() });
const UserParams = GroupParams.extend({ username: z.string() });
const nameTaken = 'The organization has a resource group of this name, regardless of case.';
const otherAnswers = { 402: 'The organization needs the Enterprise plan.' };

const Scope = z.enum(['all', 'read_plus']).meta({ description: '`read_plus`: not those with the role no_access.' });

/** Resource group of the specification. */
export const ResourceGroup = z
  .object({
    id: ObjectId,
    name: z.string(),
    description: z.string().nullable().optional(),
    autoJoin: z
      .union([
        z.object({
          enabled: z.literal(true),
          role: Role,
          scope: Scope.optional().meta({ description: 'Absent: all members.' }),
        }),
        z.object({ enabled: z.literal(false) }),
      ])
      .optional(),
    users: z.array(
      z.object({
        type: z.literal('user'),
        _id: ObjectId,
        fullname: z.string(),
        name: z.string(),
        avatarUrl: z.string(),
        role: Role,
        addedBy: z.string().optional(),
      }),
    ),
    repos: z.array(
      z.object({ name: z.string(), type: RepoType, addedBy: z.string().optional(), private: z.boolean() }),
    ),
  })
  .meta({ id: 'ResourceGroup' });
export type ResourceGroup = z.infer<typeof ResourceGroup>;

/** Without the blanks around it. */
const name = z
  .string()
  .min(1, { abort: true })
  .max(200)
  .trim()
  .refine((text) => /[^\p{C}\p{Z}\s]/u.test(text), 'must not be blank');
const description = z.string().max(500);
const NamedByUser = z.object({ user: z.string(), role: Role });

/** E18. */
export const listResourceGroups = defineRoute({
  id: 'listResourceGroups',
  client,
  method: 'GET',
  path: '/api/organizations/{name}/resource-groups',
  summary: 'List resource groups',
  description: 'Those that the caller belongs to; admins of the organization see all. Enterprise plan.',
  tags,
  authority: 'resourceGroup.read',
  params: Params,
  answers: { 200: z.array(ResourceGroup) },
  otherAnswers,
});

/** E19. */
export const createResourceGroup = defineRoute({
  id: 'createResourceGroup',
  client,
  method: 'POST',
  path: '/api/organizations/{name}/resource-groups',
  summary: 'Create a resource group',
  description:
    'For admins of the organization, and for those whom its settings let. Who is no admin of it names at least one ' +
    'user with the role admin. Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: Params,
  body: z.object({
    name,
    description: description.optional(),
    users: z.array(NamedByUser).default([]),
    repos: z.array(RepoId).default([]),
    autoJoin: z
      .union([
        z.object({ enabled: z.literal(true), role: Role, scope: Scope.optional() }),
        z.object({ enabled: z.literal(false) }),
      ])
      .optional(),
  }),
  answers: { 200: ResourceGroup },
  otherAnswers: { ...otherAnswers, 409: nameTaken },
});

export const getResourceGroup = defineRoute({
  id: 'getResourceGroup',
  client,
  method: 'GET',
  path: '/api/organizations/{name}/resource-groups/{resourceGroupId}',
  summary: 'Resource group',
  description: 'For its members and admins of the organization. Enterprise plan.',
  tags,
  authority: 'resourceGroup.read',
  params: GroupParams,
  answers: { 200: ResourceGroup },
  otherAnswers,
});

export const updateResourceGroup = defineRoute({
  id: 'updateResourceGroup',
  client,
  method: 'PATCH',
  path: '/api/organizations/{name}/resource-groups/{resourceGroupId}',
  summary: 'Rename or describe a resource group',
  description: 'For its admins and those of the organization. Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: GroupParams,
  body: z.object({ name: name.optional(), description: description.optional() }),
  answers: { 200: ResourceGroup },
  otherAnswers: { ...otherAnswers, 409: nameTaken },
});

export const deleteResourceGroup = defineRoute({
  id: 'deleteResourceGroup',
  client,
  method: 'DELETE',
  path: '/api/organizations/{name}/resource-groups/{resourceGroupId}',
  summary: 'Delete a resource group',
  description:
    'Its repositories are in no group then: the roles in the organization decide. For its admins and those of the ' +
    'organization. Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: GroupParams,
  answers: { 200: z.object({ success: z.boolean() }) },
  otherAnswers,
});

const on = z.union([z.literal(true), z.literal('true')]);
const off = z.union([z.literal(false), z.literal('false')]);

export const configureResourceGroup = defineRoute({
  id: 'configureResourceGroup',
  client,
  method: 'POST',
  path: '/api/organizations/{name}/resource-groups/{resourceGroupId}/settings',
  summary: 'Configure auto-join',
  description:
    'Enabling adds the members of the organization in scope at once, and later ones when they join it; who is in keeps ' +
    'the role. Disabling removes nobody. Not for a group that SCIM manages (409). Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: GroupParams,
  body: z.object({
    autoJoin: z
      .union([z.object({ enabled: on, role: Role, scope: Scope.optional() }), z.object({ enabled: off })])
      .optional(),
  }),
  answers: { 200: ResourceGroup },
  otherAnswers,
});

export const addResourceGroupUsers = defineRoute({
  id: 'addResourceGroupUsers',
  client,
  method: 'POST',
  path: '/api/organizations/{name}/resource-groups/{resourceGroupId}/users',
  summary: 'Add users to a resource group',
  description:
    'All of them or none. 400 for an unknown user and for one named twice; 403 for one who is not in the organization ' +
    'or is in the group already, and where SCIM manages the group. Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: GroupParams,
  body: z.object({ users: z.array(z.union([z.object({ name: z.string(), role: Role }), NamedByUser])).min(1) }),
  answers: { 200: ResourceGroup },
  otherAnswers,
});

export const updateResourceGroupUser = defineRoute({
  id: 'updateResourceGroupUser',
  client,
  method: 'PATCH',
  path: '/api/organizations/{name}/resource-groups/{resourceGroupId}/users/{username}',
  summary: 'Change the role of a user in a resource group',
  description: 'Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: UserParams,
  body: z.object({ role: Role }),
  answers: { 200: ResourceGroup },
  otherAnswers,
});

export const removeResourceGroupUser = defineRoute({
  id: 'removeResourceGroupUser',
  client,
  method: 'DELETE',
  path: '/api/organizations/{name}/resource-groups/{resourceGroupId}/users/{username}',
  summary: 'Remove a user from a resource group',
  description: 'Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: UserParams,
  answers: { 200: ResourceGroup },
  otherAnswers,
});

export const setRepoResourceGroup = defineRoute({
  id: 'setRepoResourceGroup',
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/resource-group',
  summary: 'Put a repository into a resource group, or out of it',
  description:
    'For those who may change the repository and are admin of the group, and of the one that it is in now; admins of ' +
    'the organization may. Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: RepoParams,
  body: z.object({
    resourceGroupId: ObjectId.nullable().meta({ description: 'null: out of the group that it is in.' }),
  }),
  answers: {
    200: z.object({ name: z.string(), type: RepoType, private: z.boolean(), addedBy: z.string() }),
  },
  otherAnswers,
});

export const getRepoResourceGroup = defineRoute({
  id: 'getRepoResourceGroup',
  method: 'GET',
  path: '/api/{repoType}/{namespace}/{repo}/resource-group',
  summary: 'Resource group of a repository',
  description: '404 where it is in none that the caller may see. Enterprise plan.',
  tags,
  authority: 'resourceGroup.read',
  params: RepoParams,
  answers: { 200: z.object({ id: ObjectId, name: z.string(), numUsers: z.int().optional() }) },
  otherAnswers,
});

export const resourceGroupRoutes = [
  listResourceGroups,
  createResourceGroup,
  getResourceGroup,
  updateResourceGroup,
  deleteResourceGroup,
  configureResourceGroup,
  addResourceGroupUsers,
  updateResourceGroupUser,
  removeResourceGroupUser,
  setRepoResourceGroup,
  getRepoResourceGroup,
] as const;
