import * as contract from '@moonbase/contract/notifications/notifications';
import { authorize } from '../access/index.ts';
import { answerWithEtag } from '../platform/http/etag.ts';
import type { Routes } from '../platform/http/route.ts';
import type { DoneNotifications } from './done/done.ts';
import type { Notifications } from './inbox/service.ts';
import type { NotificationStreams } from './stream.ts';

interface Services {
  readonly notifications: Notifications;
  readonly done: DoneNotifications;
  readonly streams: NotificationStreams;
}

export function notificationRoutes(routes: Routes, { notifications, done, streams }: Services): void {
  routes.add(contract.listNotifications, async ({ caller, query, header }) =>
    answerWithEtag(await notifications.list(caller, query), header('if-none-match')),
  );
  routes.add(contract.deleteNotifications, async ({ caller, query, body }) => ({
    success: true as const,
    count: await notifications.delete(caller, query, body.discussionIds ?? []),
  }));
  routes.add(contract.markNotifications, async ({ caller, query, body }) => ({
    success: true as const,
    count: await notifications.mark(caller, query, body.discussionIds, body.read),
  }));
  routes.add(contract.listDoneNotifications, async ({ caller, query, header }) =>
    answerWithEtag(await done.list(caller, query), header('if-none-match')),
  );
  routes.add(contract.restoreNotifications, async ({ caller, body }) => ({
    success: true as const,
    count: await done.restore(caller, body.discussionIds),
  }));
  routes.add(contract.streamNotifications, (request) =>
    routes.stream(
      request,
      streams.open(request.caller, async () => {
        const caller = await routes.callerOf(request);
        authorize(caller.principal, contract.streamNotifications.authority);
        return caller;
      }),
    ),
  );
}
