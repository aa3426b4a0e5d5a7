// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as consent from '@moonbase/contract/oauth/consent';
import type * as discovery from '@moonbase/contract/oauth/discovery';
import type * as protocol from '@moonbase/contract/oauth/protocol';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type DeviceAuthorization = SuccessAnswer<typeof protocol.beginDeviceLogin>;

export type OauthTokens = SuccessAnswer<typeof protocol.exchangeForTokens>;

export type UserInfo = SuccessAnswer<typeof protocol.getUserInfo>;

export type ProviderMetadata = SuccessAnswer<typeof discovery.getOpenidConfiguration>;

export type SigningKeys = SuccessAnswer<typeof discovery.getSigningKeys>;

export type DeviceLogin = SuccessAnswer<typeof consent.getDeviceLogin>;

export type AuthorizationAsked = SuccessAnswer<typeof consent.getAuthorization>;

/**
 * Begin a login of a program without a browser. RFC 8628: the user opens `verification_uri` and types `user_code`,
 * while the program polls for tokens.
 *
 * Throws a `HubApiError`: 400, 401, 409, 429.
 * - 401: `invalid_client`: no application has this id and secret.
 * - 429: Too many logins wait for their person at the address of the caller.
 */
export function beginDeviceLogin(
  params: Hub & {
    readonly client_id?: string | undefined;
    readonly client_secret?: string | undefined;
    readonly scope?: string | undefined;
  },
): Promise<SuccessAnswer<typeof protocol.beginDeviceLogin>> {
  return call<typeof protocol.beginDeviceLogin>(params, {
    method: 'POST',
    path: '/oauth/device',
    body: { client_id: params.client_id, client_secret: params.client_secret, scope: params.scope },
  });
}

/**
 * Exchange a code, a refresh token or the token of a trusted publisher for tokens. Grants: `authorization_code`,
 * `refresh_token`, `urn:ietf:params:oauth:grant-type:device_code` and
 * `urn:ietf:params:oauth:grant-type:token-exchange` (RFC 8693), with which a trusted publisher sends
 * `subject_token`, its type and the `resource`.
 *
 * Throws a `HubApiError`: 400, 401, 409.
 * - 401: `invalid_client`: no application has this id and secret.
 */
export function exchangeForTokens(
  params: Hub & {
    readonly client_id?: string | undefined;
    readonly client_secret?: string | undefined;
    readonly grant_type?: string | undefined;
    readonly device_code?: string | undefined;
    readonly code?: string | undefined;
    readonly redirect_uri?: string | undefined;
    readonly code_verifier?: string | undefined;
    readonly refresh_token?: string | undefined;
    readonly subject_token?: string | undefined;
    readonly subject_token_type?: string | undefined;
    readonly resource?: string | undefined;
  },
): Promise<SuccessAnswer<typeof protocol.exchangeForTokens>> {
  return call<typeof protocol.exchangeForTokens>(params, {
    method: 'POST',
    path: '/oauth/token',
    body: {
      client_id: params.client_id,
      client_secret: params.client_secret,
      grant_type: params.grant_type,
      device_code: params.device_code,
      code: params.code,
      redirect_uri: params.redirect_uri,
      code_verifier: params.code_verifier,
      refresh_token: params.refresh_token,
      subject_token: params.subject_token,
      subject_token_type: params.subject_token_type,
      resource: params.resource,
    },
  });
}

/**
 * Revoke a token of an application, and all tokens of the same authorization. RFC 7009. The response is the same
 * for an unknown token.
 *
 * Throws a `HubApiError`: 400, 401, 409.
 * - 401: `invalid_client`: no application has this id and secret.
 */
export function revokeOauthToken(
  params: Hub & {
    readonly client_id?: string | undefined;
    readonly client_secret?: string | undefined;
    readonly token?: string | undefined;
    readonly token_type_hint?: string | undefined;
  },
): Promise<SuccessAnswer<typeof protocol.revokeOauthToken>> {
  return call<typeof protocol.revokeOauthToken>(params, {
    method: 'POST',
    path: '/oauth/revoke',
    body: {
      client_id: params.client_id,
      client_secret: params.client_secret,
      token: params.token,
      token_type_hint: params.token_type_hint,
    },
  });
}

