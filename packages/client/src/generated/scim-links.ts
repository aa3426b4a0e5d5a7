// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as links from '@moonbase/contract/scim/links';
import type { Entry, RouteBody, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type ScimLink = SuccessAnswer<typeof links.listScimLinks>[number];

/**
 * List the links of SCIM groups, newest first. For admins of the organization, with a write token. Enterprise Plus
 * plan. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The plan is not Enterprise Plus.
 */
export function listScimLinks(
  params: Hub & {
    readonly name: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof links.listScimLinks>, void, undefined> {
  return entriesOf<typeof links.listScimLinks>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/links',
    params: { name: params.name },
    query: { limit: params.pageSize },
  });
}

/**
 * Link a SCIM group to a resource group, or to a role in the organization. For admins of the organization, with a
 * write token. Enterprise Plus plan. Members of the group get the role at once. A member has the best of all roles
 * that groups grant; a role that a member has in the organization independently of SCIM is never lowered. Only
 * SCIM changes a linked resource group.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The plan is not Enterprise Plus.
 * - 409: The link already exists, or somebody is in the resource group or joins it by auto-join.
 */
export function createScimLink(
  params: Hub & {
    readonly name: string;
    /** Object id: 24 lower-case hexadecimal characters. */
    readonly groupId: string;
    /** Object id: 24 lower-case hexadecimal characters. */
    readonly resourceGroupId?: string | undefined;
    readonly role: RouteBody<typeof links.createScimLink>['role'];
  },
): Promise<SuccessAnswer<typeof links.createScimLink>> {
  return call<typeof links.createScimLink>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim/links',
    params: { name: params.name },
    body: { groupId: params.groupId, resourceGroupId: params.resourceGroupId, role: params.role },
  });
}

/**
 * Change the role of a link. For admins of the organization, with a write token. Enterprise Plus plan.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The plan is not Enterprise Plus.
 */
export function updateScimLink(
  params: Hub & {
    readonly name: string;
    readonly linkId: string;
    readonly role: RouteBody<typeof links.updateScimLink>['role'];
  },
): Promise<SuccessAnswer<typeof links.updateScimLink>> {
  return call<typeof links.updateScimLink>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/scim/links/{linkId}',
    params: { name: params.name, linkId: params.linkId },
    body: { role: params.role },
  });
}

/**
 * Delete a link. For admins of the organization, with a write token. Enterprise Plus plan. Members keep roles that
 * other groups grant. A resource group without links can be edited again.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The plan is not Enterprise Plus.
 */
export function deleteScimLink(
  params: Hub & {
    readonly name: string;
    readonly linkId: string;
  },
): Promise<SuccessAnswer<typeof links.deleteScimLink>> {
  return call<typeof links.deleteScimLink>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/scim/links/{linkId}',
    params: { name: params.name, linkId: params.linkId },
  });
}
