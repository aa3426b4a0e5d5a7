import type { Clock } from '../../platform/clock.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import type { DeadLetterQueue } from '../../platform/queue/dead-letters.ts';
import { laneOf } from '../matching/lane.ts';
import { lockWebhookById } from '../subscriptions/store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the worker once the delivery is durable. */
  readonly nudge: () => void;
}

export const SET_ASIDE = 'The hub could not send this; its administrators see why. It can be replayed';

/** A delivery that is set aside has failed, for its owner as well, who may replay it. */
export const createDeadDeliveries = ({ clock, nudge }: Dependencies): DeadLetterQueue => ({
  async setAside(tx, id) {
    const row = await tx
      .updateTable('deliveries')
      .set({ status: 'failed', error: SET_ASIDE })
      .where('id', '=', id)
      .where('status', 'in', ['pending', 'failed'])
      .returning(['kind', 'scope', 'action', 'created_at'])
      .executeTakeFirst();
    return row && { kind: `${row.kind} ${row.scope}/${row.action}`, createdAt: row.created_at };
  },
  async retry(tx, id) {
    const row = await tx.selectFrom('deliveries').select('webhook_id').where('id', '=', id).executeTakeFirst();
    const webhook = row && (await lockWebhookById(tx, row.webhook_id));
    if (!webhook) return false;
    const again = { status: 'pending', error: null, lane: laneOf(webhook), due_at: clock.now() } as const;
    await tx.updateTable('deliveries').set(again).where('id', '=', id).where('status', '=', 'failed').execute();
    afterCommit(tx, nudge);
    return true;
  },
  // Its log says that it failed.
  async discard() {},
});
