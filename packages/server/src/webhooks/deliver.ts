import type { EventPayload } from '@moonbase/contract/payload';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { Outbound, OutboundResult } from '../platform/outbound/outbound.ts';
import type { SecretBox } from '../platform/secrets.ts';
import { finishAttempt, insertAttempt, lockHeld, parkPending, type Sendable } from './delivery-store.ts';
import { headerCanCarry } from './policy.ts';
import { cancelRunning } from './replay-store.ts';
import { healthAfter, isRetried, type Outcome, outcomeOf } from './retry.ts';
import { deliveryHeaders, SECRET_NOT_IN_HEADER } from './signature.ts';
import { lockWebhookById, updateWebhook } from './store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly outbound: Outbound;
  /** Waits before the second and each further attempt, in seconds. */
  readonly retrySchedule: readonly number[];
  readonly random: () => number;
}

/** Makes one attempt of a delivery that this lease holds, and records it. */
export type Deliver = (delivery: Sendable, lease: string) => Promise<OutboundResult>;

const NO_JOBS = 'Jobs cannot be launched by this version; deliveries go to URLs';
const SUSPENDED = 'The webhook was suspended after failures; replay this delivery when its target is well';

/** The body of a delivery: the stored payload, and the webhook it is for. */
export const deliveryBody = (eventData: string, webhookId: string): string => {
  const { payload } = JSON.parse(eventData) as { payload: EventPayload };
  return JSON.stringify({ ...payload, webhook: { id: webhookId, version: 3 } });
};

export function createDeliver(given: Dependencies): Deliver {
  const { database, clock, ids, secretBox, outbound, retrySchedule, random } = given;

  const open = (sealed: string | null) => (sealed === null ? undefined : secretBox.open(sealed));

  /** Why nothing is sent, or undefined. */
  function obstacle(delivery: Sendable): string | undefined {
    if (!delivery.readable) return 'The owner of this webhook can no longer read the repository';
    if (delivery.url === null) return NO_JOBS;
    const needed = isRetried(delivery.kind) ? delivery.state === 'enabled' : delivery.state !== 'deleted';
    if (!needed) return 'The webhook is not enabled';
    return undefined;
  }

  async function send(delivery: Sendable, url: string) {
    const body = deliveryBody(delivery.eventData, delivery.webhookId);
    const secret = open(delivery.secret);
    const overlaps = delivery.oldSecretUntil !== null && delivery.oldSecretUntil > clock.now();
    const oldSecret = overlaps ? open(delivery.oldSecret) : undefined;
    const headers = deliveryHeaders({ deliveryId: delivery.id, body, now: clock.now(), secret, oldSecret });
    const result = await outbound.post({ url, headers, body });
    return { result, note: secret === undefined || headerCanCarry(secret) ? null : SECRET_NOT_IN_HEADER };
  }

  return async (delivery, lease) => {
    const startedAt = clock.now();
    const reason = obstacle(delivery);
    if (reason !== undefined || delivery.url === null) {
      const error = reason ?? NO_JOBS;
      await finishAttempt(database.executor, delivery.id, lease, { status: 'failed', error });
      return { kind: 'failed', error, durationMs: 0 };
    }
    const { url } = delivery;
    const { result, note } = await send(delivery, url);
    const answered = result.kind === 'answered' ? result : undefined;
    const error = result.kind === 'failed' ? result.error : null;
    const attempts = delivery.attempts + 1;
    const retried = isRetried(delivery.kind);
    const schedule = retried ? retrySchedule : [];
    const outcome = outcomeOf({ result, attempts, schedule, now: clock.now(), random: random() });
    await database.transaction(async (tx) => {
      // A worker that lost its lease has no say any more, neither on the delivery nor on the webhook.
      if (!(await lockHeld(tx, delivery.id, lease))) return;
      const state = retried ? await judge(tx, delivery.webhookId, outcome) : 'enabled';
      const parked = outcome.status === 'pending' && state !== 'enabled';
      await finishAttempt(tx, delivery.id, lease, {
        status: parked ? 'failed' : outcome.status,
        ...(outcome.status === 'pending' && { due_at: outcome.dueAt }),
        attempts,
        response_status: answered?.status ?? null,
        error: parked ? (error ?? SUSPENDED) : error,
        duration_ms: result.durationMs,
      });
      await insertAttempt(tx, {
        id: ids(),
        delivery_id: delivery.id,
        created_at: startedAt,
        url,
        response_status: answered?.status ?? null,
        response_headers: answered ? JSON.stringify(answered.headers) : null,
        response_body: answered?.body ?? null,
        error,
        note,
        duration_ms: result.durationMs,
      });
    });
    return result;
  };

  /** Counts the attempt for or against the webhook; suspends it where that is due. Answers its state. */
  async function judge(tx: Executor, webhookId: string, outcome: Outcome) {
    const webhook = await lockWebhookById(tx, webhookId);
    if (!webhook) return 'disabled';
    const { suspend, ...health } = healthAfter(outcome, webhook, clock.now());
    const state = suspend && webhook.state === 'enabled' ? 'suspended' : webhook.state;
    const same =
      state === webhook.state && health.failures === webhook.failures && health.failing_since === webhook.failing_since;
    if (!same) await updateWebhook(tx, webhookId, { ...health, state });
    if (state === 'suspended' && webhook.state !== 'suspended') {
      await parkPending(tx, webhookId, SUSPENDED);
      await cancelRunning(tx, webhookId);
    }
    return state;
  }
}
