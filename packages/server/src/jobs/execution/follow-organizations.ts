import { settingsOf } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { OrganizationEvent } from '../../organizations/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import { cancel, lockJob, unfinishedOf } from '../runs/store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Called with the id of each job that was canceled. */
  readonly onChange: (jobId: string) => void;
  /** Wakes the worker. */
  readonly nudge: () => void;
}

const MAX_JOBS_A_PASS = 100;
const MESSAGE = 'Canceled: the organization was deleted';

/**
 * Follows the topic `organization`: cancels the jobs of a deleted organization for good; its scheduled jobs continue
 * once it is restored.
 */
export function createFollowOrganizations({ clock, onChange, nudge }: Dependencies): Reaction<OrganizationEvent> {
  return async (tx, event) => {
    const { orgId } = event.data;
    await lockAccount(tx, orgId);
    afterCommit(tx, nudge);
    if ((await settingsOf(tx, orgId)).deleted_at === null) return undefined;
    const ids = await unfinishedOf(tx, orgId, MAX_JOBS_A_PASS);
    for (const id of ids) {
      if ((await lockJob(tx, id))?.finished_at !== null) continue;
      await cancel(tx, id, clock.now(), MESSAGE);
      afterCommit(tx, () => onChange(id));
    }
    return ids.length === MAX_JOBS_A_PASS ? AGAIN : undefined;
  };
}
