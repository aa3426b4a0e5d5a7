import type { Clock } from '../../../platform/clock.ts';
import { afterCommit, type Executor } from '../../../platform/database/transaction.ts';
import type { Events } from '../../../platform/events/events.ts';
import { originOf } from '../../../platform/outbound/target-url.ts';
import { toJson } from '../../../platform/stored-form.ts';
import { webhookTopic } from '../../events.ts';
import type { PendingChanges } from '../../pending/changes.ts';
import { cancelRunning } from '../../replays/store.ts';
import { beginChange, changeWebhook } from '../../subscriptions/history.ts';
import { lockAffected } from '../../subscriptions/store.ts';
import type { WebhookRow } from '../../tables.ts';
import { healthAfter } from '../retry.ts';
import type { Attempt } from '../send.ts';
import { countsForHealth, type JudgedAttempt, resultOf, SUSPENDED } from './attempt-rows.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly events: Events;
  readonly pending: PendingChanges;
}

/** Applies outcomes of attempts to the health of webhooks, and suspends webhooks that failed for too long. */
export function createWebhookHealth({ clock, events, pending }: Dependencies) {
  /** Records a suspension without path and query of the target: they may be secret, and mails quote the event. */
  async function recordSuspension(tx: Executor, webhook: WebhookRow, failed: readonly Attempt[]): Promise<void> {
    const { id: webhookId, owner_id: ownerId, url } = webhook;
    const last = failed.findLast(({ delivery }) => delivery.webhookId === webhookId);
    const reason =
      last?.result.kind === 'answered' ? `The receiver answered ${last.result.status}` : last?.result.error;
    const origin = url === null ? null : originOf(url);
    await events.record(tx, webhookTopic, { action: 'suspend', webhookId, ownerId, origin, reason: reason ?? '' });
  }

  function applyOutcome(webhook: WebhookRow, { outcome, result }: JudgedAttempt): WebhookRow {
    const { suspend: cause, failures, failing_since } = healthAfter(outcome, webhook, clock.now());
    if (cause !== null && webhook.state === 'enabled') {
      const at = clock.now();
      const suspension = toJson({ cause, failures, failingSince: failing_since ?? at, at, ...resultOf(result) });
      return { ...webhook, failures, failing_since, state: 'suspended', suspension };
    }
    const same = failures === webhook.failures && failing_since === webhook.failing_since;
    return same ? webhook : { ...webhook, failures, failing_since };
  }

  return {
    /** Locks and returns the webhooks whose health attempts may change: before their deliveries, as changes of a webhook do. */
    lock(tx: Executor, attempts: readonly JudgedAttempt[]): Promise<WebhookRow[]> {
      const counted = attempts.filter(countsForHealth);
      return lockAffected(tx, webhookIds(counted), webhookIds(counted.filter(isFailure)));
    },

    /** Applies each outcome, in order, to the failure counters of its locked webhook; returns the webhooks as they are then. */
    async apply(
      tx: Executor,
      webhooks: readonly WebhookRow[],
      attempts: readonly JudgedAttempt[],
    ): Promise<Map<string, WebhookRow>> {
      const counted = attempts.filter(countsForHealth);
      const after = new Map(webhooks.map((webhook) => [webhook.id, webhook]));
      for (const attempt of counted) {
        const webhook = after.get(attempt.delivery.webhookId);
        if (webhook) after.set(webhook.id, applyOutcome(webhook, attempt));
      }
      const change = beginChange(tx, clock.now());
      for (const webhook of webhooks) {
        const now = after.get(webhook.id);
        if (now && now !== webhook) {
          const { failures, failing_since, state, suspension } = now;
          await changeWebhook(tx, webhook, { failures, failing_since, state, suspension }, change);
        }
        if (now?.state !== 'suspended' || webhook.state === 'suspended') continue;
        const rest = await pending.fail(tx, webhook, SUSPENDED);
        // What is left when the process ends is not sent either: it fails when it is due.
        afterCommit(tx, () => void rest().catch(() => {}));
        await cancelRunning(tx, webhook.id);
        await recordSuspension(tx, webhook, counted.filter(isFailure));
      }
      return after;
    },
  };
}

const isFailure = ({ outcome }: JudgedAttempt): boolean => outcome.status !== 'delivered';

const webhookIds = (attempts: readonly Attempt[]) => [...new Set(attempts.map(({ delivery }) => delivery.webhookId))];
