import { createHmac } from 'node:crypto';
import { headerCanCarry } from '../subscriptions/policy.ts';

interface Message {
  readonly deliveryId: string;
  readonly body: string;
  readonly now: number;
  /** The secret in clear; `oldSecret` signs as well for a day after a rotation. */
  readonly secret: string | undefined;
  readonly oldSecret: string | undefined;
  /** Whether the delivery is a sample event. */
  readonly test: boolean;
}

/** The note of a delivery whose secret only signs, because a header cannot carry it. */
export const SECRET_NOT_IN_HEADER =
  'The secret has characters that a header cannot carry: it was not sent as X-Webhook-Secret, only as signature';

/** Returns the headers of a delivery that hold no secret. All attempts of a delivery have the same id. */
export const plainHeaders = ({
  deliveryId,
  now,
  test,
}: Pick<Message, 'deliveryId' | 'now' | 'test'>): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Moonbase-Webhooks/1',
  'webhook-id': deliveryId,
  'webhook-timestamp': secondsOf(now),
  ...(test && { 'x-webhook-test': 'true' }),
});

const secondsOf = (now: number): string => String(Math.floor(now / 1000));

/**
 * Returns the headers of a delivery: the secret in clear, as the public hub sends it (W§3.3), and those of Standard Webhooks (id,
 * timestamp in seconds, signatures separated by blanks).
 */
export function deliveryHeaders({ deliveryId, body, now, secret, oldSecret, test }: Message): Record<string, string> {
  const seconds = secondsOf(now);
  const secrets = [secret, oldSecret].filter((text) => text !== undefined);
  return {
    ...plainHeaders({ deliveryId, now, test }),
    ...(secret !== undefined && headerCanCarry(secret) && { 'x-webhook-secret': secret }),
    ...(secrets.length > 0 && {
      'webhook-signature': secrets.map((key) => sign(key, `${deliveryId}.${seconds}.${body}`)).join(' '),
    }),
  };
}

/** Returns the bytes that `whsec_` and base64 of at least 16 bytes stand for; any other secret is used as it is. */
function signingKey(secret: string): Buffer | string {
  const encoded = /^whsec_([A-Za-z0-9+/]{22,}={0,2})$/.exec(secret)?.[1];
  return encoded === undefined ? secret : Buffer.from(encoded, 'base64');
}

/** Returns a signature of Standard Webhooks `v1`: HMAC-SHA256 in base64. */
export function sign(secret: string, content: string): string {
  return `v1,${createHmac('sha256', signingKey(secret)).update(content).digest('base64')}`;
}
