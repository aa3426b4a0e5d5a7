export { createMemoryStore, type DeliveryStore } from './deliveries.ts';
export { EVENT_NAMES, isEvent, type SentEvent } from './events.ts';
export type { DeliveryContext, WebhookHandler } from './handlers.ts';
export type {
  Comment,
  Discussion,
  EventName,
  PayloadOf,
  Repo,
  RepoType,
  Scope,
  Topic,
  UpdatedRef,
  WebhookEvents,
  WebhookPayload,
} from './payload.ts';
export { createReceiver, type Receiver, type ReceiverOptions } from './receiver.ts';
