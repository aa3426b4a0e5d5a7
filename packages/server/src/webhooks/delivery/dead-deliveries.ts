import type { Clock } from '../../platform/clock.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { DeadLetterQueue } from '../../platform/queue/dead-letters.ts';
import { laneOf } from '../matching/lane.ts';
import { lockWebhookById } from '../subscriptions/store.ts';
import { failUndelivered, retryFailed, webhookOf } from './delivery-store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the worker once the delivery is durable. */
  readonly nudge: () => void;
}

export const SET_ASIDE = 'The hub could not send this; its administrators see why. It can be replayed';

/** A delivery that is set aside has failed; the owner of its webhook may replay it. */
export const createDeadDeliveries = ({ clock, nudge }: Dependencies): DeadLetterQueue<'deliveries'> => ({
  table: 'deliveries',
  async setAside(tx, id) {
    const row = await failUndelivered(tx, id, SET_ASIDE);
    return row && { kind: `${row.kind} ${row.scope}/${row.action}`, createdAt: row.created_at };
  },
  async retry(tx, id) {
    const webhookId = await webhookOf(tx, id);
    const webhook = webhookId === undefined ? undefined : await lockWebhookById(tx, webhookId);
    if (!webhook) return false;
    await retryFailed(tx, id, laneOf(webhook), clock.now());
    afterCommit(tx, nudge);
    return true;
  },
  // Nothing to do: the delivery has failed, and the log shows that.
  async discard() {},
});
