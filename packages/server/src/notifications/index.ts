export { createNotificationRetention } from './clean-up/prune.ts';
export { createRemoval } from './clean-up/removal.ts';
export { createHiding } from './clean-up/suspend.ts';
export { createFanOut, type QueueMails } from './fan-out/fan-out.ts';
export { createInboxes, type Inboxes } from './inbox/inboxes.ts';
export { createNotifications, type Notifications } from './inbox/service.ts';
export { notificationRoutes } from './routes.ts';
export { createNotificationStreams, type NotificationStreams } from './stream.ts';
export { forgetting } from './thread-previews/invalidate-previews.ts';
