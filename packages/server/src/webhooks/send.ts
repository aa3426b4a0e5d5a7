import type { LaunchForWebhook } from '../jobs/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Outbound, OutboundResult } from '../platform/outbound/outbound.ts';
import type { Sendable } from './delivery-store.ts';
import { deliveryBody, type Messages, obstacleTo } from './messages.ts';
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
  readonly messages: Messages;
  readonly outbound: Outbound;
  readonly launch: LaunchForWebhook;
}

const JOB = 'job:';

export type Send = (delivery: Sendable) => Promise<Attempt>;

/** Makes one attempt of a delivery; records nothing. */
export function createSend({ clock, messages, outbound, launch }: Dependencies): Send {
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
            secret: messages.secretOf(delivery),
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
    const error = obstacleTo(delivery);
    if (error !== undefined) {
      const result = { kind: 'failed', error, durationMs: 0 } as const;
      return { delivery, startedAt, url: null, result, jobId: null, note: null };
    }
    if (url === null) return { delivery, startedAt, ...(await launchJob(delivery)), note: null };
    const { headers, body, note } = messages.compose(delivery, startedAt);
    const result = await outbound.post({ url, headers, body });
    return { delivery, startedAt, url, result, jobId: null, note };
  };
}
