import type * as routes from '@moonbase/contract/notifications/notifications';
import { eventsIn } from './event-stream.ts';
import type { RouteQuery, SuccessAnswer } from './operation.ts';
import { call, type Hub, send, urlOf } from './request.ts';

type Page = SuccessAnswer<typeof routes.listNotifications>;

/** Which notifications; without any, all of them. Times as `2026-01-31T12:00:00.000Z`. */
export type NotificationFilters = Omit<RouteQuery<typeof routes.listNotifications>, 'p'>;

/**
 * One page of notifications, 25 from `page` 0 on, with the counters. Throws a `HubApiError`: 400, 401, 403.
 *
 * ```ts
 * const { count } = await getNotificationPage({ hubUrl, accessToken, readStatus: 'unread' });
 * ```
 */
export function getNotificationPage(
  params: Hub & NotificationFilters & { readonly page?: number | undefined },
): Promise<Page> {
  const { page: p, readStatus, repoType, repoName, postAuthor, paperId, articleId, mention, lastUpdate } = params;
  return call<typeof routes.listNotifications>(params, {
    method: 'GET',
    path: '/api/notifications',
    query: { p, readStatus, repoType, repoName, postAuthor, paperId, articleId, mention, lastUpdate },
  });
}

/** Every notification that matches, the latest update first, over all pages. Throws a `HubApiError`: 400, 401, 403. */
export async function* listNotifications(
  params: Hub & NotificationFilters,
): AsyncGenerator<Page['notifications'][number], void, undefined> {
  for (let page = 0, seen = 0; ; page++) {
    const { notifications, count } = await getNotificationPage({ ...params, page });
    yield* notifications;
    seen += PAGE_SIZE;
    if (!(seen < count.view)) return;
  }
}

const PAGE_SIZE = 25;

type Events = routes.NotificationEvents;

/** What a stream says: the counters first and at every change, and each notification that is new or has news. */
export type NotificationEvent = {
  [Name in keyof Events]: { readonly event: Name; readonly data: Events[Name] };
}[keyof Events];

/**
 * Events as they come, until the hub stops, the connection breaks or `signal` aborts; a new call goes on with the
 * counters. Throws a `HubApiError`: 401, 403, 429.
 */
export async function* streamNotifications(params: Hub): AsyncGenerator<NotificationEvent, void, undefined> {
  const response = await send(params, urlOf(params, { path: '/api/notifications/stream' }), { method: 'GET' });
  for await (const { event, data } of eventsIn(response)) yield { event, data: JSON.parse(data) } as NotificationEvent;
}
