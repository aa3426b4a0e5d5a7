import type { Clock } from '../clock.ts';
import { afterCommit } from '../database/transaction.ts';
import type { DeadLetterQueue } from '../queue/dead-letters.ts';
import { endEvent, reopenEvent } from './event-store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Wakes the relay once the event is durable. */
  readonly nudge: () => void;
}

/** An event that is set aside counts as done, so that the relay ignores it; the progress of its reactions is kept. */
export const createDeadEvents = ({ clock, nudge }: Dependencies): DeadLetterQueue<'events'> => ({
  table: 'events',
  async setAside(tx, id) {
    const row = await endEvent(tx, id, clock.now());
    return row && { kind: row.topic, createdAt: row.created_at };
  },
  async retry(tx, id) {
    const isThere = await reopenEvent(tx, id, clock.now());
    if (isThere) afterCommit(tx, nudge);
    return isThere;
  },
  // The remaining reactions are given up.
  async discard() {},
});
