export { createWebhookParts } from './assembly.ts';
export { createDeadDeliveries } from './delivery/dead-deliveries.ts';
export { shiftDueAfterClockSkew, waitingDeliveries } from './delivery/queue-store.ts';
export { countDeliveries } from './log/counts.ts';
export { purgeWebhook } from './log/prune.ts';
export { countSuspended, receiverFailures } from './log/receiver-failures.ts';
export { webhookRoutes } from './routes.ts';
export { changeOwner } from './subscriptions/history.ts';
export { followAccountNames, followNames } from './subscriptions/rename-watched.ts';
