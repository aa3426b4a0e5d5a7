import type { Clock } from '../platform/clock.ts';
import { afterCommit } from '../platform/database/transaction.ts';
import type { DeadLetterQueue } from '../platform/queue/dead-letters.ts';
import { failUnsent, requeueMail, resumeFailed } from './store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the worker once the mail is durable. */
  readonly nudge: () => void;
}

/** A mail that is set aside has failed; a retried mail is queued as if it were new. */
export const createDeadMails = ({ clock, nudge }: Dependencies): DeadLetterQueue<'mails'> => ({
  table: 'mails',
  async setAside(tx, id, { error }) {
    const mail = await failUnsent(tx, id, error);
    return mail && { kind: mail.kind, createdAt: mail.created_at };
  },
  async retry(tx, id) {
    const now = clock.now();
    const mail = await resumeFailed(tx, id, now);
    if (!mail) return false;
    await requeueMail(tx, mail, now, null);
    afterCommit(tx, nudge);
    return true;
  },
  // Nothing to do: the mail has failed, and nobody sends it any more.
  async discard() {},
});
