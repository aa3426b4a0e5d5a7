import type { scimProvisioning } from '@moonbase/contract/scim/resources';
import type { RouteBody, SuccessAnswer } from './operation.ts';
import { call, type Hub } from './request.ts';
import { PATCH_OP, type Patch, type Projected, type ScimList } from './scim-requests.ts';

/** The organization. */
type Organization = Hub & { readonly name: string };
type User = Organization & { readonly userId: string };
type Group = Organization & { readonly groupId: string };
type Routes = typeof scimProvisioning;

/** Users in the order of their making, a page of them: from `startIndex` (1) at most `count` (1,000). Throws a `HubApiError`: 401, 402, 403, 400 for a filter that is none. */
export function listProvisionedUsers(params: Organization & ScimList): Promise<SuccessAnswer<Routes['listUsers']>> {
  const { name, startIndex, count, filter, attributes, excludedAttributes } = params;
  return call<Routes['listUsers']>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users',
    params: { name },
    query: { startIndex: startIndex?.toString(), count: count?.toString(), filter, attributes, excludedAttributes },
  });
}

/** The same as a list with a query that stands in no URL. Throws a `HubApiError`: 400, 401, 402, 403. */
export function searchProvisionedUsers(
  params: Organization & { readonly search: RouteBody<Routes['searchUsers']> },
): Promise<SuccessAnswer<Routes['searchUsers']>> {
  const { name, search } = params;
  return call<Routes['searchUsers']>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/.search',
    params: { name },
    body: search,
  });
}

/** Creates a user; it invites who has an account. Throws a `HubApiError`: 401, 402, 403, 400, 409 for one that is there. */
export function createProvisionedUser(
  params: Organization & { readonly user: RouteBody<Routes['createUser']> },
): Promise<SuccessAnswer<Routes['createUser']>> {
  const { name, user } = params;
  return call<Routes['createUser']>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users',
    params: { name },
    body: user,
  });
}

/** A user. Throws a `HubApiError`: 401, 402, 403, 404. */
export function getProvisionedUser(params: User & Projected): Promise<SuccessAnswer<Routes['getUser']>> {
  const { name, userId, attributes, excludedAttributes } = params;
  return call<Routes['getUser']>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/{userId}',
    params: { name, userId },
    query: { attributes, excludedAttributes },
  });
}

/** Replaces what is kept of a user. Throws a `HubApiError`: 401, 402, 403, 400, 404, 409 also for the last owner. */
export function replaceProvisionedUser(
  params: User & { readonly user: RouteBody<Routes['replaceUser']> },
): Promise<SuccessAnswer<Routes['replaceUser']>> {
  const { name, userId, user } = params;
  return call<Routes['replaceUser']>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/{userId}',
    params: { name, userId },
    body: user,
  });
}

/** Changes a user by operations. Throws a `HubApiError`: 401, 402, 403, 400, 404, 409 also for the last owner. */
export function updateProvisionedUser(params: User & Patch): Promise<SuccessAnswer<Routes['updateUser']>> {
  const { name, userId, operations } = params;
  return call<Routes['updateUser']>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/{userId}',
    params: { name, userId },
    body: { schemas: [PATCH_OP], Operations: [...operations] },
  });
}

/** Ends the membership or the invitation. Throws a `HubApiError`: 401, 402, 403, 404, 409 for the last owner. */
export function deleteProvisionedUser(params: User): Promise<SuccessAnswer<Routes['deleteUser']>> {
  const { name, userId } = params;
  return call<Routes['deleteUser']>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/{userId}',
    params: { name, userId },
  });
}

/** Groups in the order of their making, a page of them. Throws a `HubApiError`: 401, 402, 403, 400 for a filter that is none. */
export function listProvisionedGroups(params: Organization & ScimList): Promise<SuccessAnswer<Routes['listGroups']>> {
  const { name, startIndex, count, filter, attributes, excludedAttributes } = params;
  return call<Routes['listGroups']>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups',
    params: { name },
    query: { startIndex: startIndex?.toString(), count: count?.toString(), filter, attributes, excludedAttributes },
  });
}

/** The same as a list with a query that stands in no URL. Throws a `HubApiError`: 400, 401, 402, 403. */
export function searchProvisionedGroups(
  params: Organization & { readonly search: RouteBody<Routes['searchGroups']> },
): Promise<SuccessAnswer<Routes['searchGroups']>> {
  const { name, search } = params;
  return call<Routes['searchGroups']>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/.search',
    params: { name },
    body: search,
  });
}

/** Creates a group. Throws a `HubApiError`: 401, 402, 403, 400, 409 for a name in use. */
export function createProvisionedGroup(
  params: Organization & { readonly group: RouteBody<Routes['createGroup']> },
): Promise<SuccessAnswer<Routes['createGroup']>> {
  const { name, group } = params;
  return call<Routes['createGroup']>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups',
    params: { name },
    body: group,
  });
}

/** A group. Throws a `HubApiError`: 401, 402, 403, 404. */
export function getProvisionedGroup(params: Group & Projected): Promise<SuccessAnswer<Routes['getGroup']>> {
  const { name, groupId, attributes, excludedAttributes } = params;
  return call<Routes['getGroup']>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/{groupId}',
    params: { name, groupId },
    query: { attributes, excludedAttributes },
  });
}

/** Replaces a group and who is in it. Throws a `HubApiError`: 401, 402, 403, 400, 404, 409. */
export function replaceProvisionedGroup(
  params: Group & { readonly group: RouteBody<Routes['replaceGroup']> },
): Promise<SuccessAnswer<Routes['replaceGroup']>> {
  const { name, groupId, group } = params;
  return call<Routes['replaceGroup']>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/{groupId}',
    params: { name, groupId },
    query: {},
    body: group,
  });
}

/** Changes a group by operations: all of them, or none. Throws a `HubApiError`: 401, 402, 403, 400, 404, 409. */
export function updateProvisionedGroup(params: Group & Patch): Promise<SuccessAnswer<Routes['updateGroup']>> {
  const { name, groupId, operations } = params;
  return call<Routes['updateGroup']>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/{groupId}',
    params: { name, groupId },
    query: {},
    body: { schemas: [PATCH_OP], Operations: [...operations] },
  });
}

/** Deletes a group. Throws a `HubApiError`: 401, 402, 403, 404. */
export function deleteProvisionedGroup(params: Group): Promise<SuccessAnswer<Routes['deleteGroup']>> {
  const { name, groupId } = params;
  return call<Routes['deleteGroup']>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/{groupId}',
    params: { name, groupId },
  });
}
