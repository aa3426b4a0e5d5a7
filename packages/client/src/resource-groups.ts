import type * as routes from '@moonbase/contract/organizations/resource-groups';
import type { RouteBody, SuccessAnswer } from './operation.ts';
import { repoParams } from './repo-name.ts';
import type { OneRepo } from './repositories.ts';
import { call, type Hub } from './request.ts';

export type { ResourceGroup } from '@moonbase/contract/organizations/resource-groups';

type OfOrganization = Hub & { readonly organization: string };
type OneGroup = OfOrganization & { readonly resourceGroupId: string };
type OneUser = OneGroup & { readonly username: string };

const PATH = '/api/organizations/{name}/resource-groups';
const GROUP = '/api/organizations/{name}/resource-groups/{resourceGroupId}';
const USER = '/api/organizations/{name}/resource-groups/{resourceGroupId}/users/{username}';

const named = ({ organization, resourceGroupId }: OneGroup) => ({ name: organization, resourceGroupId });

/** The resource groups that the caller may see. Throws a `HubApiError`: 401, 402, 403, 404. */
export function listResourceGroups(params: OfOrganization): Promise<SuccessAnswer<typeof routes.listResourceGroups>> {
  return call<typeof routes.listResourceGroups>(params, {
    method: 'GET',
    path: PATH,
    params: { name: params.organization },
  });
}

/**
 * Creates a resource group with who and what is in it. Throws a `HubApiError`: 400, 401, 402, 403, 404.
 *
 * ```ts
 * const users = [{ user: 'ada', role: 'admin' }];
 * await createResourceGroup({ hubUrl, accessToken, organization: 'acme', name: 'Research', users });
 * ```
 */
export function createResourceGroup(
  params: OfOrganization & RouteBody<typeof routes.createResourceGroup>,
): Promise<SuccessAnswer<typeof routes.createResourceGroup>> {
  const { name, description, users, repos, autoJoin } = params;
  return call<typeof routes.createResourceGroup>(params, {
    method: 'POST',
    path: PATH,
    params: { name: params.organization },
    body: { name, description, users, repos, autoJoin },
  });
}

/** A resource group. Throws a `HubApiError`: 401, 402, 403, 404. */
export function getResourceGroup(params: OneGroup): Promise<SuccessAnswer<typeof routes.getResourceGroup>> {
  return call<typeof routes.getResourceGroup>(params, { method: 'GET', path: GROUP, params: named(params) });
}

/** Renames or describes a resource group. Throws a `HubApiError`: 400, 401, 402, 403, 404. */
export function updateResourceGroup(
  params: OneGroup & RouteBody<typeof routes.updateResourceGroup>,
): Promise<SuccessAnswer<typeof routes.updateResourceGroup>> {
  const body = { name: params.name, description: params.description };
  return call<typeof routes.updateResourceGroup>(params, { method: 'PATCH', path: GROUP, params: named(params), body });
}

/** Deletes a resource group; what was in it stays, in no group. Throws a `HubApiError`: 401, 402, 403, 404. */
export function deleteResourceGroup(params: OneGroup): Promise<SuccessAnswer<typeof routes.deleteResourceGroup>> {
  return call<typeof routes.deleteResourceGroup>(params, { method: 'DELETE', path: GROUP, params: named(params) });
}

/** Turns auto-join on or off. Throws a `HubApiError`: 400, 401, 402, 403, 404, 409 where SCIM manages the group. */
export function configureResourceGroup(
  params: OneGroup & RouteBody<typeof routes.configureResourceGroup>,
): Promise<SuccessAnswer<typeof routes.configureResourceGroup>> {
  return call<typeof routes.configureResourceGroup>(params, {
    method: 'POST',
    path: `${GROUP}/settings`,
    params: named(params),
    body: { autoJoin: params.autoJoin },
  });
}

/** Adds users to a resource group, all or none. Throws a `HubApiError`: 400 with `issues`, 401, 402, 403, 404. */
export function addResourceGroupUsers(
  params: OneGroup & RouteBody<typeof routes.addResourceGroupUsers>,
): Promise<SuccessAnswer<typeof routes.addResourceGroupUsers>> {
  return call<typeof routes.addResourceGroupUsers>(params, {
    method: 'POST',
    path: `${GROUP}/users`,
    params: named(params),
    body: { users: params.users },
  });
}

/** Changes the role of a user in a resource group. Throws a `HubApiError`: 400, 401, 402, 403, 404. */
export function updateResourceGroupUser(
  params: OneUser & RouteBody<typeof routes.updateResourceGroupUser>,
): Promise<SuccessAnswer<typeof routes.updateResourceGroupUser>> {
  return call<typeof routes.updateResourceGroupUser>(params, {
    method: 'PATCH',
    path: USER,
    params: { ...named(params), username: params.username },
    body: { role: params.role },
  });
}

/** Removes a user from a resource group. Throws a `HubApiError`: 401, 402, 403, 404. */
export function removeResourceGroupUser(
  params: OneUser,
): Promise<SuccessAnswer<typeof routes.removeResourceGroupUser>> {
  return call<typeof routes.removeResourceGroupUser>(params, {
    method: 'DELETE',
    path: USER,
    params: { ...named(params), username: params.username },
  });
}

/** Puts a repository into a resource group, or with null out of its own. Throws a `HubApiError`: 400-404. */
export function setRepoResourceGroup(
  params: OneRepo & RouteBody<typeof routes.setRepoResourceGroup>,
): Promise<SuccessAnswer<typeof routes.setRepoResourceGroup>> {
  return call<typeof routes.setRepoResourceGroup>(params, {
    method: 'POST',
    path: '/api/{repoType}/{namespace}/{repo}/resource-group',
    params: repoParams(params),
    body: { resourceGroupId: params.resourceGroupId },
  });
}

/** The resource group of a repository. Throws a `HubApiError`: 401, 402, 403, 404 where it is in none to be seen. */
export function getRepoResourceGroup(params: OneRepo): Promise<SuccessAnswer<typeof routes.getRepoResourceGroup>> {
  return call<typeof routes.getRepoResourceGroup>(params, {
    method: 'GET',
    path: '/api/{repoType}/{namespace}/{repo}/resource-group',
    params: repoParams(params),
  });
}
