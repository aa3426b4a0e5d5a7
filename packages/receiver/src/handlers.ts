import { isTopic, type SentEvent, topicsOf } from './events.ts';
import type { PayloadOf, Topic, WebhookPayload } from './payload.ts';

/** What a handler gets beside the payload. */
export interface DeliveryContext {
  /** `webhook-id`: the same over all attempts of a delivery. */
  readonly id: string | undefined;
  /** `webhook-timestamp`: when this attempt was sent. */
  readonly sentAt: Date | undefined;
  /** The path of the request, as in `/webhooks/retrain`. */
  readonly path: string;
  /** The event as it was sent; `payload.event` is the known event that it counts as. */
  readonly event: SentEvent;
  /** Returns the value of a header of the request. */
  readonly header: (name: string) => string | undefined;
}

/**
 * Handles a delivery. The JSON of its result is the answer. When it throws, the answer is 500, and the hub tries
 * again later.
 */
export type WebhookHandler<P = WebhookPayload> = (payload: P, context: DeliveryContext) => unknown;

/** Handlers by topic. */
export interface Listeners {
  add<T extends Topic>(topic: T, handler: WebhookHandler<PayloadOf<T>>): void;
  /** Returns the handlers for a payload, in the order of their registration. */
  of(payload: WebhookPayload): WebhookHandler[];
  readonly any: boolean;
}

export function createListeners(): Listeners {
  const listeners: { readonly topic: string; readonly handler: WebhookHandler }[] = [];
  return {
    add(topic, handler) {
      if (!isTopic(topic)) throw new TypeError(`There is no event "${topic}"`);
      // A handler is called with the payloads of its topic only.
      listeners.push({ topic, handler: handler as WebhookHandler });
    },
    of({ event }) {
      if (listeners.length === 0) return [];
      const topics = topicsOf(event);
      return listeners.filter(({ topic }) => topics.includes(topic)).map(({ handler }) => handler);
    },
    get any() {
      return listeners.length > 0;
    },
  };
}
