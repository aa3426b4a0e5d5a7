import type { OutboundResult } from '../../../platform/outbound/outbound.ts';
import type { WebhookAttempt } from '../../figures/tally-store.ts';
import { isStreamTarget, laneOf } from '../../matching/lane.ts';
import type { DeliveryAttemptRow, WebhookRow } from '../../tables.ts';
import type { FinishedDelivery, Standing } from '../delivery-store.ts';
import { isRetried, type Outcome } from '../retry.ts';
import type { Attempt } from '../send.ts';

/** An attempt with what follows from it for its delivery. */
export type JudgedAttempt = Attempt & { readonly outcome: Outcome };

export const SUSPENDED = 'The webhook was suspended after failures; replay this delivery when its target is well';

/** Returns whether an attempt counts for the health of its webhook: something was sent, to no stream, and the hub did not fail. */
export const countsForHealth = ({ delivery, url, fault }: Attempt): boolean =>
  isRetried(delivery.kind) && url !== null && !isStreamTarget(url) && fault === undefined;

/** What an attempt is recorded for: its delivery as it stands, and the webhook, where its health may have changed. */
interface Recorded {
  readonly standing: Standing | undefined;
  readonly webhook: WebhookRow | undefined;
  readonly now: number;
}

/**
 * Returns how an attempt changes its delivery. A retried delivery moves to its webhook's lane, or fails where that is stopped, or
 * where the delivery has failed meanwhile because its webhook was, or its replay was canceled.
 */
export function finishedBy(
  { delivery, result, url, jobId, outcome, fault }: JudgedAttempt,
  { standing, webhook, now }: Recorded,
): FinishedDelivery {
  const hasFailed = standing?.status === 'failed';
  const parked = outcome.status === 'pending' && (hasFailed || (fault === undefined && webhook?.state !== 'enabled'));
  const error = result.kind === 'failed' ? result.error : null;
  return {
    id: delivery.id,
    lane: webhook ? laneOf(webhook) : delivery.lane,
    status: parked ? 'failed' : outcome.status,
    due_at: outcome.status === 'pending' ? outcome.dueAt : now,
    attempts: delivery.attempts + (url === null && fault === undefined ? 0 : 1),
    response_status: result.kind === 'answered' && jobId === null ? result.status : null,
    job_id: jobId,
    error: parked ? (error ?? (hasFailed ? standing.error : null) ?? stoppedError(webhook)) : error,
    duration_ms: url === null ? null : result.durationMs,
  };
}

/** Returns the response to an attempt, or why there was none. */
export const resultOf = (result: OutboundResult) =>
  result.kind === 'answered' ? { responseStatus: result.status } : { error: result.error };

/** Returns an attempt for the figures of its webhook; none where nothing was sent. */
export function attemptFigures(
  { delivery, startedAt, url, result }: JudgedAttempt,
  { status }: FinishedDelivery,
): WebhookAttempt[] {
  if (url === null) return [];
  const outcome = status === 'delivered' || status === 'failed' ? status : 'retrying';
  const { durationMs } = result;
  return [{ webhookId: delivery.webhookId, attempt: { at: startedAt, outcome, durationMs, ...resultOf(result) } }];
}

const stoppedError = (webhook: WebhookRow | undefined): string =>
  webhook?.state === 'suspended' ? SUSPENDED : 'The webhook is not enabled';

/** Returns the row of an attempt for the log; none where nothing was sent. */
export function attemptRows({ delivery, startedAt, url, result, jobId, note }: Attempt): DeliveryAttemptRow[] {
  if (url === null) return [];
  const response = result.kind === 'answered' && jobId === null ? result : undefined;
  return [
    {
      delivery_id: delivery.id,
      number: delivery.attempts + 1,
      created_at: startedAt,
      url,
      response_status: response?.status ?? null,
      response_headers: response ? JSON.stringify(response.headers) : null,
      response_body: response?.body ?? null,
      error: result.kind === 'failed' ? result.error : null,
      note,
      duration_ms: result.durationMs,
    },
  ];
}
