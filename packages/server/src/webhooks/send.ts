import type { EventPayload } from '@moonbase/contract/payload';
import type { LaunchForWebhook } from '../jobs/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Outbound, OutboundResult } from '../platform/outbound/outbound.ts';
import { remember } from '../platform/remember.ts';
import type { SecretBox } from '../platform/secrets.ts';
import type { Sendable } from './delivery-store.ts';
import { headerCanCarry } from './policy.ts';
import { isRetried } from './retry.ts';
import { deliveryHeaders, SECRET_NOT_IN_HEADER } from './signature.ts';
import type { StoredJob } from './store.ts';

/** What became of one attempt; `url` is null where nothing was sent, and begins with `job:` where a job was launched. */
export interface Attempt {
  readonly delivery: Sendable;
  readonly startedAt: number;
  readonly url: string | null;
  readonly result: OutboundResult;
  /** The job that it launched. */
  readonly jobId: string | null;
  /** What the owner should know about the request. */
  readonly note: string | null;
}

interface Dependencies {
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly outbound: Outbound;
  readonly launch: LaunchForWebhook;
}

const JOB = 'job:';

export type Send = (delivery: Sendable) => Promise<Attempt>;

/** One event goes to many webhooks: its payload up to the closing brace, as text. */
const openPayload = remember(100, (eventData) => {
  const { payload } = JSON.parse(eventData) as { payload: EventPayload };
  return JSON.stringify(payload).slice(0, -1);
});

/** The body of a delivery: the stored payload, and the webhook it is for. */
export const deliveryBody = (eventData: string, webhookId: string): string =>
  `${openPayload(eventData)},"webhook":${JSON.stringify({ id: webhookId, version: 3 })}}`;

/** Why nothing is sent, or undefined. */
function obstacle(delivery: Sendable): string | undefined {
  if (!delivery.readable) return 'The owner of this webhook can no longer read the repository';
  const ready = isRetried(delivery.kind) ? delivery.state === 'enabled' : delivery.state !== 'deleted';
  if (!ready) return 'The webhook is not enabled';
  return undefined;
}

/** Makes one attempt of a delivery; records nothing. */
export function createSend({ clock, secretBox, outbound, launch }: Dependencies): Send {
  const opened = remember(1000, (sealed) => secretBox.open(sealed));
  const open = (sealed: string | null) => (sealed === null ? undefined : opened(sealed));

  /** A job that exists counts as an answer with the status 200 (behaviour: E12). */
  async function launchJob(delivery: Sendable): Promise<Pick<Attempt, 'url' | 'jobId' | 'result'>> {
    const startedAt = performance.now();
    const launched =
      delivery.job === null
        ? { error: 'The source of this job is not known any more; set a target' }
        : await launch({
            ...{ deliveryId: delivery.id, webhookId: delivery.webhookId, ownerId: delivery.ownerId },
            job: JSON.parse(delivery.job) as StoredJob,
            jobSecrets: delivery.jobSecrets,
            secret: open(delivery.secret),
            body: deliveryBody(delivery.eventData, delivery.webhookId),
          });
    const durationMs = Math.round(performance.now() - startedAt);
    if ('error' in launched)
      return { url: JOB, jobId: null, result: { kind: 'failed', error: launched.error, durationMs } };
    const { jobId } = launched;
    return { url: JOB + jobId, jobId, result: { kind: 'answered', status: 200, headers: {}, body: '', durationMs } };
  }

  return async (delivery) => {
    const startedAt = clock.now();
    const { url } = delivery;
    const error = obstacle(delivery);
    if (error !== undefined) {
      const result = { kind: 'failed', error, durationMs: 0 } as const;
      return { delivery, startedAt, url: null, result, jobId: null, note: null };
    }
    if (url === null) return { delivery, startedAt, ...(await launchJob(delivery)), note: null };
    const body = deliveryBody(delivery.eventData, delivery.webhookId);
    const secret = open(delivery.secret);
    const overlaps = delivery.oldSecretUntil !== null && delivery.oldSecretUntil > startedAt;
    const oldSecret = overlaps ? open(delivery.oldSecret) : undefined;
    const headers = deliveryHeaders({ deliveryId: delivery.id, body, now: startedAt, secret, oldSecret });
    const result = await outbound.post({ url, headers, body });
    const note = secret === undefined || headerCanCarry(secret) ? null : SECRET_NOT_IN_HEADER;
    return { delivery, startedAt, url, result, jobId: null, note };
  };
}
