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

/** A webhook of somebody, with a receiver behind its URL. */
export interface Ear extends AsyncDisposable {
  readonly webhookId: string;
  readonly receiver: Receiver;
  /** Runs what is due; the payloads that came since the last time asked, in the order of what happened. */
  heard(): Promise<WebhookPayload[]>;
  /** The same as `repo/create alice/letters`. */
  news(): Promise<string[]>;
  /** The webhook as its owner sees it now. */
  webhook(): Promise<Webhook>;
  /** Its delivery log as its owner sees it now, newest first. */
  log(filters?: DeliveryFilters): Promise<Delivery[]>;
  /** The newest entry of the log. */
  newest(): Promise<Delivery>;
}

type Options = Partial<Omit<WebhookInput, 'watched' | 'url'>>;

/** A webhook of the owner on what is given, for both domains unless said, with a receiver behind it. */
export async function listen(
  hub: TestHub,
  owner: Connection,
  watched: WatchedInput[],
  options: Options = {},
): Promise<Ear> {
  const receiver = await startReceiver();
  const { webhook } = await createWebhook({
    ...owner,
    webhook: { url: receiver.url, watched, domains: ['repo', 'discussion'], ...options },
  });
  const one = { ...owner, webhookId: webhook.id };
  const deliveryId = (headers: Record<string, unknown>) => String(headers['webhook-id']);
  const log = (filters: DeliveryFilters = {}) => collect(listDeliveries({ ...one, ...filters }));
  async function heard(): Promise<WebhookPayload[]> {
    await hub.drain();
    // Deliveries are sent side by side; their ids are in the order of the events.
    return (
      receiver.received
        .splice(0)
        .sort((a, b) => (deliveryId(a.headers) < deliveryId(b.headers) ? -1 : 1))
        // Parsed here once more: with every key that came, not only the declared ones.
        .map(({ text }) => JSON.parse(text) as WebhookPayload)
    );
  }
  return {
    webhookId: webhook.id,
    receiver,
    heard,
    news: async () => (await heard()).map(({ event, repo }) => `${event.scope}/${event.action} ${repo.name}`),
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

/** The refusal that an attempt must end in. */
export async function refusal(attempt: Promise<unknown>): Promise<HubApiError> {
  const outcome = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (outcome instanceof HubApiError) return outcome;
  throw new Error('This should have been refused', { cause: outcome });
}
