// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as links from '@moonbase/contract/scim/links';
import type { Entry, RouteBody, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type ScimLink = SuccessAnswer<typeof links.listScimLinks>[number];

/**
 * List what SCIM groups are linked to, the newest first. For admins of the organization with a token that may
 * write, plan Enterprise Plus. Returns the entries of all pages, asking for `pageSize` at a time.
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
 * Link a SCIM group to a resource group, or to a role in the organization. For admins of the organization with a
 * token that may write, plan Enterprise Plus. Its members get the role at once. A member has the best of all roles
 * that groups give; a role in the organization that is a member's own is never lowered. A linked resource group is
 * changed by SCIM alone.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The plan is not Enterprise Plus.
 * - 409: The link is there, or somebody is in the resource group or joins it by auto-join.
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
 * Change the role that a link gives. For admins of the organization with a token that may write, plan Enterprise
 * Plus.
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
 * End a link. For admins of the organization with a token that may write, plan Enterprise Plus. Members keep what
 * other groups give them. A resource group without links is changed by hand again.
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
