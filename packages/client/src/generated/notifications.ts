// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as notifications from '@moonbase/contract/notifications/notifications';
import type { RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/notifications.ts';

export type Notification = SuccessAnswer<typeof notifications.listNotifications>['notifications'][number];

export type NotificationReason = NonNullable<SuccessAnswer<typeof notifications.listNotifications>['reasons']>[number];

export type NotificationsChanged = SuccessAnswer<typeof notifications.restoreNotifications>;

/**
 * List notifications that are done. Deleted notifications, latest update first, 25 per page, as they were. New
 * activity in a thread makes its notification one of the inbox again.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listDoneNotifications(
  params: Hub & {
    /** Page, from 0. */
    readonly page?: number | undefined;
    readonly readStatus?: RouteQuery<typeof notifications.listDoneNotifications>['readStatus'];
    readonly repoType?: RouteQuery<typeof notifications.listDoneNotifications>['repoType'];
    /** namespace/name */
    readonly repoName?: string | undefined;
    /** Only posts of the user with this name. */
    readonly postAuthor?: string | undefined;
    /** arXiv identifier, also in the form `arXiv:2401.01234v2`, or object id. */
    readonly paperId?: string | undefined;
    /** Object id or slug. */
    readonly articleId?: string | undefined;
    /**
     * `participating`: only threads in which the user wrote or was mentioned; `mentions`: only threads in which the
     * user was mentioned.
     */
    readonly mention?: RouteQuery<typeof notifications.listDoneNotifications>['mention'];
    /** Only notifications updated at or before this time. */
    readonly lastUpdate?: RouteQuery<typeof notifications.listDoneNotifications>['lastUpdate'];
  },
): Promise<SuccessAnswer<typeof notifications.listDoneNotifications>> {
  return call<typeof notifications.listDoneNotifications>(params, {
    method: 'GET',
    path: '/api/notifications/done',
    query: {
      p: params.page,
      readStatus: params.readStatus,
      repoType: params.repoType,
      repoName: params.repoName,
      postAuthor: params.postAuthor,
      paperId: params.paperId,
      articleId: params.articleId,
      mention: params.mention,
      lastUpdate: params.lastUpdate,
    },
  });
}

/**
 * Move deleted notifications back to the inbox. They are as they were, read or unread. A thread with newer
 * activity is in the inbox already, and does not count.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 */
export function restoreNotifications(
  params: Hub & {
    readonly discussionIds: RouteBody<typeof notifications.restoreNotifications>['discussionIds'];
  },
): Promise<SuccessAnswer<typeof notifications.restoreNotifications>> {
  return call<typeof notifications.restoreNotifications>(params, {
    method: 'POST',
    path: '/api/notifications/restore',
    body: { discussionIds: params.discussionIds },
  });
}

/**
 * Delete notifications. Affects the notifications of the given threads regardless of the query, or with
 * `applyToAll` all that match the query. `p` has no effect.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 */
export function deleteNotifications(
  params: Hub & {
    readonly readStatus?: RouteQuery<typeof notifications.deleteNotifications>['readStatus'];
    readonly repoType?: RouteQuery<typeof notifications.deleteNotifications>['repoType'];
    /** namespace/name */
    readonly repoName?: string | undefined;
    /** Only posts of the user with this name. */
    readonly postAuthor?: string | undefined;
    /** arXiv identifier, also in the form `arXiv:2401.01234v2`, or object id. */
    readonly paperId?: string | undefined;
    /** Object id or slug. */
    readonly articleId?: string | undefined;
    /**
     * `participating`: only threads in which the user wrote or was mentioned; `mentions`: only threads in which the
     * user was mentioned.
     */
    readonly mention?: RouteQuery<typeof notifications.deleteNotifications>['mention'];
    /** Only notifications updated at or before this time. */
    readonly lastUpdate?: RouteQuery<typeof notifications.deleteNotifications>['lastUpdate'];
    readonly applyToAll?: boolean | undefined;
    readonly discussionIds?: RouteBody<typeof notifications.deleteNotifications>['discussionIds'];
  },
): Promise<SuccessAnswer<typeof notifications.deleteNotifications>> {
  return call<typeof notifications.deleteNotifications>(params, {
    method: 'DELETE',
    path: '/api/notifications',
    query: {
      readStatus: params.readStatus,
      repoType: params.repoType,
      repoName: params.repoName,
      postAuthor: params.postAuthor,
      paperId: params.paperId,
      articleId: params.articleId,
      mention: params.mention,
      lastUpdate: params.lastUpdate,
      applyToAll: params.applyToAll,
    },
    body: { discussionIds: params.discussionIds },
  });
}

/**
 * Mark notifications as read or unread. Affects the notifications of the given threads regardless of the query, or
 * with `applyToAll` all that match the query. `p` has no effect.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 */
export function markNotifications(
  params: Hub & {
    readonly readStatus?: RouteQuery<typeof notifications.markNotifications>['readStatus'];
    readonly repoType?: RouteQuery<typeof notifications.markNotifications>['repoType'];
    /** namespace/name */
    readonly repoName?: string | undefined;
    /** Only posts of the user with this name. */
    readonly postAuthor?: string | undefined;
    /** arXiv identifier, also in the form `arXiv:2401.01234v2`, or object id. */
    readonly paperId?: string | undefined;
    /** Object id or slug. */
    readonly articleId?: string | undefined;
    /**
     * `participating`: only threads in which the user wrote or was mentioned; `mentions`: only threads in which the
     * user was mentioned.
     */
    readonly mention?: RouteQuery<typeof notifications.markNotifications>['mention'];
    /** Only notifications updated at or before this time. */
    readonly lastUpdate?: RouteQuery<typeof notifications.markNotifications>['lastUpdate'];
    readonly applyToAll?: boolean | undefined;
    readonly discussionIds?: RouteBody<typeof notifications.markNotifications>['discussionIds'];
    readonly read?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof notifications.markNotifications>> {
  return call<typeof notifications.markNotifications>(params, {
    method: 'POST',
    path: '/api/notifications/mark-as-read',
    query: {
      readStatus: params.readStatus,
      repoType: params.repoType,
      repoName: params.repoName,
      postAuthor: params.postAuthor,
      paperId: params.paperId,
      articleId: params.articleId,
      mention: params.mention,
      lastUpdate: params.lastUpdate,
      applyToAll: params.applyToAll,
    },
    body: { discussionIds: params.discussionIds, read: params.read },
  });
}
