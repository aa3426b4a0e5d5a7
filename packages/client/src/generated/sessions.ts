// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as sessions from '@moonbase/contract/sign-in/sessions';
import type { Entry, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type SignInEntry = SuccessAnswer<typeof sessions.listOwnSignIns>[number];

export type Session = SuccessAnswer<typeof sessions.listSessions>[number];

/**
 * List the sign-ins of the caller and those that were refused, newest first. Entries are kept for 90 days.
 * Attempts that had to wait (429) are not among them. Returns the entries of all pages, asking for `pageSize` at a
 * time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listOwnSignIns(
  params: Hub & {
    readonly outcome?: RouteQuery<typeof sessions.listOwnSignIns>['outcome'];
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof sessions.listOwnSignIns>, void, undefined> {
  return entriesOf<typeof sessions.listOwnSignIns>(params, {
    method: 'GET',
    path: '/api/settings/sign-ins',
    query: { outcome: params.outcome, limit: params.pageSize },
  });
}

/**
 * List who signed in and who was refused, newest first. Entries are kept for 90 days. Attempts that had to wait
 * (429) are not among them. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 * - 404: There is no user of this name.
 */
export function listSignIns(
  params: Hub & {
    /** Only the sign-ins of this user. */
    readonly user?: string | undefined;
    readonly outcome?: RouteQuery<typeof sessions.listSignIns>['outcome'];
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof sessions.listSignIns>, void, undefined> {
  return entriesOf<typeof sessions.listSignIns>(params, {
    method: 'GET',
    path: '/api/admin/sign-ins',
    query: { user: params.user, outcome: params.outcome, limit: params.pageSize },
  });
}

/**
 * List the sessions of the caller, last used first.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listSessions(params: Hub): Promise<SuccessAnswer<typeof sessions.listSessions>> {
  return call<typeof sessions.listSessions>(params, { method: 'GET', path: '/api/settings/sessions' });
}

/**
 * End a session. Takes effect with the next request; open streams of the session end within a second.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function endSession(
  params: Hub & {
    readonly sessionId: string;
  },
): Promise<SuccessAnswer<typeof sessions.endSession>> {
  return call<typeof sessions.endSession>(params, {
    method: 'DELETE',
    path: '/api/settings/sessions/{sessionId}',
    params: { sessionId: params.sessionId },
  });
}

/**
 * End all sessions of the caller except that of this request.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function endOtherSessions(params: Hub): Promise<SuccessAnswer<typeof sessions.endOtherSessions>> {
  return call<typeof sessions.endOtherSessions>(params, { method: 'DELETE', path: '/api/settings/sessions' });
}

/**
 * Set a new password. Needs a session that began with a password or a link. `current` is required unless the
 * session is younger than ten minutes. All other sessions end.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409, 429.
 * - 429: Too many failed attempts; `Retry-After` says when to try again.
 */
export function setPassword(
  params: Hub & {
    /** At most 1,024 bytes of UTF-8. */
    readonly password: string;
    /** At most 1,024 bytes of UTF-8. */
    readonly current?: string | undefined;
  },
): Promise<SuccessAnswer<typeof sessions.setPassword>> {
  return call<typeof sessions.setPassword>(params, {
    method: 'PUT',
    path: '/api/settings/password',
    body: { password: params.password, current: params.current },
  });
}

/**
 * List the sessions of a user, last used first.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listUserSessions(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof sessions.listUserSessions>> {
  return call<typeof sessions.listUserSessions>(params, {
    method: 'GET',
    path: '/api/admin/users/{username}/sessions',
    params: { username: params.username },
  });
}

/**
 * End a session of a user. Takes effect with the next request; open streams of the session end within a second.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function endUserSession(
  params: Hub & {
    readonly username: string;
    readonly sessionId: string;
  },
): Promise<SuccessAnswer<typeof sessions.endUserSession>> {
  return call<typeof sessions.endUserSession>(params, {
    method: 'DELETE',
    path: '/api/admin/users/{username}/sessions/{sessionId}',
    params: { username: params.username, sessionId: params.sessionId },
  });
}

/**
 * End all sessions of a user.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function endUserSessions(
  params: Hub & {
    readonly username: string;
  },
): Promise<SuccessAnswer<typeof sessions.endUserSessions>> {
  return call<typeof sessions.endUserSessions>(params, {
    method: 'DELETE',
    path: '/api/admin/users/{username}/sessions',
    params: { username: params.username },
  });
}
