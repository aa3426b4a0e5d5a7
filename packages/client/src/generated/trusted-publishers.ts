// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as trustedPublishers from '@moonbase/contract/oauth/trusted-publishers';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type TrustedPublisher = SuccessAnswer<typeof trustedPublishers.listTrustedPublishers>[number];

/**
 * List the trusted publishers of the caller, newest first.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listTrustedPublishers(
  params: Hub,
): Promise<SuccessAnswer<typeof trustedPublishers.listTrustedPublishers>> {
  return call<typeof trustedPublishers.listTrustedPublishers>(params, {
    method: 'GET',
    path: '/api/settings/trusted-publishers',
  });
}

/**
 * Trust a program outside the hub with a repository. A program with a token of `issuer` that has these claims and
 * the address of this hub as its audience can exchange it at `/oauth/token` for a token that lasts an hour and
 * acts for the caller on `resource` only. Needs a session that began within the last ten minutes; access tokens
 * are refused.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 * - 403: With the code `RecentSignInNeeded`: the user signed in longer ago.
 * - 409: The caller has 100 trusted publishers, the most.
 */
export function createTrustedPublisher(
  params: Hub & {
    /**
     * The scope of the tokens: a repository that they read and change, as `namespace/name` of a model or with a prefix
     * `datasets/`, `spaces/`, `kernels/` or `buckets/`; or the caller or an organization, whose repositories they
     * read.
     */
    readonly resource: string;
    /** The issuer of the program’s tokens: `https://token.actions.githubusercontent.com`. */
    readonly issuer: RouteBody<typeof trustedPublishers.createTrustedPublisher>['issuer'];
    /** Claims that a token must contain with equal values: `{"repository": "acme/ci", "ref": "refs/heads/main"}`. */
    readonly claims: RouteBody<typeof trustedPublishers.createTrustedPublisher>['claims'];
  },
): Promise<SuccessAnswer<typeof trustedPublishers.createTrustedPublisher>> {
  return call<typeof trustedPublishers.createTrustedPublisher>(params, {
    method: 'POST',
    path: '/api/settings/trusted-publishers',
    body: { resource: params.resource, issuer: params.issuer, claims: params.claims },
  });
}

/**
 * Delete a trusted publisher. Its tokens are unknown from the next request on.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteTrustedPublisher(
  params: Hub & {
    readonly publisherId: string;
  },
): Promise<SuccessAnswer<typeof trustedPublishers.deleteTrustedPublisher>> {
  return call<typeof trustedPublishers.deleteTrustedPublisher>(params, {
    method: 'DELETE',
    path: '/api/settings/trusted-publishers/{publisherId}',
    params: { publisherId: params.publisherId },
  });
}