/**
 * Get the claims about a user that an application may read. For tokens of applications with the scope `openid`;
 * further claims depend on the other scopes.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function getUserInfo(params: Hub): Promise<SuccessAnswer<typeof protocol.getUserInfo>> {
  return call<typeof protocol.getUserInfo>(params, { method: 'GET', path: '/oauth/userinfo' });
}

/** Get the configuration of OpenID Connect. */
export function getOpenidConfiguration(params: Hub): Promise<SuccessAnswer<typeof discovery.getOpenidConfiguration>> {
  return call<typeof discovery.getOpenidConfiguration>(params, {
    method: 'GET',
    path: '/.well-known/openid-configuration',
  });
}

/** Get the configuration of OAuth 2.0 (RFC 8414). */
export function getAuthorizationServer(params: Hub): Promise<SuccessAnswer<typeof discovery.getAuthorizationServer>> {
  return call<typeof discovery.getAuthorizationServer>(params, {
    method: 'GET',
    path: '/.well-known/oauth-authorization-server',
  });
}

/** Get the keys that id tokens are signed with (RFC 7517). */
export function getSigningKeys(params: Hub): Promise<SuccessAnswer<typeof discovery.getSigningKeys>> {
  return call<typeof discovery.getSigningKeys>(params, { method: 'GET', path: '/oauth/jwks' });
}

/**
 * Get the program that waits for the confirmation of a code. For browsers in which the user is signed in.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 429.
 * - 404: No program is waiting for this code: it has expired, was used, or never was.
 * - 429: Too many codes that never were; `Retry-After` says when to try again.
 */
export function getDeviceLogin(
  params: Hub & {
    /** The code as typed by the user: `ABCD-EFGH`. */
    readonly userCode: string;
  },
): Promise<SuccessAnswer<typeof consent.getDeviceLogin>> {
  return call<typeof consent.getDeviceLogin>(params, {
    method: 'POST',
    path: '/api/oauth/device/request',
    body: { userCode: params.userCode },
  });
}

/**
 * Authorize a program to act for the user, or refuse. For browsers in which the user signed in within the last ten
 * minutes.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409, 429.
 * - 403: With the code `RecentSignInNeeded`: the user signed in longer ago.
 * - 404: No program is waiting for this code: it has expired, was used, or never was.
 * - 429: Too many codes that never were; `Retry-After` says when to try again.
 */
export function decideDeviceLogin(
  params: Hub & {
    /** The code as typed by the user: `ABCD-EFGH`. */
    readonly userCode: string;
    readonly decision: RouteBody<typeof consent.decideDeviceLogin>['decision'];
    /** Names of the organizations that the application may act in. */
    readonly organizations?: RouteBody<typeof consent.decideDeviceLogin>['organizations'];
  },
): Promise<SuccessAnswer<typeof consent.decideDeviceLogin>> {
  return call<typeof consent.decideDeviceLogin>(params, {
    method: 'POST',
    path: '/api/oauth/device/decision',
    body: { userCode: params.userCode, decision: params.decision, organizations: params.organizations },
  });
}

/**
 * Get the authorization that an application requests from a user. For browsers in which the user is signed in. An
 * error 400 must be shown and not sent to the application.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function getAuthorization(
  params: Hub & {
    readonly client_id?: string | undefined;
    readonly redirect_uri?: string | undefined;
    readonly response_type?: string | undefined;
    readonly scope?: string | undefined;
    readonly state?: string | undefined;
    readonly nonce?: string | undefined;
    readonly code_challenge?: string | undefined;
    readonly code_challenge_method?: string | undefined;
    readonly prompt?: string | undefined;
    readonly orgIds?: string | undefined;
  },
): Promise<SuccessAnswer<typeof consent.getAuthorization>> {
  return call<typeof consent.getAuthorization>(params, {
    method: 'GET',
    path: '/api/oauth/authorize',
    query: {
      client_id: params.client_id,
      redirect_uri: params.redirect_uri,
      response_type: params.response_type,
      scope: params.scope,
      state: params.state,
      nonce: params.nonce,
      code_challenge: params.code_challenge,
      code_challenge_method: params.code_challenge_method,
      prompt: params.prompt,
      orgIds: params.orgIds,
    },
  });
}

/**
 * Authorize an application to act for the user, or refuse. For browsers in which the user is signed in. `location`
 * is the next address of the browser.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 */
export function decideAuthorization(
  params: Hub & {
    readonly decision: RouteBody<typeof consent.decideAuthorization>;
  },
): Promise<SuccessAnswer<typeof consent.decideAuthorization>> {
  return call<typeof consent.decideAuthorization>(params, {
    method: 'POST',
    path: '/api/oauth/authorize',
    body: params.decision,
  });
}
