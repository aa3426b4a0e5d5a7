import { memoize } from '../../platform/memoize.ts';
import type { SecretBox } from '../../platform/secrets.ts';
import { payloadOf } from '../../repositories/index.ts';
import { headerCanCarry, type SealedColumn, sealedAt } from '../subscriptions/policy.ts';
import type { Sendable } from './delivery-store.ts';
import { isRetried } from './retry.ts';
import { deliveryHeaders, SECRET_NOT_IN_HEADER } from './signature.ts';

/** One event goes to many webhooks: its payload up to the closing brace, as text. */
const openPayload = memoize(100, (eventData) => JSON.stringify(payloadOf(eventData)).slice(0, -1));

/** The body of a delivery: the stored payload, and the webhook it is for. */
export const deliveryBody = (eventData: string, webhookId: string): string =>
  `${openPayload(eventData)},"webhook":${JSON.stringify({ id: webhookId, version: 3 })}}`;

/** Why nothing is sent, or undefined. */
function obstacleTo(delivery: Sendable): string | undefined {
  if (!delivery.ownerEnabled) return 'The owner of this webhook is disabled';
  if (!delivery.readable) return 'The owner of this webhook can no longer read the repository';
  const ready = isRetried(delivery.kind) ? delivery.state === 'enabled' : delivery.state !== 'deleted';
  if (!ready) return 'The webhook is not enabled';
  return undefined;
}

/** What is sent to a receiver. `note`: what its owner should know about it. */
export interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly note: string | null;
}

const UNREADABLE_SECRET =
  'The secret of this webhook is not the one that was stored for it, and cannot be read; set it again';

export type Messages = ReturnType<typeof createMessages>;

/** Composes what is sent, whichever way it goes. */
export function createMessages({ secretBox }: { readonly secretBox: SecretBox }) {
  const opened = memoize(1000, (key) => {
    const [id = '', column = '', sealed = ''] = key.split(' ');
    return secretBox.open(sealed, sealedAt(column as SealedColumn, id));
  });
  const open = (sealed: string | null, column: SealedColumn, id: string) =>
    sealed === null ? undefined : opened(`${id} ${column} ${sealed}`);
  const secretOf = ({ secret, webhookId }: Sendable): string | undefined => open(secret, 'secret', webhookId);
  /** The secret before a rotation, as long as it signs. */
  const oldSecretOf = ({ oldSecret, oldSecretUntil, webhookId }: Sendable, now: number): string | undefined =>
    oldSecretUntil !== null && oldSecretUntil > now ? open(oldSecret, 'old_secret', webhookId) : undefined;

  return {
    /** In clear. */
    secretOf,

    /** Why nothing is sent, or undefined. */
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
