export { createNotificationParts } from './assembly.ts';
export { pruneNotificationsTask } from './clean-up/prune.ts';
export type { Removal } from './clean-up/removal.ts';
export type { FanOut, QueueMails } from './fan-out/fan-out.ts';
export { notificationRoutes } from './routes.ts';
export { previewInvalidation } from './thread-previews/invalidate-previews.ts';
