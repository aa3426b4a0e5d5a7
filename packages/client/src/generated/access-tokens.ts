// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as accessTokens from '@moonbase/contract/accounts/access-tokens';
import type { Entry, RouteBody, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type AccessToken = SuccessAnswer<typeof accessTokens.listAccessTokens>[number];

export type Success = SuccessAnswer<typeof accessTokens.deleteAccessToken>;

/**
 * List the caller's access tokens, newest first. Returns the entries of all pages, asking for `pageSize` at a
 * time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listAccessTokens(
  params: Hub & {
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof accessTokens.listAccessTokens>, void, undefined> {
  return entriesOf<typeof accessTokens.listAccessTokens>(params, {
    method: 'GET',
    path: '/api/settings/tokens',
    query: { limit: params.pageSize },
  });
}

/**
 * Create an access token. The value, `token`, is returned only once. A token cannot create one that may do more
 * than itself.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 * - 409: The caller has a token of this name.
 */
export function createAccessToken(
  params: Hub & {
    readonly displayName: string;
    readonly role: RouteBody<typeof accessTokens.createAccessToken>['role'];
    /**
     * Must be in the future, and no later than the expiry of the token of this request. Absent: the token does not
     * expire.
     */
    readonly expiresAt?: RouteBody<typeof accessTokens.createAccessToken>['expiresAt'];
    /** Required for the role `fineGrained`, not allowed for others. */
    readonly fineGrained?: RouteBody<typeof accessTokens.createAccessToken>['fineGrained'];
  },
): Promise<SuccessAnswer<typeof accessTokens.createAccessToken>> {
  return call<typeof accessTokens.createAccessToken>(params, {
    method: 'POST',
    path: '/api/settings/tokens',
    body: {
      displayName: params.displayName,
      role: params.role,
      expiresAt: params.expiresAt,
      fineGrained: params.fineGrained,
    },
  });
}

/**
 * Delete an access token. The token is invalid from the next request on, and its open streams end. So are the
 * tokens that were created with it, directly or indirectly, unless `keepCreated` is true.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteAccessToken(
  params: Hub & {
    readonly tokenId: string;
    /** true: the tokens that were created with this one stay valid. */
    readonly keepCreated?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof accessTokens.deleteAccessToken>> {
  return call<typeof accessTokens.deleteAccessToken>(params, {
    method: 'DELETE',
    path: '/api/settings/tokens/{tokenId}',
    params: { tokenId: params.tokenId },
    query: { keepCreated: params.keepCreated },
  });
}

/**
 * Revoke leaked access tokens. For anybody who finds a leaked token; needs no token of its own. Revokes it
 * everywhere. The response is the same for any text.
 *
 * Throws a `HubApiError`: 400, 409.
 */
export function revokeCredentials(
  params: Hub & {
    readonly credentials: RouteBody<typeof accessTokens.revokeCredentials>['credentials'];
  },
): Promise<SuccessAnswer<typeof accessTokens.revokeCredentials>> {
  return call<typeof accessTokens.revokeCredentials>(params, {
    method: 'POST',
    path: '/api/credentials/revoke',
    body: { credentials: params.credentials },
  });
}

/**
 * List the access tokens of a user, newest first. Returns the entries of all pages, asking for `pageSize` at a
 * time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listUserTokens(
  params: Hub & {
    readonly username: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof accessTokens.listUserTokens>, void, undefined> {
  return entriesOf<typeof accessTokens.listUserTokens>(params, {
    method: 'GET',
    path: '/api/admin/users/{username}/tokens',
    params: { username: params.username },
    query: { limit: params.pageSize },
  });
}

/**
 * Delete an access token of a user. The token is invalid from the next request on, and its open streams end. So
 * are the tokens that were created with it, directly or indirectly, unless `keepCreated` is true.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteUserToken(
  params: Hub & {
    readonly username: string;
    readonly tokenId: string;
    /** true: the tokens that were created with this one stay valid. */
    readonly keepCreated?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof accessTokens.deleteUserToken>> {
  return call<typeof accessTokens.deleteUserToken>(params, {
    method: 'DELETE',
    path: '/api/admin/users/{username}/tokens/{tokenId}',
    params: { username: params.username, tokenId: params.tokenId },
    query: { keepCreated: params.keepCreated },
  });
}
