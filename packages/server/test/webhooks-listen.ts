import { HubApiError } from '@moonbase/client/errors';
import {
  createWebhook,
  type Delivery,
  type DeliveryFilters,
  getWebhook,
  listDeliveries,
  type Webhook,
  type WebhookInput,
} from '@moonbase/client/webhooks';
import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';
import type { WatchedInput } from '@moonbase/contract/webhooks/webhooks';
import { type Connection, collect, type TestHub } from './harness.ts';
import { type Receiver, startReceiver } from './receiver.ts';

/** A webhook with a receiver at its URL. */
export interface Listener extends AsyncDisposable {
  readonly webhookId: string;
  readonly receiver: Receiver;
  /** Runs everything that is due; returns the payloads received since the last call, in the order of their events. */
  payloads(): Promise<WebhookPayload[]>;
  /** Does the same, but returns each payload as text: `repo/create alice/letters`. */
  events(): Promise<string[]>;
  /** Returns the webhook as its owner sees it now. */
  webhook(): Promise<Webhook>;
  /** Returns the delivery log as the owner sees it now, newest first. */
  log(filters?: DeliveryFilters): Promise<Delivery[]>;
  /** Returns the newest entry of the log. */
  newest(): Promise<Delivery>;
}

/** What tests of a listener of one owner work with; ends the listener and the hub. */
export const listening = (hub: TestHub, owner: Connection, listener: Listener) => ({
  hub,
  listener,
  receiver: listener.receiver,
  one: { ...owner, webhookId: listener.webhookId },
  now: () => new Date(hub.clock.now()).toISOString(),
  async [Symbol.asyncDispose]() {
    await listener[Symbol.asyncDispose]();
    await hub[Symbol.asyncDispose]();
  },
});

type Options = Partial<Omit<WebhookInput, 'watched' | 'url'>>;

/** Creates a webhook, for both domains by default, and starts a receiver at its URL. */
export async function listen(
  hub: TestHub,
  owner: Connection,
  watched: WatchedInput[],
  options: Options = {},
): Promise<Listener> {
  const receiver = await startReceiver();
  const { webhook } = await createWebhook({
    ...owner,
    webhook: { url: receiver.url, watched, domains: ['repo', 'discussion'], ...options },
  });
  const one = { ...owner, webhookId: webhook.id };
  const deliveryId = (headers: Record<string, unknown>) => String(headers['webhook-id']);
  const log = (filters: DeliveryFilters = {}) => collect(listDeliveries({ ...one, ...filters }));
  async function payloads(): Promise<WebhookPayload[]> {
    await hub.drain();
    // Deliveries are sent concurrently; their ids are in the order of the events.
    return (
      receiver.received
        .splice(0)
        .sort((a, b) => (deliveryId(a.headers) < deliveryId(b.headers) ? -1 : 1))
        // Parsed again, with every key that was sent, not only the declared ones.
        .map(({ text }) => JSON.parse(text) as WebhookPayload)
    );
  }
  return {
    webhookId: webhook.id,
    receiver,
    payloads,
    events: async () => (await payloads()).map(({ event, repo }) => `${event.scope}/${event.action} ${repo.name}`),
    webhook: async () => (await getWebhook(one)).webhook,
    log,
    async newest() {
      const [entry] = await log();
      if (!entry) throw new Error('The delivery log is empty');
      return entry;
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

/** Returns the error with which the hub refuses an attempt; throws if the attempt succeeds. */
export async function refusal(attempt: Promise<unknown>): Promise<HubApiError> {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof HubApiError) return outcome;
  throw new Error('This should have been refused', { cause: outcome });
}
