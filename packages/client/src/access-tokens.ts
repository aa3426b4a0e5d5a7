import type * as routes from '@moonbase/contract/accounts/access-tokens';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { AccessToken } from '@moonbase/contract/accounts/access-tokens';

/** The caller's access tokens, without their values, newest first. Throws a `HubApiError`: 401, 403. */
export function listAccessTokens(
  params: Hub & { readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listAccessTokens>, void, undefined> {
  const query = { limit: params.pageSize?.toString() };
  return entriesOf<typeof routes.listAccessTokens>(params, { method: 'GET', path: '/api/settings/tokens', query });
}

/**
 * Makes an access token; `token` is shown this once. No token makes one that may do more than itself. Throws a
 * `HubApiError`: 400 with `issues`, 401, 403, 409 where the name is in use.
 *
 * ```ts
 * const { token } = await createAccessToken({ hubUrl, accessToken, displayName: 'laptop', role: 'read' });
 * ```
 */
export function createAccessToken(
  params: Hub & RouteBody<typeof routes.createAccessToken>,
): Promise<SuccessAnswer<typeof routes.createAccessToken>> {
  const { displayName, role, fineGrained } = params;
  return call<typeof routes.createAccessToken>(params, {
    method: 'POST',
    path: '/api/settings/tokens',
    body: { displayName, role, fineGrained },
  });
}

/** Ends an access token of the caller. Throws a `HubApiError`: 401, 403, 404. */
export function deleteAccessToken(
  params: Hub & { readonly tokenId: string },
): Promise<SuccessAnswer<typeof routes.deleteAccessToken>> {
  const { tokenId } = params;
  return call<typeof routes.deleteAccessToken>(params, {
    method: 'DELETE',
    path: '/api/settings/tokens/{tokenId}',
    params: { tokenId },
  });
}

/** Ends access tokens that leaked, given in clear; needs no token. Throws a `HubApiError`: 400. */
export function revokeCredentials(
  params: Hub & RouteBody<typeof routes.revokeCredentials>,
): Promise<SuccessAnswer<typeof routes.revokeCredentials>> {
  const { credentials } = params;
  return call<typeof routes.revokeCredentials>(params, {
    method: 'POST',
    path: '/api/credentials/revoke',
    body: { credentials },
  });
}

/** The access tokens of a user, newest first, for site administrators. Throws a `HubApiError`: 401, 403, 404. */
export function listUserTokens(
  params: Hub & { readonly username: string; readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listUserTokens>, void, undefined> {
  const { username, pageSize } = params;
  const query = { limit: pageSize?.toString() };
  const path = '/api/admin/users/{username}/tokens';
  return entriesOf<typeof routes.listUserTokens>(params, { method: 'GET', path, params: { username }, query });
}

/** Ends an access token of a user, for site administrators. Throws a `HubApiError`: 401, 403, 404. */
export function deleteUserToken(
  params: Hub & { readonly username: string; readonly tokenId: string },
): Promise<SuccessAnswer<typeof routes.deleteUserToken>> {
  const { username, tokenId } = params;
  return call<typeof routes.deleteUserToken>(params, {
    method: 'DELETE',
    path: '/api/admin/users/{username}/tokens/{tokenId}',
    params: { username, tokenId },
  });
}
