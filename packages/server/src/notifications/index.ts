export { forgetting } from './forgetting.ts';
export { createHiding } from './hiding.ts';
export { createInboxes, type Inboxes } from './inboxes.ts';
export { createFanOut, type QueueMails } from './reactions.ts';
export { createRemoval } from './removal.ts';
export { createNotificationRetention } from './retention.ts';
export { notificationRoutes } from './routes.ts';
export { createNotifications, type Notifications } from './service.ts';
export { createNotificationStreams, type NotificationStreams } from './stream.ts';
