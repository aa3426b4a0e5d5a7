export { createNotificationParts } from './assembly.ts';
export type { Removal } from './clean-up/removal.ts';
export type { QueueMails } from './fan-out/fan-out.ts';
export { notificationRoutes } from './routes.ts';
export { previewInvalidation } from './thread-previews/invalidate-previews.ts';
