import { createWebhook } from '@moonbase/client/webhooks';
import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';
import type { Connection, TestHub } from './harness.ts';
import { startReceiver } from './receiver.ts';

/** Receives every event of what one account owns. */
export interface Listener extends AsyncDisposable {
  /** Drains the hub. Returns the payloads since the last call, in the order of their events. */
  payloads(): Promise<WebhookPayload[]>;
  /** Returns the events of the same payloads, as `scope/action`. */
  events(): Promise<string[]>;
}

/** Creates a webhook of the caller on everything that a user or an organization owns, and a receiver for it. */
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
