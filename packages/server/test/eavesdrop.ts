import { createWebhook } from '@moonbase/client/webhooks';
import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';
import type { Connection, TestHub } from './harness.ts';
import { startReceiver } from './receiver.ts';

/** Receives every event about the property of one account. */
export interface Listener extends AsyncDisposable {
  /** Drains the hub; returns the payloads since the last call, in the order of their events. */
  payloads(): Promise<WebhookPayload[]>;
  /** Returns the events of the same payloads, as `scope/action`. */
  events(): Promise<string[]>;
}

/** Creates a receiver, and a webhook of the caller on all property of a user or an organization. */
export async function eavesdrop(
  hub: TestHub,
  caller: Connection,
  watched: { type: 'user' | 'org'; name: string },
): Promise<Listener> {
  const receiver = await startReceiver();
  await createWebhook({
    ...caller,
    webhook: { url: receiver.url, watched: [watched], domains: ['repo', 'discussion'] },
  });
  const deliveryId = (headers: Record<string, unknown>) => String(headers['webhook-id']);
  async function payloads(): Promise<WebhookPayload[]> {
    await hub.drain();
    // Deliveries are sent concurrently; their ids have the order of the events.
    return receiver.received
      .splice(0)
      .sort((a, b) => (deliveryId(a.headers) < deliveryId(b.headers) ? -1 : 1))
      .map(({ payload }) => payload);
  }
  return {
    payloads,
    events: async () => (await payloads()).map(({ event }) => `${event.scope}/${event.action}`),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}
