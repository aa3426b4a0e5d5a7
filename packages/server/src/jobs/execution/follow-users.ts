import { type AccountEvent, isDisabled } from '../../accounts/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import { cancel, lockJob, unfinishedBy } from '../runs/store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Called with the id of each job that was canceled. */
  readonly onChange: (jobId: string) => void;
  /** Wakes the worker. */
  readonly nudge: () => void;
}

const MAX_JOBS_A_PASS = 100;

/** Follows the topic `account`: cancels all jobs that a disabled or deleted user created, in any namespace. */
export function createFollowUsers({ clock, onChange, nudge }: Dependencies): Reaction<AccountEvent> {
  return async (tx, event) => {
    const { action, accountId } = event.data;
    if (action !== 'disable' && action !== 'delete') return undefined;
    if (action === 'disable' && !(await isDisabled(tx, accountId))) return undefined;
    const ids = await unfinishedBy(tx, accountId, MAX_JOBS_A_PASS);
    for (const id of ids) {
      if ((await lockJob(tx, id))?.finished_at !== null) continue;
      await cancel(tx, id, clock.now(), `Canceled: the user who created it was ${action}d`);
      afterCommit(tx, () => onChange(id));
    }
    if (ids.length > 0) afterCommit(tx, nudge);
    return ids.length === MAX_JOBS_A_PASS ? AGAIN : undefined;
  };
}
