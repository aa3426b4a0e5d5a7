import type { Clock } from '../platform/clock.ts';
import { afterCommit } from '../platform/database/transaction.ts';
import type { DeadLetterQueue } from '../platform/queue/dead-letters.ts';
import { putBack } from './store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the worker once the mail is durable. */
  readonly nudge: () => void;
}

/** A mail that is set aside has failed. Tried again, it is as if it had been queued now. */
export const createDeadMails = ({ clock, nudge }: Dependencies): DeadLetterQueue => ({
  async setAside(tx, id, { error }) {
    const row = await tx
      .updateTable('mails')
      .set({ state: 'failed', error })
      .where('id', '=', id)
      .where('state', 'in', ['waiting', 'sending'])
      .returning(['kind', 'created_at'])
      .executeTakeFirst();
    return row && { kind: row.kind, createdAt: row.created_at };
  },
  async retry(tx, id) {
    const again = { state: 'sending', attempts: 0, created_at: clock.now() } as const;
    const mail = await tx
      .updateTable('mails')
      .set(again)
      .where('id', '=', id)
      .where('state', '=', 'failed')
      .returningAll()
      .executeTakeFirst();
    if (!mail) return false;
    await putBack(tx, mail, clock.now(), null);
    afterCommit(tx, nudge);
    return true;
  },
  // It has failed, and nobody sends it any more.
  async discard() {},
});
