// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as avatars from '@moonbase/contract/accounts/avatars';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export * from '../avatars.ts';

export type Avatar = SuccessAnswer<typeof avatars.getOrganizationAvatar>;

/**
 * Organization avatar. With the header `Sec-Fetch-Dest: image`, or `redirect`, it redirects to the picture; no
 * token is needed then.
 *
 * Throws a `HubApiError`: 400, 401, 404.
 * - 401: JSON is for callers with a token.
 */
export function getOrganizationAvatar(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof avatars.getOrganizationAvatar>> {
  return call<typeof avatars.getOrganizationAvatar>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/avatar',
    params: { name: params.name },
  });
}

/**
 * User avatar. With the header `Sec-Fetch-Dest: image`, or `redirect`, it redirects to the picture; no token is
 * needed then.
 *
 * Throws a `HubApiError`: 400, 401, 404.
 * - 401: JSON is for callers with a token.
 */
export function getUserAvatar(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof avatars.getUserAvatar>> {
  return call<typeof avatars.getUserAvatar>(params, {
    method: 'GET',
    path: '/api/users/{username}/avatar',
    params: { username: params.username },
  });
}

/**
 * Upload the avatar of an organization. The hub makes its own picture of it: the middle as a square of at most 512
 * by 512 pixels, the first frame only, without what else the file holds. It takes the place of the picture before.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 503.
 * - 503: Too many pictures at once; try again soon.
 */
export function setOrganizationAvatar(
  params: Hub & {
    readonly name: string;
    readonly picture: Blob;
  },
): Promise<SuccessAnswer<typeof avatars.setOrganizationAvatar>> {
  return call<typeof avatars.setOrganizationAvatar>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/avatar',
    params: { name: params.name },
    rawBody: params.picture,
  });
}

/**
 * Upload your avatar. The hub makes its own picture of it: the middle as a square of at most 512 by 512 pixels,
 * the first frame only, without what else the file holds. It takes the place of the picture before.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 503.
 * - 503: Too many pictures at once; try again soon.
 */
export function setUserAvatar(
  params: Hub & {
    readonly username: string;
    readonly picture: Blob;
  },
): Promise<SuccessAnswer<typeof avatars.setUserAvatar>> {
  return call<typeof avatars.setUserAvatar>(params, {
    method: 'PUT',
    path: '/api/users/{username}/avatar',
    params: { username: params.username },
    rawBody: params.picture,
  });
}

/**
 * Remove the avatar of an organization. Without a picture of its own an account has the one that the hub makes
 * from its id.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteOrganizationAvatar(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof avatars.deleteOrganizationAvatar>> {
  return call<typeof avatars.deleteOrganizationAvatar>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/avatar',
    params: { name: params.name },
  });
}

/**
 * Remove your avatar. Without a picture of its own an account has the one that the hub makes from its id.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteUserAvatar(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof avatars.deleteUserAvatar>> {
  return call<typeof avatars.deleteUserAvatar>(params, {
    method: 'DELETE',
    path: '/api/users/{username}/avatar',
    params: { username: params.username },
  });
}
