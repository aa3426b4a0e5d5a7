import type * as routes from '@moonbase/contract/organizations/organizations';
import type { RouteBody, SuccessAnswer } from './operation.ts';
import { call, type Hub } from './request.ts';

export type { Organization } from '@moonbase/contract/organizations/organizations';

type Named = Hub & { readonly name: string };

/**
 * Creates an organization, with the caller as its first admin; only site administrators set `plan`. Throws a
 * `HubApiError`: 400, 401, 403, 409 where the name is taken.
 *
 * ```ts
 * const { id } = await createOrganization({ hubUrl, accessToken, name: 'acme', fullname: 'Acme Labs' });
 * ```
 */
export function createOrganization(
  params: Hub & RouteBody<typeof routes.createOrganization>,
): Promise<SuccessAnswer<typeof routes.createOrganization>> {
  const { name, fullname, plan } = params;
  return call<typeof routes.createOrganization>(params, {
    method: 'POST',
    path: '/api/organizations',
    body: { name, fullname, plan },
  });
}

/**
 * Changes an organization, or renames it with `change.name`; answers it, also for an empty change. Throws a
 * `HubApiError`: 400 with `issues`, 401, 403, 404, 409 where the name is taken.
 */
export function updateOrganization(
  params: Named & { readonly change: RouteBody<typeof routes.updateOrganization> },
): Promise<SuccessAnswer<typeof routes.updateOrganization>> {
  const { name, change } = params;
  return call<typeof routes.updateOrganization>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}',
    params: { name },
    body: change,
  });
}

/** Deletes an organization and all that it owns; for 30 days it can be restored. Throws a `HubApiError`: 401, 403, 404. */
export function deleteOrganization(params: Named): Promise<SuccessAnswer<typeof routes.deleteOrganization>> {
  return call<typeof routes.deleteOrganization>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}',
    params: { name: params.name },
  });
}

/** Brings a deleted organization back. Throws a `HubApiError`: 401, 403, 404. */
export function restoreOrganization(params: Named): Promise<SuccessAnswer<typeof routes.restoreOrganization>> {
  return call<typeof routes.restoreOrganization>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/restore',
    params: { name: params.name },
  });
}
