import { afterCommit, type Executor } from '../../platform/database/transaction.ts';
import type { Signals } from '../../platform/queue/signals.ts';
import { changeCounters, lockInboxes } from './inbox-store.ts';

export type Inboxes = ReturnType<typeof createInboxes>;

/** The counters of users' inboxes, exact at every commit: whoever changes notifications locks their inboxes first. */
export function createInboxes({ signals }: { readonly signals: Signals }) {
  return {
    /** Locks the inboxes of users until the transaction ends: what is read of their notifications stays true until then. */
    async lock(tx: Executor, userIds: readonly string[]): Promise<void> {
      await lockInboxes(tx, userIds);
      afterCommit(tx, () => signals.send(userIds));
    },

    /** Adds to the counters of locked inboxes. */
    changeCounters,
  };
}
