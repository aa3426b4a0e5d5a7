// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as authentication from '@moonbase/contract/sign-in/authentication';
import type * as links from '@moonbase/contract/sign-in/links';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type SignedIn = SuccessAnswer<typeof authentication.signIn>;

export type LinkPurpose = SuccessAnswer<typeof links.getLink>['purpose'];

/**
 * Sign in with a password. With a user name or a confirmed e-mail address. The response is the same for a wrong
 * password, an unknown name, a disabled user and a user without a password. A user with a second factor gets a
 * session only after the second step.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409, 429.
 * - 401: The name or the password is incorrect.
 * - 403: The request comes from a page of another origin, or nobody signs in to this hub this way.
 * - 429: Too many failed attempts; `Retry-After` says when to try again.
 */
export function signIn(
  params: Hub & {
    readonly name: string;
    /** At most 1,024 bytes of UTF-8. */
    readonly password: string;
  },
): Promise<SuccessAnswer<typeof authentication.signIn>> {
  return call<typeof authentication.signIn>(params, {
    method: 'POST',
    path: '/api/sign-in',
    body: { name: params.name, password: params.password },
  });
}

/**
 * Take the second step of signing in. With a code of the authenticator, or a recovery code; each is valid once.
 * The cookie of the first step identifies the user.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409, 429.
 * - 401: The code is wrong; with the code `SignInExpired`: begin again with the first step.
 * - 403: The request comes from a page of another origin.
 * - 429: Too many failed attempts; `Retry-After` says when to try again.
 */
export function signInSecondStep(
  params: Hub & {
    readonly code: string;
  },
): Promise<SuccessAnswer<typeof authentication.signInSecondStep>> {
  return call<typeof authentication.signInSecondStep>(params, {
    method: 'POST',
    path: '/api/sign-in/second-factor',
    body: { code: params.code },
  });
}

/**
 * Sign in with an access token. The session has the rights of the token, and ends with it.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409, 429.
 * - 401: The access token is invalid.
 * - 403: The request comes from a page of another origin, or nobody signs in to this hub this way.
 * - 429: Too many failed attempts; `Retry-After` says when to try again.
 */
export function signInWithToken(
  params: Hub & {
    readonly token: string;
  },
): Promise<SuccessAnswer<typeof authentication.signInWithToken>> {
  return call<typeof authentication.signInWithToken>(params, {
    method: 'POST',
    path: '/api/sign-in/token',
    body: { token: params.token },
  });
}

/**
 * End the session of this browser. The response is the same without a session.
 *
 * Throws a `HubApiError`: 400, 403, 409.
 * - 403: The request comes from a page of another origin.
 */
export function signOut(params: Hub): Promise<SuccessAnswer<typeof authentication.signOut>> {
  return call<typeof authentication.signOut>(params, { method: 'POST', path: '/api/sign-out', body: {} });
}

/** Get the ways to sign in to this hub. */
export function getSignInMethods(params: Hub): Promise<SuccessAnswer<typeof authentication.getSignInMethods>> {
  return call<typeof authentication.getSignInMethods>(params, { method: 'GET', path: '/api/sign-in/methods' });
}

/**
 * Request a link by mail that resets a password. With a user name or a confirmed e-mail address. The response is
 * the same whether such a user exists or not; the link goes to the confirmed address of a user who has a password.
 * 409 if the hub mails no links.
 *
 * Throws a `HubApiError`: 400, 403, 409, 429.
 * - 403: The request comes from a page of another origin, or nobody signs in to this hub this way.
 * - 429: Too many failed attempts; `Retry-After` says when to try again.
 */
export function requestReset(
  params: Hub & {
    readonly name: string;
  },
): Promise<SuccessAnswer<typeof authentication.requestReset>> {
  return call<typeof authentication.requestReset>(params, {
    method: 'POST',
    path: '/api/sign-in/reset',
    body: { name: params.name },
  });
}

/**
 * Request a link by mail that creates an account. If `MOONBASE_SIGN_UP` has mail domains, for addresses at these.
 * The response is the same whether an account has the address or not. The link works once, within a day, and
 * creates the account; if an account has the address already, a link that resets its password is mailed instead.
 *
 * Throws a `HubApiError`: 400, 403, 409, 429.
 * - 403: The request comes from a page of another origin, or nobody signs up with such an address.
 * - 429: Too many failed attempts; `Retry-After` says when to try again.
 */
export function signUp(
  params: Hub & {
    readonly email: RouteBody<typeof authentication.signUp>['email'];
  },
): Promise<SuccessAnswer<typeof authentication.signUp>> {
  return call<typeof authentication.signUp>(params, {
    method: 'POST',
    path: '/api/sign-up',
    body: { email: params.email },
  });
}

/**
 * Create a link with which a user sets a password. A link works once and invalidates earlier links of the same
 * purpose. `invite` lasts seven days, `reset` 30 minutes, `setup` 24 hours. Setting the password signs in and ends
 * all other sessions of the user.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function createUserLink(
  params: Hub & {
    readonly username: string;
    readonly purpose: RouteBody<typeof links.createUserLink>['purpose'];
  },
): Promise<SuccessAnswer<typeof links.createUserLink>> {
  return call<typeof links.createUserLink>(params, {
    method: 'POST',
    path: '/api/admin/users/{username}/links',
    params: { username: params.username },
    body: { purpose: params.purpose },
  });
}

/**
 * Get the purpose of a link. Does not use the link.
 *
 * Throws a `HubApiError`: 400, 404, 410.
 * - 410: The link has been used, has expired or was replaced.
 */
export function getLink(
  params: Hub & {
    readonly code: string;
  },
): Promise<SuccessAnswer<typeof links.getLink>> {
  return call<typeof links.getLink>(params, {
    method: 'GET',
    path: '/api/links/{code}',
    params: { code: params.code },
  });
}

/**
 * Use a link: set the password and sign in. `name` changes the name of the user, for the purposes `setup` and
 * `invite` only. With `sign-up`, it is required: the link creates a user with this name and the address that
 * received the link. 409 if the name or the address is taken.
 *
 * Throws a `HubApiError`: 400, 403, 404, 409, 410.
 * - 403: The request comes from a page of another origin, or the hub no longer lets this address sign up.
 * - 410: The link has been used, has expired or was replaced.
 */
export function useLink(
  params: Hub & {
    readonly code: string;
    /** At most 1,024 bytes of UTF-8. */
    readonly password: string;
    readonly name?: string | undefined;
  },
): Promise<SuccessAnswer<typeof links.useLink>> {
  return call<typeof links.useLink>(params, {
    method: 'POST',
    path: '/api/links/{code}',
    params: { code: params.code },
    body: { password: params.password, name: params.name },
  });
}

/**
 * Use a link that confirms an e-mail address. For links of the purpose `email`, which are mailed. Does not sign
 * in. 409 if another user has the address.
 *
 * Throws a `HubApiError`: 400, 403, 404, 409, 410.
 * - 403: The request comes from a page of another origin.
 * - 410: The link has been used, has expired or was replaced.
 */
export function confirmEmail(
  params: Hub & {
    readonly code: string;
  },
): Promise<SuccessAnswer<typeof links.confirmEmail>> {
  return call<typeof links.confirmEmail>(params, {
    method: 'POST',
    path: '/api/links/{code}/confirm',
    params: { code: params.code },
    body: {},
  });
}
