import type * as routes from '@moonbase/contract/accounts/profiles';
import type { SuccessAnswer } from './operation.ts';
import { call, type Hub } from './request.ts';

/**
 * Who the token belongs to, with its organizations and what the token may do. Throws a `HubApiError` of status 401
 * for no token or a bad one.
 *
 * ```ts
 * const { name, orgs } = await whoAmI({ hubUrl: 'http://127.0.0.1:7780', accessToken: 'hf_…' });
 * ```
 */
export function whoAmI(params: Hub): Promise<SuccessAnswer<typeof routes.whoAmI>> {
  return call<typeof routes.whoAmI>(params, { method: 'GET', path: '/api/whoami-v2' });
}

/** Profile of a user, with counts of what the caller may see. Throws a `HubApiError`: 401, 404. */
export function getUserOverview(
  params: Hub & { readonly username: string },
): Promise<SuccessAnswer<typeof routes.getUserOverview>> {
  const { username } = params;
  return call<typeof routes.getUserOverview>(params, {
    method: 'GET',
    path: '/api/users/{username}/overview',
    params: { username },
  });
}

/** Profile of an organization, with counts of what the caller may see. Throws a `HubApiError`: 401, 404. */
export function getOrganizationOverview(
  params: Hub & { readonly name: string },
): Promise<SuccessAnswer<typeof routes.getOrganizationOverview>> {
  const { name } = params;
  return call<typeof routes.getOrganizationOverview>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/overview',
    params: { name },
  });
}
