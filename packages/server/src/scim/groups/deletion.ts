import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { defineTask, type StepOf, type Tasks } from '../../platform/queue/tasks.ts';
import { deleteLinksOfGroup } from '../role-sync/link-store.ts';
import { MEMBERS_A_STEP } from '../role-sync/role-sync.ts';
import type { ScimGroupRow } from '../tables.ts';
import { deleteGroup, deleteMembers, hideGroup, memberIdsOf } from './store.ts';

/** The maximum number of members deleted per step. */
const MAX_DELETED = 1000;

export const purgeScimGroupTask = defineTask('scim.purge-group', z.object({ groupId: z.string() }));

/** Deletes the remains of a deleted group, its members first. */
export const purgeScimGroup: StepOf<typeof purgeScimGroupTask> = async (tx, { data }) => {
  if ((await deleteMembers(tx, data.groupId, MAX_DELETED)) === MAX_DELETED) return { data };
  await deleteGroup(tx, data.groupId);
  return 'done';
};

/**
 * Creates the function that deletes a group with its links: it is hidden at once and no longer gives roles. The members
 * of a large group are deleted in steps. Returns the members of a small group; of a large one, just enough to show that
 * it is large.
 */
export const createGroupDeletion =
  ({ clock, tasks }: { readonly clock: Clock; readonly tasks: Tasks }) =>
  async (tx: Executor, { id: groupId }: ScimGroupRow): Promise<readonly string[]> => {
    const members = await memberIdsOf(tx, groupId, MEMBERS_A_STEP + 1);
    await deleteLinksOfGroup(tx, groupId);
    if (members.length <= MEMBERS_A_STEP) await deleteGroup(tx, groupId);
    else {
      await hideGroup(tx, groupId, clock.now());
      await tasks.enqueue(tx, purgeScimGroupTask, { groupId });
    }
    return members;
  };
