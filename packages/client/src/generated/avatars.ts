// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as avatars from '@moonbase/contract/accounts/avatars';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/avatars.ts';

export type Avatar = SuccessAnswer<typeof avatars.getOrganizationAvatar>;

/**
 * Get the avatar URL of an organization. Returns the URL of the picture. With the header `Sec-Fetch-Dest: image`
 * or the parameter `redirect`, redirects to the picture and needs no token.
 *
 * Throws a `HubApiError`: 400, 401, 404.
 * - 401: JSON requires a token.
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
 * Get the avatar URL of a user. Returns the URL of the picture. With the header `Sec-Fetch-Dest: image` or the
 * parameter `redirect`, redirects to the picture and needs no token.
 *
 * Throws a `HubApiError`: 400, 401, 404.
 * - 401: JSON requires a token.
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
 * Upload the avatar of an organization. The hub re-encodes the picture: its centre as a square of at most 512 by
 * 512 pixels, the first frame only, without metadata. The new picture replaces the previous one.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 503.
 * - 503: Too many uploads at once; try again soon.
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
 * Upload your avatar. The hub re-encodes the picture: its centre as a square of at most 512 by 512 pixels, the
 * first frame only, without metadata. The new picture replaces the previous one.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 503.
 * - 503: Too many uploads at once; try again soon.
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
 * Remove the avatar of an organization. The account then has the picture that the hub generates from its id.
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
 * Remove your avatar. The account then has the picture that the hub generates from its id.
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
