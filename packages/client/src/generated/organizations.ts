// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as organizations from '@moonbase/contract/organizations/organizations';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type Organization = SuccessAnswer<typeof organizations.createOrganization>;

/**
 * Create an organization. The caller becomes its first admin.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 * - 403: `plan` is for site administrators.
 * - 409: The name is taken.
 */
export function createOrganization(
  params: Hub & {
    readonly name: string;
    readonly fullname?: string | undefined;
    /** For site administrators only. */
    readonly plan?: RouteBody<typeof organizations.createOrganization>['plan'];
  },
): Promise<SuccessAnswer<typeof organizations.createOrganization>> {
  return call<typeof organizations.createOrganization>(params, {
    method: 'POST',
    path: '/api/organizations',
    body: { name: params.name, fullname: params.fullname, plan: params.plan },
  });
}

/**
 * Change or rename an organization. Absent fields keep their values. References to the organization survive a
 * rename.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 403: `verifiedDomains` is for site administrators.
 * - 409: The name is taken.
 */
export function updateOrganization(
  params: Hub & {
    readonly name: string;
    readonly change: RouteBody<typeof organizations.updateOrganization>;
  },
): Promise<SuccessAnswer<typeof organizations.updateOrganization>> {
  return call<typeof organizations.updateOrganization>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}',
    params: { name: params.name },
    body: params.change,
  });
}

/**
 * Delete an organization. The organization disappears at once with everything that it owns, and can be restored
 * for 30 days.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteOrganization(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof organizations.deleteOrganization>> {
  return call<typeof organizations.deleteOrganization>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}',
    params: { name: params.name },
  });
}

/**
 * Restore a deleted organization. For its former admins, within 30 days; 404 for others.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function restoreOrganization(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof organizations.restoreOrganization>> {
  return call<typeof organizations.restoreOrganization>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/restore',
    params: { name: params.name },
  });
}
