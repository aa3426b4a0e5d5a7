import { findRole, markProvisioned, type SomeMembers } from '../../access/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { findGroup, type ManagedUsers } from '../../resource-groups/index.ts';
import { type FormerMembership, parseFormerMembership, storeFormerMembership } from '../users/store.ts';
import { linksOfUsers } from './link-store.ts';
import { findFormerMembers } from './rejoin-store.ts';
import type { RoleSync } from './role-sync.ts';
import { deleteGivenRoles } from './store.ts';

interface Dependencies {
  readonly managedUsers: ManagedUsers;
  readonly roleSync: RoleSync;
}

/** Restores what SCIM took from returning users, and gives them the roles of their groups. */
export function createRejoin({ managedUsers, roleSync }: Dependencies) {
  /** Restores memberships in resource groups, except groups that were deleted or are managed by now. */
  async function restoreGroups(
    tx: Executor,
    actor: Actor,
    orgId: string,
    user: { readonly id: string; readonly name: string },
    { groups }: FormerMembership,
  ): Promise<void> {
    for (const { id, role: roleName } of groups) {
      const group = await findGroup(tx, id);
      const role = await findRole(tx, orgId, roleName);
      if (!group || group.managed_by !== null || !role || role.base === 'no_access') continue;
      await managedUsers.changeUsers(tx, actor, group, { add: [{ ...user, role }], change: [], remove: [] });
    }
  }

  return async function rejoin(tx: Executor, actor: Actor, { orgId, userIds }: SomeMembers): Promise<void> {
    const known = await findFormerMembers(tx, orgId, userIds);
    const idsOf = (some: typeof known) => some.map(({ userId }) => userId);
    const provisioned = idsOf(known.filter(({ users }) => users > 0));
    if (provisioned.length > 0) await markProvisioned(tx, orgId, provisioned);
    await deleteGivenRoles(tx, orgId, idsOf(known.filter(({ roles }) => roles > 0)));
    for (const { userId, name, taken } of known) {
      if (taken === null) continue;
      await restoreGroups(tx, actor, orgId, { id: userId, name }, parseFormerMembership(taken));
      await storeFormerMembership(tx, orgId, userId, null);
    }
    const grouped = idsOf(known.filter(({ groups }) => groups > 0));
    if (grouped.length > 0) await roleSync.follow(tx, actor, await linksOfUsers(tx, orgId, grouped), grouped);
  };
}
