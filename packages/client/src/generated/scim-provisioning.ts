// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as resources from '@moonbase/contract/scim/resources';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

/**
 * List the users of an organization. Returns members and users known to the identity provider, in the order of
 * creation. For owners of the organization, with a token that may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function listProvisionedUsers(
  params: Hub & {
    readonly name: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
    readonly startIndex?: number | undefined;
    readonly count?: number | undefined;
    /** RFC 7644, 3.4.2.2, such as `userName eq "ada@example.com"`. */
    readonly filter?: string | undefined;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.listUsers>> {
  return call<typeof resources.scimProvisioning.listUsers>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users',
    params: { name: params.name },
    query: {
      attributes: params.attributes,
      excludedAttributes: params.excludedAttributes,
      startIndex: params.startIndex,
      count: params.count,
      filter: params.filter,
    },
  });
}

/**
 * List the users of an organization, with the query in the body. For owners of the organization, with a token that
 * may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function searchProvisionedUsers(
  params: Hub & {
    readonly name: string;
    readonly search: RouteBody<typeof resources.scimProvisioning.searchUsers>;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.searchUsers>> {
  return call<typeof resources.scimProvisioning.searchUsers>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/.search',
    params: { name: params.name },
    body: params.search,
  });
}

/**
 * Create a user. Invites a user by name; an existing member remains one. For owners of the organization, with a
 * token that may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function createProvisionedUser(
  params: Hub & {
    readonly name: string;
    readonly user: RouteBody<typeof resources.scimProvisioning.createUser>;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.createUser>> {
  return call<typeof resources.scimProvisioning.createUser>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users',
    params: { name: params.name },
    body: params.user,
  });
}

/**
 * Get a user. For owners of the organization, with a token that may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function getProvisionedUser(
  params: Hub & {
    readonly name: string;
    readonly userId: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.getUser>> {
  return call<typeof resources.scimProvisioning.getUser>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/{userId}',
    params: { name: params.name, userId: params.userId },
    query: { attributes: params.attributes, excludedAttributes: params.excludedAttributes },
  });
}

/**
 * Replace a user. Changes `externalId` and `active`; other attributes are ignored. 409 if the organization would
 * lose its last owner. For owners of the organization, with a token that may change the organization. Enterprise
 * Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409, 412.
 * - 402: The organization needs the Enterprise Plus plan.
 * - 412: The header If-Match names another version.
 */
export function replaceProvisionedUser(
  params: Hub & {
    readonly name: string;
    readonly userId: string;
    readonly user: RouteBody<typeof resources.scimProvisioning.replaceUser>;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.replaceUser>> {
  return call<typeof resources.scimProvisioning.replaceUser>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/{userId}',
    params: { name: params.name, userId: params.userId },
    body: params.user,
  });
}

/**
 * Change attributes of a user. Changes `externalId` and `active`; other attributes are ignored. 409 if the
 * organization would lose its last owner. For owners of the organization, with a token that may change the
 * organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409, 412.
 * - 402: The organization needs the Enterprise Plus plan.
 * - 412: The header If-Match names another version.
 */
export function updateProvisionedUser(
  params: Hub & {
    readonly name: string;
    readonly userId: string;
    readonly operations: RouteBody<typeof resources.scimProvisioning.updateUser>['Operations'];
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.updateUser>> {
  return call<typeof resources.scimProvisioning.updateUser>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/{userId}',
    params: { name: params.name, userId: params.userId },
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: params.operations },
  });
}

/**
 * Delete a user. Ends the membership or the invitation. 409 if the organization would lose its last owner. For
 * owners of the organization, with a token that may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 412.
 * - 402: The organization needs the Enterprise Plus plan.
 * - 412: The header If-Match names another version.
 */
export function deleteProvisionedUser(
  params: Hub & {
    readonly name: string;
    readonly userId: string;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.deleteUser>> {
  return call<typeof resources.scimProvisioning.deleteUser>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/scim-provisioning/v2/Users/{userId}',
    params: { name: params.name, userId: params.userId },
  });
}

