// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as applications from '@moonbase/contract/oauth/applications';
import type * as grants from '@moonbase/contract/oauth/grants';
import type { RouteBody, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type Application = SuccessAnswer<typeof applications.listApplications>[number];

export type OauthGrant = SuccessAnswer<typeof grants.listGrants>[number];

/**
 * List the applications that the caller registered, newest first.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listApplications(params: Hub): Promise<SuccessAnswer<typeof applications.listApplications>> {
  return call<typeof applications.listApplications>(params, { method: 'GET', path: '/api/settings/applications' });
}

/**
 * Register an application that users can authorize. A confidential application gets a `clientSecret`, which is
 * shown only once.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 * - 409: The caller has 50 applications, the most.
 */
export function createApplication(
  params: Hub & {
    readonly name: string;
    readonly redirectUris?: RouteBody<typeof applications.createApplication>['redirectUris'];
    readonly scopes?: RouteBody<typeof applications.createApplication>['scopes'];
    /** The lifetime of access tokens. */
    readonly tokenMinutes?: number | undefined;
    readonly confidential?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof applications.createApplication>> {
  return call<typeof applications.createApplication>(params, {
    method: 'POST',
    path: '/api/settings/applications',
    body: {
      name: params.name,
      redirectUris: params.redirectUris,
      scopes: params.scopes,
      tokenMinutes: params.tokenMinutes,
      confidential: params.confidential,
    },
  });
}

/**
 * Change an application. Existing authorizations of users do not change.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateApplication(
  params: Hub & {
    readonly clientId: string;
    readonly change: RouteBody<typeof applications.updateApplication>;
  },
): Promise<SuccessAnswer<typeof applications.updateApplication>> {
  return call<typeof applications.updateApplication>(params, {
    method: 'PATCH',
    path: '/api/settings/applications/{clientId}',
    params: { clientId: params.clientId },
    body: params.change,
  });
}

/**
 * Delete an application. All its tokens are unknown from the next request on.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteApplication(
  params: Hub & {
    readonly clientId: string;
  },
): Promise<SuccessAnswer<typeof applications.deleteApplication>> {
  return call<typeof applications.deleteApplication>(params, {
    method: 'DELETE',
    path: '/api/settings/applications/{clientId}',
    params: { clientId: params.clientId },
  });
}

/**
 * List the applications that may act for the caller, newest first.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listGrants(params: Hub): Promise<SuccessAnswer<typeof grants.listGrants>> {
  return call<typeof grants.listGrants>(params, { method: 'GET', path: '/api/settings/grants' });
}

/**
 * Revoke the authorization of an application by the caller. Its tokens, and the access tokens that the application
 * created, are unknown from the next request on, and open streams end within a second.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function endGrant(
  params: Hub & {
    readonly grantId: string;
  },
): Promise<SuccessAnswer<typeof grants.endGrant>> {
  return call<typeof grants.endGrant>(params, {
    method: 'DELETE',
    path: '/api/settings/grants/{grantId}',
    params: { grantId: params.grantId },
  });
}

/**
 * List the applications that may act for a user, newest first.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listUserGrants(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof grants.listUserGrants>> {
  return call<typeof grants.listUserGrants>(params, {
    method: 'GET',
    path: '/api/admin/users/{username}/grants',
    params: { username: params.username },
  });
}

/**
 * Revoke the authorization of an application by a user. Its tokens, and the access tokens that the application
 * created, are unknown from the next request on, and open streams end within a second.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function endUserGrant(
  params: Hub & {
    readonly username: string;
    readonly grantId: string;
  },
): Promise<SuccessAnswer<typeof grants.endUserGrant>> {
  return call<typeof grants.endUserGrant>(params, {
    method: 'DELETE',
    path: '/api/admin/users/{username}/grants/{grantId}',
    params: { username: params.username, grantId: params.grantId },
  });
}
