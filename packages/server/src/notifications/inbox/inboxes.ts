import { sql } from 'kysely';
import { afterCommit, type Executor } from '../../platform/database/transaction.ts';
import { unnest } from '../../platform/database/where-in.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import { tuplesOf } from './json-values.ts';

/** What changes in the counters of a user. */
export interface Shift {
  readonly userId: string;
  readonly all: number;
  readonly unread: number;
}

export type Inboxes = ReturnType<typeof createInboxes>;

/** The counters of users: right at every commit, as whoever changes rows holds the inbox first. */
export function createInboxes({ signals }: { readonly signals: Signals }) {
  return {
    /**
     * Holds the inboxes of users until the transaction ends, in one order for all, and makes those that are missing:
     * what is read of their notifications then stays so.
     */
    async hold(tx: Executor, userIds: readonly string[]): Promise<void> {
      await sql`
        insert into inboxes (user_id, all_count, unread_count, version)
        select value, 0, 0, 1 from ${unnest(tx, userIds)} as held where true order by value
        on conflict (user_id) do update set version = inboxes.version + 1
      `.execute(tx);
      afterCommit(tx, () => signals.send(userIds));
    },

    /** Adds to the counters of inboxes that are held. */
    async shift(tx: Executor, shifts: readonly Shift[]): Promise<void> {
      const tuples = shifts.flatMap(({ userId, all, unread }) => (all || unread ? [[userId, all, unread]] : []));
      if (tuples.length === 0) return;
      await sql`
        update inboxes set all_count = all_count + shift.of_all, unread_count = unread_count + shift.of_unread
        from ${tuplesOf(tx, JSON.stringify(tuples), ['of_user', 'of_all', 'of_unread'])} as shift
        where inboxes.user_id = shift.of_user
      `.execute(tx);
    },
  };
}