/**
 * List the groups of an organization. In the order of creation. For owners of the organization, with a token that
 * may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function listProvisionedGroups(
  params: Hub & {
    readonly name: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
    readonly startIndex?: number | undefined;
    readonly count?: number | undefined;
    /** RFC 7644, 3.4.2.2, such as `userName eq "ada@example.com"`. */
    readonly filter?: string | undefined;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.listGroups>> {
  return call<typeof resources.scimProvisioning.listGroups>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups',
    params: { name: params.name },
    query: {
      attributes: params.attributes,
      excludedAttributes: params.excludedAttributes,
      startIndex: params.startIndex,
      count: params.count,
      filter: params.filter,
    },
  });
}

/**
 * List the groups of an organization, with the query in the body. For owners of the organization, with a token
 * that may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function searchProvisionedGroups(
  params: Hub & {
    readonly name: string;
    readonly search: RouteBody<typeof resources.scimProvisioning.searchGroups>;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.searchGroups>> {
  return call<typeof resources.scimProvisioning.searchGroups>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/.search',
    params: { name: params.name },
    body: params.search,
  });
}

/**
 * Create a group. The name must be unique in the organization. For owners of the organization, with a token that
 * may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function createProvisionedGroup(
  params: Hub & {
    readonly name: string;
    readonly group: RouteBody<typeof resources.scimProvisioning.createGroup>;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.createGroup>> {
  return call<typeof resources.scimProvisioning.createGroup>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups',
    params: { name: params.name },
    body: params.group,
  });
}

/**
 * Get a group. For owners of the organization, with a token that may change the organization. Enterprise Plus
 * plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function getProvisionedGroup(
  params: Hub & {
    readonly name: string;
    readonly groupId: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.getGroup>> {
  return call<typeof resources.scimProvisioning.getGroup>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/{groupId}',
    params: { name: params.name, groupId: params.groupId },
    query: { attributes: params.attributes, excludedAttributes: params.excludedAttributes },
  });
}

/**
 * Replace a group. The given members replace the current ones. For owners of the organization, with a token that
 * may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409, 412.
 * - 402: The organization needs the Enterprise Plus plan.
 * - 412: The header If-Match names another version.
 */
export function replaceProvisionedGroup(
  params: Hub & {
    readonly name: string;
    readonly groupId: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
    readonly group: RouteBody<typeof resources.scimProvisioning.replaceGroup>;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.replaceGroup>> {
  return call<typeof resources.scimProvisioning.replaceGroup>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/{groupId}',
    params: { name: params.name, groupId: params.groupId },
    query: { attributes: params.attributes, excludedAttributes: params.excludedAttributes },
    body: params.group,
  });
}

/**
 * Change attributes or members of a group. Applies all operations or none. For owners of the organization, with a
 * token that may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409, 412.
 * - 402: The organization needs the Enterprise Plus plan.
 * - 412: The header If-Match names another version.
 */
export function updateProvisionedGroup(
  params: Hub & {
    readonly name: string;
    readonly groupId: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
    readonly operations: RouteBody<typeof resources.scimProvisioning.updateGroup>['Operations'];
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.updateGroup>> {
  return call<typeof resources.scimProvisioning.updateGroup>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/{groupId}',
    params: { name: params.name, groupId: params.groupId },
    query: { attributes: params.attributes, excludedAttributes: params.excludedAttributes },
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: params.operations },
  });
}

/**
 * Delete a group. Its members keep roles that other groups grant. For owners of the organization, with a token
 * that may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 412.
 * - 402: The organization needs the Enterprise Plus plan.
 * - 412: The header If-Match names another version.
 */
export function deleteProvisionedGroup(
  params: Hub & {
    readonly name: string;
    readonly groupId: string;
  },
): Promise<SuccessAnswer<typeof resources.scimProvisioning.deleteGroup>> {
  return call<typeof resources.scimProvisioning.deleteGroup>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/scim-provisioning/v2/Groups/{groupId}',
    params: { name: params.name, groupId: params.groupId },
  });
}
