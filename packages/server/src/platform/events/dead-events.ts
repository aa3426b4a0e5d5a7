import type { Clock } from '../clock.ts';
import { afterCommit } from '../database/transaction.ts';
import type { DeadLetterQueue } from '../queue/dead-letters.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the relay once the event is durable. */
  readonly nudge: () => void;
}

/** An event that is set aside counts as done, so that the relay has no look at it; its reactions are where they were. */
export const createDeadEvents = ({ clock, nudge }: Dependencies): DeadLetterQueue => ({
  async setAside(tx, id) {
    const row = await tx
      .updateTable('events')
      .set({ done_at: clock.now() })
      .where('id', '=', id)
      .where('done_at', 'is', null)
      .returning(['topic', 'created_at'])
      .executeTakeFirst();
    return row && { kind: row.topic, createdAt: row.created_at };
  },
  async retry(tx, id) {
    const row = await tx
      .updateTable('events')
      .set({ done_at: null, due_at: clock.now(), attempts: 0 })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (row) afterCommit(tx, nudge);
    return row !== undefined;
  },
  // What is left of its reactions is given up.
  async discard() {},
});
