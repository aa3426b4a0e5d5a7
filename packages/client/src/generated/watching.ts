// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as watching from '@moonbase/contract/notifications/watching';
import type { Entry, RouteBody, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type Watched = SuccessAnswer<typeof watching.listWatched>[number];

export type Muted = SuccessAnswer<typeof watching.listMuted>[number];

/**
 * Update watch settings. Watched targets notify the caller of discussions. An item in both lists is added.
 * Deleting a missing item is not an error.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 404: Something to add is not there, or not visible to the caller. Nothing has changed.
 */
export function updateWatched(
  params: Hub & {
    readonly add?: RouteBody<typeof watching.updateWatched>['add'];
    readonly delete?: RouteBody<typeof watching.updateWatched>['delete'];
  },
): Promise<SuccessAnswer<typeof watching.updateWatched>> {
  return call<typeof watching.updateWatched>(params, {
    method: 'PATCH',
    path: '/api/settings/watch',
    body: { add: params.add, delete: params.delete },
  });
}

/**
 * List watched targets, newest first. Omits targets that the caller may not see. Returns the entries of all pages,
 * asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listWatched(
  params: Hub & {
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof watching.listWatched>, void, undefined> {
  return entriesOf<typeof watching.listWatched>(params, {
    method: 'GET',
    path: '/api/settings/watch',
    query: { limit: params.pageSize },
  });
}

/**
 * Mute and unmute repositories and threads. A muted repository notifies only of mentions and of threads in which
 * the caller participates; a muted discussion, paper, post or article never notifies. An item in both lists is
 * added. Deleting a missing item is not an error.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 * - 404: Something to add is not there, or not visible to the caller. Nothing has changed.
 */
export function updateMuted(
  params: Hub & {
    readonly add?: RouteBody<typeof watching.updateMuted>['add'];
    readonly delete?: RouteBody<typeof watching.updateMuted>['delete'];
  },
): Promise<SuccessAnswer<typeof watching.updateMuted>> {
  return call<typeof watching.updateMuted>(params, {
    method: 'PATCH',
    path: '/api/settings/mute',
    body: { add: params.add, delete: params.delete },
  });
}

/**
 * List muted targets, newest first. Omits targets that the caller may not see. Returns the entries of all pages,
 * asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listMuted(
  params: Hub & {
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof watching.listMuted>, void, undefined> {
  return entriesOf<typeof watching.listMuted>(params, {
    method: 'GET',
    path: '/api/settings/mute',
    query: { limit: params.pageSize },
  });
}
