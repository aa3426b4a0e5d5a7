// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as profiles from '@moonbase/contract/accounts/profiles';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type WhoAmI = SuccessAnswer<typeof profiles.whoAmI>;

export type UserOverview = SuccessAnswer<typeof profiles.getUserOverview>;

export type OrganizationOverview = SuccessAnswer<typeof profiles.getOrganizationOverview>;

/**
 * Get the caller, its organizations and its token.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function whoAmI(params: Hub): Promise<SuccessAnswer<typeof profiles.whoAmI>> {
  return call<typeof profiles.whoAmI>(params, { method: 'GET', path: '/api/whoami-v2' });
}

/**
 * Get a user. Counts include only what the caller may see.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getUserOverview(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof profiles.getUserOverview>> {
  return call<typeof profiles.getUserOverview>(params, {
    method: 'GET',
    path: '/api/users/{username}/overview',
    params: { username: params.username },
  });
}

/**
 * Get an organization.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getOrganizationOverview(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof profiles.getOrganizationOverview>> {
  return call<typeof profiles.getOrganizationOverview>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/overview',
    params: { name: params.name },
  });
}

/**
 * Get the social handles of a user. This hub keeps none: the object is empty.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getUserSocials(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof profiles.getUserSocials>> {
  return call<typeof profiles.getUserSocials>(params, {
    method: 'GET',
    path: '/api/users/{username}/socials',
    params: { username: params.username },
  });
}

/**
 * Get the social handles of an organization. This hub keeps none: the object is empty.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getOrganizationSocials(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof profiles.getOrganizationSocials>> {
  return call<typeof profiles.getOrganizationSocials>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/socials',
    params: { name: params.name },
  });
}
