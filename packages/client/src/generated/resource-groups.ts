// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as resourceGroups from '@moonbase/contract/organizations/resource-groups';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { repoParams } from '../repo-name.ts';
import { call, type Hub } from '../request.ts';

export type ResourceGroup = SuccessAnswer<typeof resourceGroups.listResourceGroups>[number];

/**
 * List resource groups. Returns the groups of the caller; admins of the organization see all. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise plan.
 */
export function listResourceGroups(
  params: Hub & {
    readonly organization: string;
  },
): Promise<SuccessAnswer<typeof resourceGroups.listResourceGroups>> {
  return call<typeof resourceGroups.listResourceGroups>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/resource-groups',
    params: { name: params.organization },
  });
}

/**
 * Create a resource group. For admins of the organization, and for members whose role its settings allow. A caller
 * who is not an admin names at least one user with the role admin. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 * - 409: The organization has a resource group of this name, regardless of case.
 */
export function createResourceGroup(
  params: Hub & {
    readonly organization: string;
    readonly name: string;
    readonly description?: string | undefined;
    readonly users?: RouteBody<typeof resourceGroups.createResourceGroup>['users'];
    readonly repos?: RouteBody<typeof resourceGroups.createResourceGroup>['repos'];
    readonly autoJoin?: RouteBody<typeof resourceGroups.createResourceGroup>['autoJoin'];
  },
): Promise<SuccessAnswer<typeof resourceGroups.createResourceGroup>> {
  return call<typeof resourceGroups.createResourceGroup>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/resource-groups',
    params: { name: params.organization },
    body: {
      name: params.name,
      description: params.description,
      users: params.users,
      repos: params.repos,
      autoJoin: params.autoJoin,
    },
  });
}

/**
 * Get a resource group. For members of the group and admins of the organization. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise plan.
 */
export function getResourceGroup(
  params: Hub & {
    readonly organization: string;
    readonly resourceGroupId: string;
  },
): Promise<SuccessAnswer<typeof resourceGroups.getResourceGroup>> {
  return call<typeof resourceGroups.getResourceGroup>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/resource-groups/{resourceGroupId}',
    params: { name: params.organization, resourceGroupId: params.resourceGroupId },
  });
}

/**
 * Change the name or description of a resource group. For admins of the group and of the organization. Enterprise
 * plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 * - 409: The organization has a resource group of this name, regardless of case.
 */
export function updateResourceGroup(
  params: Hub & {
    readonly organization: string;
    readonly resourceGroupId: string;
    readonly name?: string | undefined;
    readonly description?: string | undefined;
  },
): Promise<SuccessAnswer<typeof resourceGroups.updateResourceGroup>> {
  return call<typeof resourceGroups.updateResourceGroup>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/resource-groups/{resourceGroupId}',
    params: { name: params.organization, resourceGroupId: params.resourceGroupId },
    body: { name: params.name, description: params.description },
  });
}

/**
 * Delete a resource group. Its repositories and collections are then in no group, and roles in the organization
 * decide. For admins of the group and of the organization. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise plan.
 */
export function deleteResourceGroup(
  params: Hub & {
    readonly organization: string;
    readonly resourceGroupId: string;
  },
): Promise<SuccessAnswer<typeof resourceGroups.deleteResourceGroup>> {
  return call<typeof resourceGroups.deleteResourceGroup>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/resource-groups/{resourceGroupId}',
    params: { name: params.organization, resourceGroupId: params.resourceGroupId },
  });
}

/**
 * Configure auto-join. Enabling adds the members of the organization in scope at once, and later members when they
 * join; users already in the group keep their role. Disabling removes nobody. 409 for a group that SCIM manages.
 * Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 */
export function configureResourceGroup(
  params: Hub & {
    readonly organization: string;
    readonly resourceGroupId: string;
    readonly autoJoin?: RouteBody<typeof resourceGroups.configureResourceGroup>['autoJoin'];
  },
): Promise<SuccessAnswer<typeof resourceGroups.configureResourceGroup>> {
  return call<typeof resourceGroups.configureResourceGroup>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/resource-groups/{resourceGroupId}/settings',
    params: { name: params.organization, resourceGroupId: params.resourceGroupId },
    body: { autoJoin: params.autoJoin },
  });
}

/**
 * Add users to a resource group. Adds all of the users or none. 400 for an unknown user or one named twice; 403
 * for a user who is not in the organization or already in the group, and if SCIM manages the group. Enterprise
 * plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 */
