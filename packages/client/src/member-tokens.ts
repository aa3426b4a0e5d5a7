import type * as routes from '@moonbase/contract/organizations/member-tokens';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { MemberToken, TokenPolicy } from '@moonbase/contract/organizations/member-tokens';

type Organization = Hub & { readonly name: string };
type Token = Organization & { readonly tokenId: string };

/**
 * Revokes a member's access token, given in clear, from an organization, for good; elsewhere it keeps working. Throws a
 * `HubApiError`: 400 for the token of the call, 401, 402, 403, 404.
 */
export function revokeMemberToken(
  params: Organization & RouteBody<typeof routes.revokeMemberToken>,
): Promise<SuccessAnswer<typeof routes.revokeMemberToken>> {
  const { name, token } = params;
  return call<typeof routes.revokeMemberToken>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/settings/tokens/revoke',
    params: { name },
    body: { token },
  });
}

/** The same by the id that `listMemberTokens` gives. Throws a `HubApiError`: 400, 401, 402, 403, 404. */
export function revokeMemberTokenById(params: Token): Promise<SuccessAnswer<typeof routes.revokeMemberTokenById>> {
  const { name, tokenId } = params;
  return call<typeof routes.revokeMemberTokenById>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/settings/tokens/{tokenId}/revoke',
    params: { name, tokenId },
  });
}

/** The access tokens of members that reach an organization, newest first. Throws a `HubApiError`: 401, 402, 403, 404. */
export function listMemberTokens(
  params: Organization & { readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listMemberTokens>, void, undefined> {
  const { name, pageSize } = params;
  return entriesOf<typeof routes.listMemberTokens>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/settings/tokens',
    params: { name },
    query: { limit: pageSize?.toString() },
  });
}

/** Approves a member's access token. Throws a `HubApiError`: 401, 402, 403, 404, 409 for a revoked one. */
export function approveMemberToken(params: Token): Promise<SuccessAnswer<typeof routes.approveMemberToken>> {
  const { name, tokenId } = params;
  return call<typeof routes.approveMemberToken>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/settings/tokens/{tokenId}/approve',
    params: { name, tokenId },
  });
}

/** Denies a member's access token, until it is approved. Throws a `HubApiError`: 401, 402, 403, 404, 409. */
export function denyMemberToken(params: Token): Promise<SuccessAnswer<typeof routes.denyMemberToken>> {
  const { name, tokenId } = params;
  return call<typeof routes.denyMemberToken>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/settings/tokens/{tokenId}/deny',
    params: { name, tokenId },
  });
}

/** Chooses which access tokens an organization admits. Throws a `HubApiError`: 400, 401, 402, 403, 404. */
export function updateTokenPolicy(
  params: Organization & RouteBody<typeof routes.updateTokenPolicy>,
): Promise<SuccessAnswer<typeof routes.updateTokenPolicy>> {
  const { name, policy } = params;
  return call<typeof routes.updateTokenPolicy>(params, {
    method: 'PATCH',
    path: '/api/organizations/{name}/settings/tokens/policy',
    params: { name },
    body: { policy },
  });
}
