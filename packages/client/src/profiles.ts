import type * as routes from '@moonbase/contract/profiles';
import type { SuccessAnswer } from './operation.ts';
import { call, type Hub, send, urlOf } from './request.ts';

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

/** Where an organization's picture is: `{ avatarUrl }`. No token needed. Throws a `HubApiError`: 404. */
export function getOrganizationAvatar(
  params: Hub & { readonly name: string },
): Promise<SuccessAnswer<typeof routes.getOrganizationAvatar>> {
  const { name } = params;
  return call<typeof routes.getOrganizationAvatar>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/avatar',
    params: { name },
    query: {},
  });
}

/** Where a user's picture is: `{ avatarUrl }`. No token needed. Throws a `HubApiError`: 404. */
export function getUserAvatar(
  params: Hub & { readonly username: string },
): Promise<SuccessAnswer<typeof routes.getUserAvatar>> {
  const { username } = params;
  return call<typeof routes.getUserAvatar>(params, {
    method: 'GET',
    path: '/api/users/{username}/avatar',
    params: { username },
    query: {},
  });
}

/** The picture of a user or organization, fetched from where the hub redirects to. Throws a `HubApiError`: 404. */
export function getAvatar(params: Hub & { readonly namespace: string }): Promise<Blob> {
  const path: (typeof routes.getAvatar)['path'] = '/api/avatars/{namespace}';
  return picture(params, path, { namespace: params.namespace });
}

/** The picture that the hub makes from an account's id, as SVG; `file` is `<id>.svg`. Throws a `HubApiError`: 400. */
export function getGeneratedAvatar(params: Hub & { readonly file: string }): Promise<Blob> {
  const path: (typeof routes.getGeneratedAvatar)['path'] = '/avatars/{file}';
  return picture(params, path, { file: params.file });
}

/** Pictures are public and may be elsewhere: the token stays at home. */
async function picture(hub: Hub, path: string, params: Record<string, string>): Promise<Blob> {
  const response = await send({ ...hub, accessToken: undefined }, urlOf(hub, { path, params }), { method: 'GET' });
  return response.blob();
}
