import type { Memberships } from '../../access/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { findGroup, type ManagedUsers } from '../../resource-groups/index.ts';
import { groupChange, type RoleChanges, roleChanges, withoutMembers } from './role-changes.ts';
import { deleteGivenRoles, hasOtherAdmin, membersIn, rolesIn, storeGivenRoles, wantedRoles } from './store.ts';
import type { RoleTarget } from './target.ts';

export interface SynchronizeDependencies {
  readonly memberships: Memberships;
  readonly managedUsers: ManagedUsers;
}

export type Synchronize = ReturnType<typeof createSynchronize>;

/**
 * Creates the functions that give users the current roles of their groups in a target, with a number of statements that
 * does not depend on the number of users. The organization must be locked.
 */
export function createSynchronize({ memberships, managedUsers }: SynchronizeDependencies) {
  async function inResourceGroup(
    tx: Executor,
    actor: Actor,
    target: RoleTarget,
    id: string,
    userIds: readonly string[],
  ) {
    const group = await findGroup(tx, id);
    if (group?.managed_by !== 'scim') return;
    const wanted = await wantedRoles(tx, target, userIds);
    await managedUsers.changeUsers(tx, actor, group, groupChange(await membersIn(tx, id, userIds), wanted));
  }

  const changesIn = async (tx: Executor, target: RoleTarget, userIds: readonly string[]): Promise<RoleChanges> =>
    roleChanges(await rolesIn(tx, target.orgId, userIds), await wantedRoles(tx, target, userIds));

  async function apply(tx: Executor, actor: Actor, orgId: string, { roles, given, ownAgain }: RoleChanges) {
    await deleteGivenRoles(tx, orgId, ownAgain);
    await storeGivenRoles(tx, orgId, given);
    await memberships.setAll(tx, actor, orgId, roles);
  }

  async function allOrNothing(
    tx: Executor,
    actor: Actor,
    target: RoleTarget,
    userIds: readonly string[],
  ): Promise<void> {
    if (userIds.length === 0) return;
    const { orgId, resourceGroupId } = target;
    if (resourceGroupId !== null) await inResourceGroup(tx, actor, target, resourceGroupId, userIds);
    else await apply(tx, actor, orgId, await changesIn(tx, target, userIds));
  }

  return {
    /** The transaction fails with 409 if it would remove the last admin of the organization. */
    allOrNothing,

    /**
     * Leaves users unchanged whose demotion would leave the organization without an admin. Returns whether there were
     * any.
     */
    async exceptLastAdmins(
      tx: Executor,
      actor: Actor,
      target: RoleTarget,
      userIds: readonly string[],
    ): Promise<boolean> {
      const { orgId, resourceGroupId } = target;
      if (userIds.length === 0 || resourceGroupId !== null) {
        await allOrNothing(tx, actor, target, userIds);
        return false;
      }
      const changes = await changesIn(tx, target, userIds);
      const { demoted } = changes;
      const spared = demoted.length > 0 && !(await hasOtherAdmin(tx, orgId, demoted));
      await apply(tx, actor, orgId, spared ? withoutMembers(changes, demoted) : changes);
      return spared;
    },
  };
}
