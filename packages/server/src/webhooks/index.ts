export { createDeliver } from './deliver.ts';
export { createDeliveryWorker, type DeliveryWorker } from './delivery-worker.ts';
export { createDeliveryLog, type DeliveryLog } from './log.ts';
export { createDeliveryReaction, followNames } from './reactions.ts';
export { createReplayStep } from './replay-task.ts';
export { createReplays, type Replays } from './replays.ts';
export { createRetention, purgeWebhook } from './retention.ts';
export { webhookRoutes } from './routes.ts';
export { createWebhooks, type Webhooks } from './service.ts';
