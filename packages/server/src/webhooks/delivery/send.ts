import type { LaunchForWebhook } from '../../jobs/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Outbound, OutboundResult } from '../../platform/outbound/outbound.ts';
import { normalUrl } from '../../platform/outbound/target-url.ts';
import { parseJson } from '../../platform/stored-form.ts';
import { NO_TRACES, type Span, type Traces } from '../../platform/tracing/traces.ts';
import { deliveryBody, type Messages } from './compose.ts';
import type { Sendable } from './delivery-store.ts';

/** The result of one attempt. */
export interface Attempt {
  readonly delivery: Sendable;
  readonly startedAt: number;
  /** Null where nothing was sent; `job:` and an id where a job was launched. */
  readonly url: string | null;
  readonly result: OutboundResult;
  /** The id of the job that the attempt launched. */
  readonly jobId: string | null;
  /** What the owner of the webhook should know about the request; the log shows it. */
  readonly note: string | null;
  /** The error where the hub itself failed, which is not the receiver's fault. */
  readonly fault?: unknown;
}

interface Dependencies {
  readonly clock: Clock;
  readonly messages: Messages;
  readonly outbound: Outbound;
  readonly launch: LaunchForWebhook;
  readonly traces?: Traces | undefined;
}

const JOB = 'job:';

export type Send = (delivery: Sendable) => Promise<Attempt>;

/** Returns the function that makes one attempt of a delivery and records nothing. */
export function createSend({ clock, messages, outbound, launch, traces = NO_TRACES }: Dependencies): Send {
  /** Launches the job of a webhook; a launched job counts as a response with the status 200. */
  async function launchJob(delivery: Sendable): Promise<Pick<Attempt, 'url' | 'jobId' | 'result'>> {
    const startedAt = performance.now();
    const launched =
      delivery.job === null
        ? { error: 'The source of this job is not known any more; set a target' }
        : await launch({
            ...{ deliveryId: delivery.id, webhookId: delivery.webhookId, ownerId: delivery.ownerId },
            tokenId: delivery.jobTokenId,
            job: parseJson(delivery.job),
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

  const begin = (name: string, delivery: Sendable, more: Readonly<Record<string, string | number>> = {}): Span =>
    traces.begin(name, {
      kind: 'client',
      parent: delivery.trace,
      attributes: {
        'moonbase.delivery.id': delivery.id,
        'moonbase.delivery.attempt': delivery.attempts + 1,
        'moonbase.webhook.id': delivery.webhookId,
        ...more,
      },
    });

  return async (delivery) => {
    const startedAt = clock.now();
    // Rows of older releases hold URLs that are not in normal form.
    const url = delivery.url === null ? null : normalUrl(delivery.url);
    const error = messages.obstacleTo(delivery, startedAt);
    if (error !== undefined) {
      const result = { kind: 'failed', error, durationMs: 0 } as const;
      return { delivery, startedAt, url: null, result, jobId: null, note: null };
    }
    if (url === null) {
      const span = begin('launch job', delivery);
      const attempt = await launchJob(delivery);
      span.end(attempt.jobId === null ? {} : { 'moonbase.job.id': attempt.jobId }, failureOf(attempt.result));
      return { delivery, startedAt, ...attempt, note: null };
    }
    const { headers, body, note } = messages.compose(delivery, startedAt);
    const span = begin('deliver to webhook', delivery, traces.on ? receiverOf(url) : {});
    const { traceparent } = span;
    const result = await outbound.post({ url, headers: traceparent ? { ...headers, traceparent } : headers, body });
    span.end(result.kind === 'answered' ? { 'http.response.status_code': result.status } : {}, failureOf(result));
    return { delivery, startedAt, url, result, jobId: null, note };
  };
}

/** Returns the attributes of a receiver for traces, without path and query, which may be secret. */
function receiverOf(url: string) {
  const { hostname, port, protocol } = new URL(url);
  return {
    'http.request.method': 'POST',
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}

function failureOf(result: OutboundResult): string | undefined {
  if (result.kind !== 'answered') return 'not_answered';
  return result.status < 400 ? undefined : String(result.status);
}
