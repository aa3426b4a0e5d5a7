import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';
import { memoize } from '../../platform/memoize.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import type { JsonText } from '../../platform/stored-form.ts';
import { payloadOf } from '../../repositories/index.ts';
import { headerCanCarry, type SealedColumn, sealedAt } from '../subscriptions/policy.ts';
import type { Sendable } from './delivery-store.ts';
import { isRetried } from './retry.ts';
import { deliveryHeaders, SECRET_NOT_IN_HEADER } from './signature.ts';

/** The payload of an event as JSON without its closing brace, kept because one event goes to many webhooks. */
const openPayload = memoize(100, (eventData) => JSON.stringify(payloadOf(eventData)).slice(0, -1));

/** Returns the body of a delivery: the payload of its event, and the webhook that it is for. */
export const deliveryBody = (eventData: string, webhookId: string): JsonText<WebhookPayload> =>
  `${openPayload(eventData)},"webhook":${JSON.stringify({ id: webhookId, version: 3 })}}`;

/** Returns why a delivery must not be sent; undefined where it may be. */
function obstacleTo(delivery: Sendable): string | undefined {
  if (!delivery.ownerEnabled) return 'The owner of this webhook is disabled';
  if (!delivery.readable) return 'The owner of this webhook can no longer read the repository';
  const ready = isRetried(delivery.kind) ? delivery.state === 'enabled' : delivery.state !== 'deleted';
  if (!ready) return 'The webhook is not enabled';
  return undefined;
}

/** A request to a receiver. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What the owner of the webhook should know about the request; the log shows it. */
  readonly note: string | null;
}

const UNREADABLE_SECRET =
  'The secret of this webhook is not the one that was stored for it, and cannot be read; set it again';

export type Messages = ReturnType<typeof createMessages>;

/** Composes the messages of deliveries, for requests, streams and jobs alike. */
export function createMessages({ secretBox }: { readonly secretBox: SecretBox }) {
  /** Returns the function that opens the sealed values of one column, and keeps those that were asked for last. */
  function openerOf(column: SealedColumn) {
    const opened = memoize(1000, (key) => {
      const [id = '', sealed = ''] = key.split(' ');
      return secretBox.open(sealed, sealedAt(column, id));
    });
    return (sealed: string | null, id: string) => (sealed === null ? undefined : opened(`${id} ${sealed}`));
  }
  const openSecret = openerOf('secret');
  const openOldSecret = openerOf('old_secret');

  /** Returns the secret of a webhook in clear. */
  const secretOf = ({ secret, webhookId }: Sendable): string | undefined => openSecret(secret, webhookId);
  /** Returns the secret before a rotation, in clear, as long as it signs beside the new one. */
  const oldSecretOf = ({ oldSecret, oldSecretUntil, webhookId }: Sendable, now: number): string | undefined =>
    oldSecretUntil !== null && oldSecretUntil > now ? openOldSecret(oldSecret, webhookId) : undefined;

  return {
    secretOf,

    /** Returns why a delivery must not be sent; undefined where it may be. */
    obstacleTo(delivery: Sendable, now: number): string | undefined {
      const obstacle = obstacleTo(delivery);
      if (obstacle !== undefined) return obstacle;
      try {
        secretOf(delivery);
        oldSecretOf(delivery, now);
        return undefined;
      } catch {
        return UNREADABLE_SECRET;
      }
    },

    compose(delivery: Sendable, now: number): Message {
      const body = deliveryBody(delivery.eventData, delivery.webhookId);
      const secret = secretOf(delivery);
      const oldSecret = oldSecretOf(delivery, now);
      const test = delivery.kind === 'test';
      const headers = deliveryHeaders({ deliveryId: delivery.id, body, now, secret, oldSecret, test });
      return { headers, body, note: secret === undefined || headerCanCarry(secret) ? null : SECRET_NOT_IN_HEADER };
    },
  };
}
