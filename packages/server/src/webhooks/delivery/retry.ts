import type { OutboundResult } from '../../platform/outbound/outbound.ts';
import type { DeliveryRow, StoredSuspension } from '../tables.ts';

/**
 * Returns whether deliveries of a kind are retried and count for the health of their webhook. Single replays and samples have one
 * attempt, count for nothing, and are sent while the webhook is disabled.
 */
export const isRetried = (kind: DeliveryRow['kind']): boolean => kind === 'trigger' || kind === 'recovery';

/** The state of a delivery after an attempt. */
export type Outcome =
  | { readonly status: 'delivered' }
  | { readonly status: 'pending'; readonly dueAt: number }
  | { readonly status: 'failed'; readonly gone: boolean };

interface AttemptContext {
  readonly result: OutboundResult;
  /** The attempts made so far, this one included. */
  readonly attempts: number;
  /** Waits before the second and each further attempt, in seconds. */
  readonly schedule: readonly number[];
  readonly now: number;
  /** A number from 0 to 1, which spreads retries by ±20 %. */
  readonly random: number;
}

const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** Returns the outcome of an attempt: any 2xx succeeds, 410 fails at once, everything else is retried by the schedule. */
export function outcomeOf({ result, attempts, schedule, now, random }: AttemptContext): Outcome {
  if (result.kind === 'answered' && result.status >= 200 && result.status < 300) return { status: 'delivered' };
  if (result.kind === 'answered' && result.status === 410) return { status: 'failed', gone: true };
  const wait = schedule[attempts - 1];
  if (wait === undefined) return { status: 'failed', gone: false };
  const spread = Math.round(wait * 1000 * (0.8 + 0.4 * random));
  const asked = result.kind === 'answered' ? retryAfterMs(result.headers['retry-after'], now) : 0;
  return { status: 'pending', dueAt: now + Math.max(spread, Math.min(asked, MAX_RETRY_AFTER_MS)) };
}

/** Returns the header `Retry-After`, given in seconds or as an HTTP date, in milliseconds from now (RFC 9110 §10.2.3). */
function retryAfterMs(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now);
}

/**
 * A webhook is suspended when this many deliveries in a row used up their attempts, or when one did and the webhook has failed
 * for this long. The first failure after a quiet time does not suspend it.
 */
const MAX_FAILED_IN_A_ROW = 10;
const MAX_FAILING_MS = 5 * 24 * 60 * 60 * 1000;

export interface Health {
  readonly failures: number;
  readonly failing_since: number | null;
}

/** The health of a webhook, and why to suspend it; null where it is not to be suspended. */
type HealthAfter = Health & { readonly suspend: StoredSuspension['cause'] | null };

/** Returns the health of a webhook after an attempt. */
export function healthAfter(outcome: Outcome, before: Health, now: number): HealthAfter {
  if (outcome.status === 'delivered') return { failures: 0, failing_since: null, suspend: null };
  const failures = before.failures + (outcome.status === 'failed' ? 1 : 0);
  const failingSince = before.failing_since ?? now;
  const after = { failures, failing_since: failingSince };
  if (outcome.status !== 'failed') return { ...after, suspend: null };
  if (outcome.gone) return { ...after, suspend: 'gone' };
  if (failures >= MAX_FAILED_IN_A_ROW) return { ...after, suspend: 'in-a-row' };
  return { ...after, suspend: now - failingSince >= MAX_FAILING_MS ? 'days' : null };
}
