import { createWebhook } from '@moonbase/client/webhooks';
import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';
import type { Connection, TestHub } from './harness.ts';
import { startReceiver } from './receiver.ts';

/** Hears of everything that happens to what one account owns. */
export interface Listener extends AsyncDisposable {
  /** The payloads since the last time asked, in the order of what happened. */
  heard(): Promise<WebhookPayload[]>;
  /** The same as `scope/action`. */
  events(): Promise<string[]>;
}

/** A webhook of the caller on all that a user or organization owns, with a receiver behind it. */
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
  async function heard(): Promise<WebhookPayload[]> {
    await hub.drain();
    // Deliveries are sent side by side; their ids are in the order of the events.
    return receiver.received
      .splice(0)
      .sort((a, b) => (deliveryId(a.headers) < deliveryId(b.headers) ? -1 : 1))
      .map(({ payload }) => payload);
  }
  return {
    heard,
    events: async () => (await heard()).map(({ event }) => `${event.scope}/${event.action}`),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}
