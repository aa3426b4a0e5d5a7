import { lastAdminConflict } from '../../access/index.ts';
import { lockAccount } from '../../accounts/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { type Actor, actorOf } from '../../platform/http/actor.ts';
import type { StepOf, Tasks } from '../../platform/queue/tasks.ts';
import type { ManagedUsers } from '../../resource-groups/index.ts';
import { isLinked, linksOf } from './link-store.ts';
import { roleSyncTask } from './role-sync-task.ts';
import { usersConcernedAfter, willKeepAdmin } from './store.ts';
import type { Synchronize } from './synchronize.ts';
import type { RoleTarget } from './target.ts';

/** The number of members that a request processes at once, and a task per step: about 30 ms on SQLite. */
export const MEMBERS_A_STEP = 250;

export type RoleSync = ReturnType<typeof createRoleSync>;

interface Dependencies {
  readonly tasks: Tasks;
  readonly managedUsers: ManagedUsers;
  readonly synchronize: Synchronize;
}

/**
 * Synchronizes the roles of members with the groups of the identity provider: for few members in the transaction of the
 * change, for many in steps of a task, each according to the current state. The organization must be locked.
 */
export function createRoleSync({ tasks, managedUsers, synchronize }: Dependencies) {
  /** Returns a resource group to manual management once it is empty and no group is linked to it. */
  async function releaseUnlinked(tx: Executor, actor: Actor, { resourceGroupId }: RoleTarget): Promise<void> {
    if (resourceGroupId !== null && !(await isLinked(tx, resourceGroupId)))
      await managedUsers.releaseEmpty(tx, actor, resourceGroupId);
  }

  /** Enqueues the synchronization of a target. Throws 409 if the organization would end up without an admin. */
  async function enqueue(tx: Executor, actor: Actor, target: RoleTarget): Promise<void> {
    if (target.resourceGroupId === null && !(await willKeepAdmin(tx, target.orgId))) throw lastAdminConflict();
    await tasks.enqueue(tx, roleSyncTask, { ...target, actor: actorOf(actor), after: '', spared: false, again: false });
  }

  async function synchronizeNow(
    tx: Executor,
    actor: Actor,
    target: RoleTarget,
    userIds: readonly string[],
  ): Promise<void> {
    await synchronize.allOrNothing(tx, actor, target, userIds);
    await releaseUnlinked(tx, actor, target);
  }

  const step: StepOf<typeof roleSyncTask> = async (tx, { data }) => {
    const { actor, orgId, resourceGroupId, after, again } = data;
    if (!(await lockAccount(tx, orgId))) return 'done';
    const target = { orgId, resourceGroupId };
    const userIds = await usersConcernedAfter(tx, target, after, MEMBERS_A_STEP);
    const spared = (await synchronize.exceptLastAdmins(tx, actor, target, userIds)) || data.spared;
    const last = userIds.at(-1);
    if (last !== undefined && userIds.length === MEMBERS_A_STEP) return { data: { ...data, after: last, spared } };
    // Other admins may have followed later in the order; whoever is the last admin now stays one.
    if (spared && !again) return { data: { ...data, after: '', spared: false, again: true } };
    await releaseUnlinked(tx, actor, target);
    return 'done';
  };

  return {
    step,

    /** Synchronizes after a change that concerns some users, at once if they are few. */
    async follow(
      tx: Executor,
      actor: Actor,
      targets: readonly RoleTarget[],
      userIds: readonly string[],
    ): Promise<void> {
      let room = MEMBERS_A_STEP;
      for (const target of targets) {
        room -= userIds.length;
        await (room >= 0 ? synchronizeNow(tx, actor, target, userIds) : enqueue(tx, actor, target));
      }
    },

    /** Synchronizes after a custom role got another base role, because another role may now be the best one. */
    async followRebasedRole(tx: Executor, actor: Actor, orgId: string): Promise<void> {
      let room = MEMBERS_A_STEP;
      for (const target of await linksOf(tx, orgId)) {
        const userIds = await usersConcernedAfter(tx, target, '', Math.max(room, 0) + 1);
        room -= userIds.length;
        await (room >= 0 ? synchronizeNow(tx, actor, target, userIds) : enqueue(tx, actor, target));
      }
    },
  };
}
