import { settingsOf } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { OrganizationEvent } from '../../organizations/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { afterCommit } from '../../platform/database/transaction.ts';
import { AGAIN, type Reaction } from '../../platform/events/reaction.ts';
import { cancel, lockJob, unfinishedOf } from '../runs/store.ts';

interface Dependencies {
  readonly clock: Clock;
  /** Told of each job that has news. */
  readonly changed: (jobId: string) => void;
  readonly nudge: () => void;
}

const PAGE = 100;
const MESSAGE = 'Canceled: the organization was deleted';

/** The topic `organization`: the jobs of a deleted one end, for good; its scheduled jobs go on when it is restored. */
export function createFollowOrganizations({ clock, changed, nudge }: Dependencies): Reaction<OrganizationEvent> {
  return async (tx, event) => {
    const { orgId } = event.data;
    await lockAccount(tx, orgId);
    afterCommit(tx, nudge);
    if ((await settingsOf(tx, orgId)).deleted_at === null) return undefined;
    const ids = await unfinishedOf(tx, orgId, PAGE);
    for (const id of ids) {
      if ((await lockJob(tx, id))?.finished_at !== null) continue;
      await cancel(tx, id, clock.now(), MESSAGE);
      afterCommit(tx, () => changed(id));
    }
    return ids.length === PAGE ? AGAIN : undefined;
  };
}
