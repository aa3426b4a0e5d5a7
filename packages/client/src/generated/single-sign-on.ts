// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as provider from '@moonbase/contract/organizations/provider';
import type * as singleSignOn from '@moonbase/contract/sign-in/single-sign-on';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type Identity = SuccessAnswer<typeof singleSignOn.listIdentities>[number];

export type OrganizationProvider = SuccessAnswer<typeof provider.getSingleSignOn>;

/**
 * Begin to sign in with an OpenID provider. For pages of the hub. A cookie binds the response of the provider to
 * this browser for ten minutes; a browser may have five pending sign-ins. With `again` the provider is asked to
 * prompt the user again.
 *
 * Throws a `HubApiError`: 400, 403, 404, 409, 502.
 * - 403: The request comes from a page of another origin.
 * - 404: There is no such provider.
 * - 502: The provider does not answer.
 */
export function beginSingleSignOn(
  params: Hub & {
    /** The organization that owns the provider; absent: the provider of the hub. */
    readonly organization?: string | undefined;
    /** A value that is returned when the sign-in is finished. */
    readonly returnTo?: string | undefined;
    readonly again?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof singleSignOn.beginSingleSignOn>> {
  return call<typeof singleSignOn.beginSingleSignOn>(params, {
    method: 'POST',
    path: '/api/sign-in/provider',
    body: { organization: params.organization, returnTo: params.returnTo, again: params.again },
  });
}

/**
 * Finish signing in with an OpenID provider. With the path and query to which the provider redirected the browser.
 * Works once, in the browser that began the sign-in. The account is found by issuer and subject or by SCIM data,
 * or created.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409, 502.
 * - 401: What the provider said cannot be believed.
 * - 403: The page is of another origin, or the person may not sign in.
 * - 502: The provider does not answer.
 */
export function finishSingleSignOn(
  params: Hub & {
    readonly path: string;
  },
): Promise<SuccessAnswer<typeof singleSignOn.finishSingleSignOn>> {
  return call<typeof singleSignOn.finishSingleSignOn>(params, {
    method: 'POST',
    path: '/api/sign-in/provider/finish',
    body: { path: params.path },
  });
}

/**
 * List the identities of the caller at OpenID providers, oldest first.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listIdentities(params: Hub): Promise<SuccessAnswer<typeof singleSignOn.listIdentities>> {
  return call<typeof singleSignOn.listIdentities>(params, { method: 'GET', path: '/api/settings/identities' });
}

/**
 * Begin to link an OpenID provider to the account of the caller. For a browser in which the user is signed in;
 * `current` is the password, which is required unless the session is younger than ten minutes. Linking is finished
 * like a sign-in.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 429, 502.
 * - 404: There is no such provider.
 * - 429: Too many failed attempts; `Retry-After` says when to try again.
 * - 502: The provider does not answer.
 */
export function linkIdentity(
  params: Hub & {
    /** The organization that owns the provider; absent: the provider of the hub. */
    readonly organization?: string | undefined;
    /** A value that is returned when the sign-in is finished. */
    readonly returnTo?: string | undefined;
    readonly current?: string | undefined;
  },
): Promise<SuccessAnswer<typeof singleSignOn.linkIdentity>> {
  return call<typeof singleSignOn.linkIdentity>(params, {
    method: 'POST',
    path: '/api/settings/identities',
    body: { organization: params.organization, returnTo: params.returnTo, current: params.current },
  });
}

/**
 * Unlink an identity of the caller. For a browser in which the user signed in within the last ten minutes. 409 if
 * the identity is the caller’s only way to sign in. Sessions continue.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 403: With the code `RecentSignInNeeded`: the user signed in more than ten minutes ago.
 * - 409: The caller has no other way to sign in.
 */
export function unlinkIdentity(
  params: Hub & {
    readonly identityId: string;
  },
): Promise<SuccessAnswer<typeof singleSignOn.unlinkIdentity>> {
  return call<typeof singleSignOn.unlinkIdentity>(params, {
    method: 'DELETE',
    path: '/api/settings/identities/{identityId}',
    params: { identityId: params.identityId },
  });
}

/**
 * End sessions on request of a provider. OpenID Connect Back-Channel Logout 1.0: a logout token, signed by a
 * provider of this hub, ends the sessions of its `sid` or `sub`. A token is valid once.
 *
 * Throws a `HubApiError`: 400, 409, 502.
 * - 502: The provider does not answer.
 */
export function endProviderSessions(
  params: Hub & {
    readonly logout_token: string;
  },
): Promise<SuccessAnswer<typeof singleSignOn.endProviderSessions>> {
  return call<typeof singleSignOn.endProviderSessions>(params, {
    method: 'POST',
    path: '/login/oidc/backchannel-logout',
    body: { logout_token: params.logout_token },
  });
}

/**
 * Get the OpenID provider of an organization. For admins of the organization, plan Team or higher. 404 where it
 * has none. The secret is never shown.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The plan of the organization is too low.
 */
export function getSingleSignOn(
  params: Hub & {
    readonly organization: string;
  },
): Promise<SuccessAnswer<typeof provider.getSingleSignOn>> {
  return call<typeof provider.getSingleSignOn>(params, {
    method: 'GET',
    path: '/api/organizations/{name}/single-sign-on',
    params: { name: params.organization },
  });
}

/**
 * Set the OpenID provider of an organization. For admins of the organization, plan Team or higher. It signs in to
 * the accounts of the organization: those that its SCIM or this provider made. Others link it once they are signed
 * in, and join by it. Roles are set anew at each sign-in, where the provider tells the groups; what SCIM gives
 * goes before, and the last admin stays one. Another issuer or client ends the sessions that were begun.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The plan of the organization is too low.
 */
export function setSingleSignOn(
  params: Hub & {
    readonly organization: string;
    readonly provider: RouteBody<typeof provider.setSingleSignOn>;
  },
): Promise<SuccessAnswer<typeof provider.setSingleSignOn>> {
  return call<typeof provider.setSingleSignOn>(params, {
    method: 'PUT',
    path: '/api/organizations/{name}/single-sign-on',
    params: { name: params.organization },
    body: params.provider,
  });
}

/**
 * Remove the OpenID provider of an organization. For admins of the organization, plan Team or higher. The sessions
 * that it began end. Memberships stay.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404.
 * - 402: The plan of the organization is too low.
 */
export function deleteSingleSignOn(
  params: Hub & {
    readonly organization: string;
  },
): Promise<SuccessAnswer<typeof provider.deleteSingleSignOn>> {
  return call<typeof provider.deleteSingleSignOn>(params, {
    method: 'DELETE',
    path: '/api/organizations/{name}/single-sign-on',
    params: { name: params.organization },
  });
}

/**
 * Test whether an issuer is an OpenID provider that the organization can use. For admins of the organization, plan
 * Team or higher. Fetches the document and the keys of the issuer, and saves nothing. An issuer that does not
 * answer is not contacted again for five seconds.
 *
 * Throws a `HubApiError`: 400, 401, 402, 403, 404, 409.
 * - 402: The plan of the organization is too low.
 */
export function testSingleSignOn(
  params: Hub & {
    readonly organization: string;
    /** Exactly as the provider writes it. */
    readonly issuer: string;
  },
): Promise<SuccessAnswer<typeof provider.testSingleSignOn>> {
  return call<typeof provider.testSingleSignOn>(params, {
    method: 'POST',
    path: '/api/organizations/{name}/single-sign-on/test',
    params: { name: params.organization },
    body: { issuer: params.issuer },
  });
}