export function addResourceGroupUsers(
  params: Hub & {
    readonly organization: string;
    readonly resourceGroupId: string;
    readonly users: RouteBody<typeof resourceGroups.addResourceGroupUsers>['users'];
  },
): Promise<SuccessAnswer<typeof resourceGroups.addResourceGroupUsers>> {
  return call<typeof resourceGroups.addResourceGroupUsers>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/resource-groups/{resourceGroupId}/users',
    params: { name: params.organization, resourceGroupId: params.resourceGroupId },
    body: { users: params.users },
  });
}

/**
 * Change the role of a user in a resource group. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 */
export function updateResourceGroupUser(
  params: Hub & {
    readonly organization: string;
    readonly resourceGroupId: string;
    readonly username: string;
    readonly role: RouteBody<typeof resourceGroups.updateResourceGroupUser>['role'];
  },
): Promise<SuccessAnswer<typeof resourceGroups.updateResourceGroupUser>> {
  return call<typeof resourceGroups.updateResourceGroupUser>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/resource-groups/{resourceGroupId}/users/{username}',
    params: { name: params.organization, resourceGroupId: params.resourceGroupId, username: params.username },
    body: { role: params.role },
  });
}

/**
 * Remove a user from a resource group. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise plan.
 */
export function removeResourceGroupUser(
  params: Hub & {
    readonly organization: string;
    readonly resourceGroupId: string;
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof resourceGroups.removeResourceGroupUser>> {
  return call<typeof resourceGroups.removeResourceGroupUser>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/resource-groups/{resourceGroupId}/users/{username}',
    params: { name: params.organization, resourceGroupId: params.resourceGroupId, username: params.username },
  });
}

/**
 * Move a repository into or out of a resource group. For callers who may change the repository and are admins of
 * the group and of its current group, and for admins of the organization. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 */
export function setRepoResourceGroup(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
    /** null removes the repository from its group. */
    readonly resourceGroupId: RouteBody<typeof resourceGroups.setRepoResourceGroup>['resourceGroupId'];
  },
): Promise<SuccessAnswer<typeof resourceGroups.setRepoResourceGroup>> {
  return call<typeof resourceGroups.setRepoResourceGroup>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/resource-group',
    params: { ...repoParams(params) },
    body: { resourceGroupId: params.resourceGroupId },
  });
}

/**
 * Get the resource group of a repository. 404 if the repository is in no group that the caller may see. Enterprise
 * plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise plan.
 */
export function getRepoResourceGroup(
  params: Hub & {
    readonly type: 'model' | 'dataset' | 'space' | 'bucket' | 'kernel';
    /** namespace/name */
    readonly repo: string;
  },
): Promise<SuccessAnswer<typeof resourceGroups.getRepoResourceGroup>> {
  return call<typeof resourceGroups.getRepoResourceGroup>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/resource-group',
    params: { ...repoParams(params) },
  });
}

/**
 * Move a collection into or out of a resource group. For callers who may change the collection and are admins of
 * the group and of its current group, and for admins of the organization. Enterprise plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise plan.
 */
export function setCollectionResourceGroup(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
    /** null removes the collection from its group. */
    readonly resourceGroupId: RouteBody<typeof resourceGroups.setCollectionResourceGroup>['resourceGroupId'];
  },
): Promise<SuccessAnswer<typeof resourceGroups.setCollectionResourceGroup>> {
  return call<typeof resourceGroups.setCollectionResourceGroup>(params, {
    method: 'POST',
    path: '/api/collections/{namespace}/{slug}/resource-group',
    params: { namespace: params.namespace, slug: params.slug },
    body: { resourceGroupId: params.resourceGroupId },
  });
}

/**
 * Get the resource group of a collection. 404 if the collection is in no group that the caller may see. Enterprise
 * plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise plan.
 */
export function getCollectionResourceGroup(
  params: Hub & {
    readonly namespace: string;
    /** The part behind the namespace, or the id alone. */
    readonly slug: string;
  },
): Promise<SuccessAnswer<typeof resourceGroups.getCollectionResourceGroup>> {
  return call<typeof resourceGroups.getCollectionResourceGroup>(params, {
    method: 'GET',
    path: '/api/collections/{namespace}/{slug}/resource-group',
    params: { namespace: params.namespace, slug: params.slug },
  });
}
