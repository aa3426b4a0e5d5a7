import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import { originOf } from '../../platform/outbound/target-url.ts';
import { MAX_FAILURES, type SetAside } from '../../platform/queue/dead-letters.ts';
import { backoffMs } from '../../platform/queue/due.ts';
import { describeFault, isPassing } from '../../platform/queue/fault.ts';
import { webhookTopic } from '../events.ts';
import { isStreamTarget, laneOf } from '../matching/lane.ts';
import { cancelRunning } from '../replays/store.ts';
import { beginChange, changeWebhook } from '../subscriptions/history.ts';
import { lockConcerned } from '../subscriptions/store.ts';
import type { WebhookRow } from '../tables.ts';
import { type Finished, finishDeliveries, insertAttempts, parkPending, stillOpen } from './delivery-store.ts';
import { healthAfter, isRetried, type Outcome, outcomeOf } from './retry.ts';
import type { Attempt } from './send.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly setAside: SetAside;
  /** Waits before the second and each further attempt, in seconds. */
  readonly retrySchedule: readonly number[];
  readonly random: () => number;
}

const SUSPENDED = 'The webhook was suspended after failures; replay this delivery when its target is well';

type Judged = Attempt & { readonly outcome: Outcome };

/** Whether it is tried again, and counts for how its webhook stands: where something was sent, and not to a stream. */
const counts = ({ delivery, url, fault }: Attempt): boolean =>
  isRetried(delivery.kind) && url !== null && !isStreamTarget(url) && fault === undefined;

/** Records attempts in one transaction: each delivery as done or due again, and how its webhook stands. */
export type RecordAttempts = (attempts: readonly Attempt[]) => Promise<void>;

export function createRecordAttempts({
  database,
  clock,
  events,
  setAside,
  retrySchedule,
  random,
}: Dependencies): RecordAttempts {
  function judged(attempt: Attempt): Judged {
    const { delivery, result, url } = attempt;
    if (isRetried(delivery.kind) && attempt.fault !== undefined) {
      const dueAt = clock.now() + backoffMs(delivery.attempts + 1);
      return { ...attempt, outcome: { status: 'pending', dueAt } };
    }
    if (url === null) return { ...attempt, outcome: { status: 'failed', gone: false } };
    const schedule = counts(attempt) ? retrySchedule : [];
    const given = { result, attempts: delivery.attempts + 1, schedule, now: clock.now(), random: random() };
    return { ...attempt, outcome: outcomeOf(given) };
  }

  /** Counts the attempts for or against their webhooks, in their order. Returns those that it concerns as they stand then. */
  async function judge(tx: Executor, attempts: readonly Judged[]): Promise<Map<string, WebhookRow>> {
    const counted = attempts.filter(counts);
    const failed = counted.filter(({ outcome }) => outcome.status !== 'delivered');
    const webhooks = await lockConcerned(tx, webhookIds(counted), webhookIds(failed));
    const before = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
    const after = new Map(before);
    for (const { delivery, outcome } of counted) {
      const webhook = after.get(delivery.webhookId);
      if (webhook) after.set(webhook.id, standing(webhook, outcome));
    }
    const change = beginChange(tx, clock.now());
    for (const webhook of webhooks) {
      const now = after.get(webhook.id);
      if (now && now !== webhook) {
        const { failures, failing_since, state } = now;
        await changeWebhook(tx, webhook, { failures, failing_since, state }, change);
      }
      if (now?.state !== 'suspended' || webhook.state === 'suspended') continue;
      await parkPending(tx, webhook, SUSPENDED);
      await cancelRunning(tx, webhook.id);
      await recordSuspension(tx, webhook, failed);
    }
    return after;
  }

  /** What follows from it, such as a mail to its owner, needs no path or query of its target: they may be secret. */
  async function recordSuspension(tx: Executor, webhook: WebhookRow, failed: readonly Judged[]): Promise<void> {
    const { id: webhookId, owner_id: ownerId, url } = webhook;
    const last = failed.findLast(({ delivery }) => delivery.webhookId === webhookId);
    const reason =
      last?.result.kind === 'answered' ? `The receiver answered ${last.result.status}` : last?.result.error;
    const origin = url === null ? null : originOf(url);
    await events.record(tx, webhookTopic, { action: 'suspend', webhookId, ownerId, origin, reason: reason ?? '' });
  }

  function standing(webhook: WebhookRow, outcome: Outcome): WebhookRow {
    const { suspend, failures, failing_since } = healthAfter(outcome, webhook, clock.now());
    const state = suspend && webhook.state === 'enabled' ? 'suspended' : webhook.state;
    const same = state === webhook.state && failures === webhook.failures && failing_since === webhook.failing_since;
    return same ? webhook : { ...webhook, failures, failing_since, state };
  }

  return (attempts) =>
    database.transaction(async (tx) => {
      // Where another worker has recorded this attempt, it counts neither for the delivery nor for the webhook.
      const deliveries = attempts.map(({ delivery }) => delivery);
      const open = await stillOpen(tx, deliveries);
      const counting = attempts.filter(({ delivery }) => open.has(delivery.id)).map(judged);
      const webhooks = await judge(tx, counting);
      await finishDeliveries(
        tx,
        counting.map((attempt) => changeOf(attempt, webhooks.get(attempt.delivery.webhookId))),
      );
      await insertAttempts(tx, counting.flatMap(attemptRow));
      for (const { delivery, fault } of counting) {
        const failures = delivery.attempts + 1;
        if (fault === undefined || !isRetried(delivery.kind) || failures < MAX_FAILURES || isPassing(fault)) continue;
        await setAside(tx, 'deliveries', delivery.id, { error: describeFault(fault), failures, deaths: 0 });
      }
    });

  /** What is tried again follows its webhook to its lane, unless that takes nothing any more. */
  function changeOf(
    { delivery, result, url, jobId, outcome, fault }: Judged,
    webhook: WebhookRow | undefined,
  ): Finished {
    const parked = outcome.status === 'pending' && fault === undefined && webhook?.state !== 'enabled';
    const error = result.kind === 'failed' ? result.error : null;
    return {
      id: delivery.id,
      lane: webhook ? laneOf(webhook) : delivery.lane,
      status: parked ? 'failed' : outcome.status,
      due_at: outcome.status === 'pending' ? outcome.dueAt : clock.now(),
      attempts: delivery.attempts + (url === null && fault === undefined ? 0 : 1),
      response_status: result.kind === 'answered' && jobId === null ? result.status : null,
      job_id: jobId,
      error: parked ? (error ?? reasonOf(webhook)) : error,
      duration_ms: url === null ? null : result.durationMs,
    };
  }

  function attemptRow({ delivery, startedAt, url, result, jobId, note }: Attempt) {
    if (url === null) return [];
    const answered = result.kind === 'answered' && jobId === null ? result : undefined;
    return [
      {
        delivery_id: delivery.id,
        number: delivery.attempts + 1,
        created_at: startedAt,
        url,
        response_status: answered?.status ?? null,
        response_headers: answered ? JSON.stringify(answered.headers) : null,
        response_body: answered?.body ?? null,
        error: result.kind === 'failed' ? result.error : null,
        note,
        duration_ms: result.durationMs,
      },
    ];
  }
}

const webhookIds = (attempts: readonly Attempt[]) => [...new Set(attempts.map(({ delivery }) => delivery.webhookId))];

const reasonOf = (webhook: WebhookRow | undefined): string =>
  webhook?.state === 'suspended' ? SUSPENDED : 'The webhook is not enabled';
