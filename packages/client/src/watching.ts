import type * as routes from '@moonbase/contract/notifications/watching';
import type { Entry, RouteBody, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { Muted, Watched } from '@moonbase/contract/notifications/watching';

type Paged = Hub & { readonly pageSize?: number | undefined };

/**
 * Changes what the caller watches: users, organizations and repositories, by id or name. What is in both lists is
 * watched. Throws a `HubApiError`: 400, 401, 403, 404, and then nothing has changed.
 *
 * ```ts
 * await updateWatched({ hubUrl, accessToken, add: [{ type: 'org', id: 'acme' }] });
 * ```
 */
export function updateWatched(
  params: Hub & RouteBody<typeof routes.updateWatched>,
): Promise<SuccessAnswer<typeof routes.updateWatched>> {
  const body = { add: params.add, delete: params.delete };
  return call<typeof routes.updateWatched>(params, { method: 'PATCH', path: '/api/settings/watch', body });
}

/** What the caller watches, newest first, over all pages. Throws a `HubApiError`: 401, 403. */
export function listWatched(params: Paged): AsyncGenerator<Entry<typeof routes.listWatched>, void, undefined> {
  const query = { limit: params.pageSize?.toString() };
  return entriesOf<typeof routes.listWatched>(params, { method: 'GET', path: '/api/settings/watch', query });
}

/**
 * Mutes and unmutes: repositories by id or name; discussions, papers, posts and articles by id, all of type
 * `discussion`. Throws a `HubApiError`: 400, 401, 403, 404, and then nothing has changed.
 */
export function updateMuted(
  params: Hub & RouteBody<typeof routes.updateMuted>,
): Promise<SuccessAnswer<typeof routes.updateMuted>> {
  const body = { add: params.add, delete: params.delete };
  return call<typeof routes.updateMuted>(params, { method: 'PATCH', path: '/api/settings/mute', body });
}

/** What the caller has muted, newest first, over all pages. Throws a `HubApiError`: 401, 403. */
export function listMuted(params: Paged): AsyncGenerator<Entry<typeof routes.listMuted>, void, undefined> {
  const query = { limit: params.pageSize?.toString() };
  return entriesOf<typeof routes.listMuted>(params, { method: 'GET', path: '/api/settings/mute', query });
}
