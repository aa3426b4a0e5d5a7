import type * as routes from '@moonbase/contract/scim/links';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { ScimLink } from '@moonbase/contract/scim/links';

/** The organization. */
type Organization = Hub & { readonly name: string };
type Link = Organization & { readonly linkId: string };

/** What SCIM groups are linked to, newest first. Throws a `HubApiError`: 401, 402, 403, 404. */
export function listScimLinks(
  params: Organization & { readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listScimLinks>, void, undefined> {
  const { name, pageSize } = params;
  return entriesOf<typeof routes.listScimLinks>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/scim/links',
    params: { name },
    query: { limit: pageSize?.toString() },
  });
}

/**
 * Gives the members of a group a role in a resource group, or in the organization where none is named.
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 */
export function createScimLink(
  params: Organization & RouteBody<typeof routes.createScimLink>,
): Promise<SuccessAnswer<typeof routes.createScimLink>> {
  const { name, groupId, resourceGroupId, role } = params;
  return call<typeof routes.createScimLink>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/scim/links',
    params: { name },
    body: { groupId, resourceGroupId, role },
  });
}

/** Changes the role that a link gives. Throws a `HubApiError`: 400, 401, 402, 403, 404. */
export function updateScimLink(
  params: Link & RouteBody<typeof routes.updateScimLink>,
): Promise<SuccessAnswer<typeof routes.updateScimLink>> {
  const { name, linkId, role } = params;
  return call<typeof routes.updateScimLink>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/scim/links/{linkId}',
    params: { name, linkId },
    body: { role },
  });
}

/** Ends a link. Throws a `HubApiError`: 401, 402, 403, 404. */
export function deleteScimLink(params: Link): Promise<SuccessAnswer<typeof routes.deleteScimLink>> {
  const { name, linkId } = params;
  return call<typeof routes.deleteScimLink>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/scim/links/{linkId}',
    params: { name, linkId },
  });
}
