export { createDeliver } from './deliver.ts';
export { createDeliveryWorker, type DeliveryWorker } from './delivery-worker.ts';
export { createDeliveryLog, type DeliveryLog } from './log.ts';
export { createDeliveryReaction, followNames } from './reactions.ts';
export { createRecord } from './record.ts';
export { createRecorder } from './recorder.ts';
export { webhookRoutes } from './routes.ts';
export { createSend } from './send.ts';
export { createWebhooks, type Webhooks } from './service.ts';
