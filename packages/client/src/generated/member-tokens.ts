// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as memberTokens from '@moonbase/contract/organizations/member-tokens';
import type { Entry, RouteBody, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/member-tokens.ts';

export type MemberToken = SuccessAnswer<typeof memberTokens.listMemberTokens>[number];

/**
 * Revoke a member's access token from the organization, by its value. For admins of the organization, plan
 * enterprise or higher. Permanently; elsewhere the token keeps working.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 400: It is the token of the call.
 * - 402: The plan of the organization is too low.
 * - 404: No member has this token.
 */
export function revokeMemberToken(
  params: Hub & {
    readonly name: string;
    readonly token: string;
  },
): Promise<SuccessAnswer<typeof memberTokens.revokeMemberToken>> {
  return call<typeof memberTokens.revokeMemberToken>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/settings/tokens/revoke',
    params: { name: params.name },
    body: { token: params.token },
  });
}

/**
 * Revoke a member's access token from the organization, by its id. For admins of the organization, plan enterprise
 * or higher. Permanently; elsewhere the token keeps working.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 400: It is the token of the call.
 * - 402: The plan of the organization is too low.
 * - 404: No member has this token.
 */
export function revokeMemberTokenById(
  params: Hub & {
    readonly name: string;
    readonly tokenId: string;
  },
): Promise<SuccessAnswer<typeof memberTokens.revokeMemberTokenById>> {
  return call<typeof memberTokens.revokeMemberTokenById>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/settings/tokens/{tokenId}/revoke',
    params: { name: params.name, tokenId: params.tokenId },
  });
}

/**
 * List the access tokens of members that reach the organization, newest first. For admins of the organization,
 * plan enterprise or higher. A page may contain fewer than `limit` while there are more. Returns the entries of
 * all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The plan of the organization is too low.
 */
export function listMemberTokens(
  params: Hub & {
    readonly name: string;
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof memberTokens.listMemberTokens>, void, undefined> {
  return entriesOf<typeof memberTokens.listMemberTokens>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/settings/tokens',
    params: { name: params.name },
    query: { limit: params.pageSize },
  });
}

/**
 * Approve a member's access token. For admins of the organization, plan enterprise or higher.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The plan of the organization is too low.
 * - 404: No member has this token.
 * - 409: It has been revoked permanently.
 */
export function approveMemberToken(
  params: Hub & {
    readonly name: string;
    readonly tokenId: string;
  },
): Promise<SuccessAnswer<typeof memberTokens.approveMemberToken>> {
  return call<typeof memberTokens.approveMemberToken>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/settings/tokens/{tokenId}/approve',
    params: { name: params.name, tokenId: params.tokenId },
  });
}

/**
 * Deny a member's access token. For admins of the organization, plan enterprise or higher. It can be approved
 * later.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The plan of the organization is too low.
 * - 404: No member has this token.
 * - 409: It has been revoked permanently.
 */
export function denyMemberToken(
  params: Hub & {
    readonly name: string;
    readonly tokenId: string;
  },
): Promise<SuccessAnswer<typeof memberTokens.denyMemberToken>> {
  return call<typeof memberTokens.denyMemberToken>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/settings/tokens/{tokenId}/deny',
    params: { name: params.name, tokenId: params.tokenId },
  });
}

/**
 * Get which access tokens the organization admits. For admins of the organization, plan enterprise or higher.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The plan of the organization is too low.
 */
export function getTokenPolicy(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof memberTokens.getTokenPolicy>> {
  return call<typeof memberTokens.getTokenPolicy>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/settings/tokens/policy',
    params: { name: params.name },
  });
}

/**
 * Set which access tokens the organization admits. For admins of the organization, plan enterprise or higher.
 * `approval` does not apply to tokens of admins. With `maxDays`, the organization admits only tokens that expire
 * at most this many days after their creation; null removes the limit. Absent fields keep their values.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 400: The policy would lock out the token of the call.
 * - 402: The plan of the organization is too low.
 */
export function updateTokenPolicy(
  params: Hub & {
    readonly name: string;
    readonly policy?: RouteBody<typeof memberTokens.updateTokenPolicy>['policy'];
    readonly maxDays?: RouteBody<typeof memberTokens.updateTokenPolicy>['maxDays'];
  },
): Promise<SuccessAnswer<typeof memberTokens.updateTokenPolicy>> {
  return call<typeof memberTokens.updateTokenPolicy>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/settings/tokens/policy',
    params: { name: params.name },
    body: { policy: params.policy, maxDays: params.maxDays },
  });
}
