export { createNotificationParts } from './assembly.ts';
export { pruneNotificationsTask } from './clean-up/prune.ts';
export type { CleanUp } from './clean-up/reactions.ts';
export type { FanOut, QueueMails } from './fan-out/fan-out.ts';
export { notificationRoutes } from './routes.ts';
export { NOTIFICATIONS_BACKUP } from './tables.ts';
export { previewInvalidation } from './thread-previews/invalidate-previews.ts';
