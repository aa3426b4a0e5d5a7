import * as z from 'zod';
import { ObjectId, RepoId, RepoParams, RepoType, Role, Success } from '../primitives.ts';
import { CollectionParams } from '../repositories/collections.ts';
import { defineRoute } from '../route.ts';

const tags = ['resource-groups'];
const Params = z.object({ name: z.string() });
/** `name` is also a field of some bodies. */
const client = { params: { name: 'organization' } };
const GroupParams = Params.extend({ resourceGroupId: z.string() });
const UserParams = GroupParams.extend({ username: z.string() });
const nameTaken = 'The organization has a resource group of this name, regardless of case.';
const otherAnswers = { 402: 'The organization needs the Enterprise plan.' };

const Scope = z
  .enum(['all', 'read_plus'])
  .meta({ description: '`read_plus`: all members except those with the role no_access.' });

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
    collections: z.array(z.object({ slug: z.string(), title: z.string(), private: z.boolean() })),
  })
  .meta({ id: 'ResourceGroup' });
export type ResourceGroup = z.infer<typeof ResourceGroup>;

/** Trimmed. */
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
  description: 'Returns the groups of the caller; admins of the organization see all. Enterprise plan.',
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
    'For admins of the organization, and for members whose role its settings allow. A caller who is not an admin names at least one ' +
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
  summary: 'Get a resource group',
  description: 'For members of the group and admins of the organization. Enterprise plan.',
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
  summary: 'Change the name or description of a resource group',
  description: 'For admins of the group and of the organization. Enterprise plan.',
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
    'Its repositories and collections are then in no group, and roles in the organization decide. For admins of the group and of the ' +
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
    'Enabling adds the members of the organization in scope at once, and later members when they join; users already in the group keep ' +
    'their role. Disabling removes nobody. 409 for a group that SCIM manages. Enterprise plan.',
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
    'Adds all of the users or none. 400 for an unknown user or one named twice; 403 for a user who is not in the organization ' +
    'or already in the group, and if SCIM manages the group. Enterprise plan.',
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

const GroupOf = z.object({ id: ObjectId, name: z.string(), numUsers: z.int().optional() });

export const setRepoResourceGroup = defineRoute({
  id: 'setRepoResourceGroup',
  method: 'POST',
  path: '/api/{repoType}/{namespace}/{repo}/resource-group',
  summary: 'Move a repository into or out of a resource group',
  description:
    'For callers who may change the repository and are admins of the group and of its current group, and for admins of ' +
    'the organization. Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: RepoParams,
  body: z.object({
    resourceGroupId: ObjectId.nullable().meta({ description: 'null removes the repository from its group.' }),
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
  summary: 'Get the resource group of a repository',
  description: '404 if the repository is in no group that the caller may see. Enterprise plan.',
  tags,
  authority: 'resourceGroup.read',
  params: RepoParams,
  answers: { 200: GroupOf },
  otherAnswers,
});

export const setCollectionResourceGroup = defineRoute({
  id: 'setCollectionResourceGroup',
  method: 'POST',
  path: '/api/collections/{namespace}/{slug}/resource-group',
  summary: 'Move a collection into or out of a resource group',
  description:
    'For callers who may change the collection and are admins of the group and of its current group, and for admins of ' +
    'the organization. Enterprise plan.',
  tags,
  authority: 'resourceGroup.write',
  params: CollectionParams,
  body: z.object({
    resourceGroupId: ObjectId.nullable().meta({ description: 'null removes the collection from its group.' }),
  }),
  answers: { 200: Success },
  otherAnswers,
});

export const getCollectionResourceGroup = defineRoute({
  id: 'getCollectionResourceGroup',
  method: 'GET',
  path: '/api/collections/{namespace}/{slug}/resource-group',
  summary: 'Get the resource group of a collection',
  description: '404 if the collection is in no group that the caller may see. Enterprise plan.',
  tags,
  authority: 'resourceGroup.read',
  params: CollectionParams,
  answers: { 200: GroupOf },
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
  setCollectionResourceGroup,
  getCollectionResourceGroup,
] as const;
