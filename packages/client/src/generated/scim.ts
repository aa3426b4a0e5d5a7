// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as resources from '@moonbase/contract/scim/resources';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type ScimUser = SuccessAnswer<typeof resources.scim.listUsers>['Resources'][number];

export type ScimUserInput = RouteBody<typeof resources.scim.createUser>;

export type ScimPatch = RouteBody<typeof resources.scim.updateUser>;

export type ScimGroup = SuccessAnswer<typeof resources.scim.listGroups>['Resources'][number];

export type ScimGroupInput = RouteBody<typeof resources.scim.createGroup>;

/**
 * List the users of an organization. Returns members and users known to the identity provider, in the order of
 * creation. For owners of the organization, with a token that may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function listScimUsers(
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
): Promise<SuccessAnswer<typeof resources.scim.listUsers>> {
  return call<typeof resources.scim.listUsers>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/Users',
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
export function searchScimUsers(
  params: Hub & {
    readonly name: string;
    readonly search: RouteBody<typeof resources.scim.searchUsers>;
  },
): Promise<SuccessAnswer<typeof resources.scim.searchUsers>> {
  return call<typeof resources.scim.searchUsers>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim/v2/Users/.search',
    params: { name: params.name },
    body: params.search,
  });
}

/**
 * Create a user. Creates an account that belongs to the organization, or puts an existing member under the
 * management of SCIM. For owners of the organization, with a token that may change the organization. Enterprise
 * Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The organization needs the Enterprise Plus plan.
 */
export function createScimUser(
  params: Hub & {
    readonly name: string;
    readonly user: RouteBody<typeof resources.scim.createUser>;
  },
): Promise<SuccessAnswer<typeof resources.scim.createUser>> {
  return call<typeof resources.scim.createUser>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim/v2/Users',
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
export function getScimUser(
  params: Hub & {
    readonly name: string;
    readonly userId: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
  },
): Promise<SuccessAnswer<typeof resources.scim.getUser>> {
  return call<typeof resources.scim.getUser>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/Users/{userId}',
    params: { name: params.name, userId: params.userId },
    query: { attributes: params.attributes, excludedAttributes: params.excludedAttributes },
  });
}

/**
 * Replace a user. Attributes other than `externalId` and `active` change only if SCIM created the account. 409 if
 * the organization would lose its last owner. For owners of the organization, with a token that may change the
 * organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409, 412.
 * - 402: The organization needs the Enterprise Plus plan.
 * - 412: The header If-Match names another version.
 */
export function replaceScimUser(
  params: Hub & {
    readonly name: string;
    readonly userId: string;
    readonly user: RouteBody<typeof resources.scim.replaceUser>;
  },
): Promise<SuccessAnswer<typeof resources.scim.replaceUser>> {
  return call<typeof resources.scim.replaceUser>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/scim/v2/Users/{userId}',
    params: { name: params.name, userId: params.userId },
    body: params.user,
  });
}

/**
 * Change attributes of a user. Attributes other than `externalId` and `active` change only if SCIM created the
 * account. 409 if the organization would lose its last owner. For owners of the organization, with a token that
 * may change the organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409, 412.
 * - 402: The organization needs the Enterprise Plus plan.
 * - 412: The header If-Match names another version.
 */
export function updateScimUser(
  params: Hub & {
    readonly name: string;
    readonly userId: string;
    readonly operations: RouteBody<typeof resources.scim.updateUser>['Operations'];
  },
): Promise<SuccessAnswer<typeof resources.scim.updateUser>> {
  return call<typeof resources.scim.updateUser>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/scim/v2/Users/{userId}',
    params: { name: params.name, userId: params.userId },
    body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations: params.operations },
  });
}

/**
 * Delete a user. Deletes the account if SCIM of this organization created it; otherwise ends the membership. 409
 * if the organization would lose its last owner. For owners of the organization, with a token that may change the
 * organization. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 412.
 * - 402: The organization needs the Enterprise Plus plan.
 * - 412: The header If-Match names another version.
 */
export function deleteScimUser(
  params: Hub & {
    readonly name: string;
    readonly userId: string;
  },
): Promise<SuccessAnswer<typeof resources.scim.deleteUser>> {
  return call<typeof resources.scim.deleteUser>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/scim/v2/Users/{userId}',
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
export function listScimGroups(
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
): Promise<SuccessAnswer<typeof resources.scim.listGroups>> {
  return call<typeof resources.scim.listGroups>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/Groups',
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
export function searchScimGroups(
  params: Hub & {
    readonly name: string;
    readonly search: RouteBody<typeof resources.scim.searchGroups>;
  },
): Promise<SuccessAnswer<typeof resources.scim.searchGroups>> {
  return call<typeof resources.scim.searchGroups>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim/v2/Groups/.search',
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
export function createScimGroup(
  params: Hub & {
    readonly name: string;
    readonly group: RouteBody<typeof resources.scim.createGroup>;
  },
): Promise<SuccessAnswer<typeof resources.scim.createGroup>> {
  return call<typeof resources.scim.createGroup>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim/v2/Groups',
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
export function getScimGroup(
  params: Hub & {
    readonly name: string;
    readonly groupId: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
  },
): Promise<SuccessAnswer<typeof resources.scim.getGroup>> {
  return call<typeof resources.scim.getGroup>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/v2/Groups/{groupId}',
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
export function replaceScimGroup(
  params: Hub & {
    readonly name: string;
    readonly groupId: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
    readonly group: RouteBody<typeof resources.scim.replaceGroup>;
  },
): Promise<SuccessAnswer<typeof resources.scim.replaceGroup>> {
  return call<typeof resources.scim.replaceGroup>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/scim/v2/Groups/{groupId}',
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
export function updateScimGroup(
  params: Hub & {
    readonly name: string;
    readonly groupId: string;
    /** Comma-separated names of the only attributes to return. */
    readonly attributes?: string | undefined;
    /** Comma-separated names of attributes to omit. */
    readonly excludedAttributes?: string | undefined;
    readonly operations: RouteBody<typeof resources.scim.updateGroup>['Operations'];
  },
): Promise<SuccessAnswer<typeof resources.scim.updateGroup>> {
  return call<typeof resources.scim.updateGroup>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/scim/v2/Groups/{groupId}',
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
export function deleteScimGroup(
  params: Hub & {
    readonly name: string;
    readonly groupId: string;
  },
): Promise<SuccessAnswer<typeof resources.scim.deleteGroup>> {
  return call<typeof resources.scim.deleteGroup>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/scim/v2/Groups/{groupId}',
    params: { name: params.name, groupId: params.groupId },
  });
}
