import type * as routes from '@moonbase/contract/accounts/avatars';
import type { SuccessAnswer } from './operation.ts';
import { call, type Hub, send, urlOf } from './request.ts';

/** Where an organization's picture is: `{ avatarUrl }`. Throws a `HubApiError`: 401, 404. */
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

/** Where a user's picture is: `{ avatarUrl }`. Throws a `HubApiError`: 401, 404. */
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

/**
 * Gives an organization a picture: a PNG, JPEG, WebP or GIF of at most 1 MiB and 4096 by 4096 pixels. The hub keeps
 * its middle as a square of at most 512 by 512. Answers where it is. Throws a `HubApiError`: 400 for one that is
 * damaged or too large, 401, 403, 404, 413, 415 for what is no such picture, 503 with `Retry-After`.
 *
 * ```ts
 * const logo = new Blob([await readFile('logo.png')]);
 * const { avatarUrl } = await setOrganizationAvatar({ hubUrl, accessToken, name: 'acme', picture: logo });
 * ```
 */
export function setOrganizationAvatar(
  params: Hub & { readonly name: string; readonly picture: Blob },
): Promise<SuccessAnswer<typeof routes.setOrganizationAvatar>> {
  const { name, picture } = params;
  return call<typeof routes.setOrganizationAvatar>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/avatar',
    params: { name },
    rawBody: picture,
  });
}

/** Gives the caller a picture, as `setOrganizationAvatar` does an organization; `username` is the caller's own. */
export function setUserAvatar(
  params: Hub & { readonly username: string; readonly picture: Blob },
): Promise<SuccessAnswer<typeof routes.setUserAvatar>> {
  const { username, picture } = params;
  return call<typeof routes.setUserAvatar>(params, {
    method: 'PUT',
    path: '/api/users/{username}/avatar',
    params: { username },
    rawBody: picture,
  });
}

/** Takes an organization's picture away; answers where the generated one is. Throws a `HubApiError`: 401, 403, 404. */
export function deleteOrganizationAvatar(
  params: Hub & { readonly name: string },
): Promise<SuccessAnswer<typeof routes.deleteOrganizationAvatar>> {
  const { name } = params;
  return call<typeof routes.deleteOrganizationAvatar>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/avatar',
    params: { name },
  });
}

/** Takes the caller's picture away; answers where the generated one is. Throws a `HubApiError`: 401, 403, 404. */
export function deleteUserAvatar(
  params: Hub & { readonly username: string },
): Promise<SuccessAnswer<typeof routes.deleteUserAvatar>> {
  const { username } = params;
  return call<typeof routes.deleteUserAvatar>(params, {
    method: 'DELETE',
    path: '/api/users/{username}/avatar',
    params: { username },
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

/** An uploaded picture, as WebP; `file` is `<SHA-256>.webp`. Throws a `HubApiError`: 400, 404. */
export function getUploadedAvatar(params: Hub & { readonly file: string }): Promise<Blob> {
  const path: (typeof routes.getUploadedAvatar)['path'] = '/avatars/uploaded/{file}';
  return picture(params, path, { file: params.file });
}

/** Pictures are public and may be elsewhere: the token stays at home. */
async function picture(hub: Hub, path: string, params: Record<string, string>): Promise<Blob> {
  const response = await send({ ...hub, accessToken: undefined }, urlOf(hub, { path, params }), { method: 'GET' });
  return response.blob();
}
