import type * as routes from '@moonbase/contract/notifications/notifications';
import type { RouteQuery, SuccessAnswer } from '../operation.ts';
import { call, type Hub, send, urlOf } from '../request.ts';
import { type NamedEvent, namedEventsIn } from '../streams/event-stream.ts';

type Page = SuccessAnswer<typeof routes.listNotifications>;

/**
 * Filters of the list of notifications; without any, all are listed. Times have the form `2026-01-31T12:00:00.000Z`.
 */
export type NotificationFilters = Omit<RouteQuery<typeof routes.listNotifications>, 'p' | 'reasons'>;

/**
 * Returns a page of 25 notifications, counted from 0, with the counters. Throws a `HubApiError`: 400, 401, 403.
 *
 * ```ts
 * const { count } = await getNotificationPage({ hubUrl, accessToken, readStatus: 'unread' });
 * ```
 */
export function getNotificationPage(
  params: Hub & NotificationFilters & { readonly page?: number | undefined; readonly reasons?: boolean | undefined },
): Promise<Page> {
  const {
    page: p,
    reasons,
    readStatus,
    repoType,
    repoName,
    postAuthor,
    paperId,
    articleId,
    mention,
    lastUpdate,
  } = params;
  return call<typeof routes.listNotifications>(params, {
    method: 'GET',
    path: '/api/notifications',
    query: { p, reasons, readStatus, repoType, repoName, postAuthor, paperId, articleId, mention, lastUpdate },
  });
}

/**
 * Yields all matching notifications, most recently updated first, from all pages. Throws a `HubApiError`: 400, 401,
 * 403.
 */
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

/** An event of the stream: the counters, at first and after every change, or a new or updated notification. */
export type NotificationEvent = NamedEvent<Events>;

/**
 * Yields events as they arrive, until the hub stops, the connection breaks or `signal` aborts; a new call begins with
 * the counters. Throws a `HubApiError`: 401, 403, 429.
 */
export async function* streamNotifications(params: Hub): AsyncGenerator<NotificationEvent, void, undefined> {
  const response = await send(params, urlOf(params, { path: '/api/notifications/stream' }), { method: 'GET' });
  yield* namedEventsIn<Events>(response);
}
