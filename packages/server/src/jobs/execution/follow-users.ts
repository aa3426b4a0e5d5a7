import { type AccountEvent, isDisabled } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import { cancel, lockJob, unfinishedBy } from '../runs/store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Told of each job that has news. */
  readonly changed: (jobId: string) => void;
  readonly nudge: () => void;
}

const PAGE = 100;

/** The topic `account`: the jobs that a disabled or deleted user created end, for good, in whatever namespace they are. */
export function createFollowUsers({ clock, changed, nudge }: Dependencies): Reaction<AccountEvent> {
  return async (tx, event) => {
    const { action, accountId } = event.data;
    if (action !== 'disable' && action !== 'delete') return undefined;
    if (action === 'disable' && !(await isDisabled(tx, accountId))) return undefined;
    const ids = await unfinishedBy(tx, accountId, PAGE);
    for (const id of ids) {
      if ((await lockJob(tx, id))?.finished_at !== null) continue;
      await cancel(tx, id, clock.now(), `Canceled: the user who created it was ${action}d`);
      afterCommit(tx, () => changed(id));
    }
    if (ids.length > 0) afterCommit(tx, nudge);
    return ids.length === PAGE ? AGAIN : undefined;
  };
}
