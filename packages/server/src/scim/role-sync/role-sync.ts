import { setImmediate } from 'node:timers/promises';
import { findRole, isAtLeast, type Memberships, type NamedRole } from '../../access/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { findGroup, type GroupChange, type ManagedUsers } from '../../resource-groups/index.ts';
import { setTaken, type Taken } from '../users/store.ts';
import { type LinkTargets, linksOf, linksOfUser, membersLinked } from './link-store.ts';
import { forgetOwnRole, keepOwnRole, returning, rolesIn, standingIn, wantedRoles } from './store.ts';

const MEMBERS_A_BREATH = 20;

export type RoleSync = ReturnType<typeof createRoleSync>;

interface Dependencies {
  readonly memberships: Memberships;
  readonly managedUsers: ManagedUsers;
}

/** Brings what members are in step with the groups of the identity provider. The organization must be locked. */
export function createRoleSync({ memberships, managedUsers }: Dependencies) {
  /** Brings some users of a resource group, or all, to the best of the roles that their groups give them. */
  async function inResourceGroup(tx: Executor, caller: Caller, groupId: string, userIds?: readonly string[]) {
    const group = await findGroup(tx, groupId);
    if (group?.managed_by !== 'scim') return;
    const wanted = await wantedRoles(tx, group.org_id, groupId, userIds);
    const change = { add: [], change: [], remove: [] } as {
      -readonly [Kind in keyof GroupChange]: GroupChange[Kind][number][];
    };
    const there = new Set<string>();
    for (const { userId: id, name, role: before } of await standingIn(tx, groupId, userIds)) {
      there.add(id);
      const role = wanted.get(id);
      if (!role) change.remove.push({ id, name });
      else if (role.name !== before) change.change.push({ id, name, role, before });
    }
    for (const [id, role] of wanted) if (!there.has(id)) change.add.push({ id, name: role.userName, role });
    await managedUsers.changeUsers(tx, caller, group, change);
  }

  /** A group never takes: a member has the better one of the role that is their own and the best of their groups. */
  async function inOrganization(tx: Executor, caller: Caller, orgId: string, userIds: readonly string[]) {
    const wanted = await wantedRoles(tx, orgId, null, userIds);
    for (const [at, member] of (await rolesIn(tx, orgId, userIds)).entries()) {
      // SQLite never pauses by itself: other requests are answered in between.
      if (at % MEMBERS_A_BREATH === 0) await setImmediate();
      const { userId, role, ownRole, givenRole } = member;
      const own = await ownRoleOf(tx, orgId, member);
      const given = wanted.get(userId);
      const better = given && !isAtLeast(own.base, given.base) ? given : undefined;
      const target = better ?? own;
      if (!better && ownRole !== null) await forgetOwnRole(tx, orgId, userId);
      if (better && (ownRole !== own.name || givenRole !== better.name))
        await keepOwnRole(tx, orgId, userId, { own_role: own.name, given_role: better.name });
      if (target.name !== role) await memberships.set(tx, caller, { orgId, userId, role: target.name });
    }
  }

  async function follow(
    tx: Executor,
    caller: Caller,
    orgId: string,
    { resourceGroupIds, organization }: LinkTargets,
    userIds: readonly string[],
  ): Promise<void> {
    if (userIds.length === 0) return;
    for (const id of [...new Set(resourceGroupIds)].sort()) await inResourceGroup(tx, caller, id, userIds);
    if (organization) await inOrganization(tx, caller, orgId, userIds);
  }

  /** Gives back the resource groups that a user was in, those that are still there and in nobody's care. */
  async function giveBack(tx: Executor, caller: Caller, orgId: string, userId: string, { groups }: Taken) {
    const { name } = (await tx.selectFrom('accounts').select('name').where('id', '=', userId).executeTakeFirst()) ?? {};
    for (const { id, role: roleName } of groups) {
      const group = await findGroup(tx, id);
      const role = await findRole(tx, orgId, roleName);
      if (!group || group.managed_by !== null || !role || role.base === 'no_access' || name === undefined) continue;
      await managedUsers.changeUsers(tx, caller, group, { add: [{ id: userId, name, role }], change: [], remove: [] });
    }
  }

  return {
    follow,
    inResourceGroup,

    /** Another one of the roles that groups give may be the best one, as a custom role stands on another base. */
    async rebased(tx: Executor, caller: Caller, orgId: string): Promise<void> {
      const { resourceGroupIds, organization } = await linksOf(tx, orgId);
      for (const id of [...new Set(resourceGroupIds)].sort()) await inResourceGroup(tx, caller, id);
      if (organization) await inOrganization(tx, caller, orgId, await membersLinked(tx, orgId));
    },

    /** Whoever comes back gets back what SCIM took, and what their groups give. */
    async joined(tx: Executor, caller: Caller, { orgId, userId }: { readonly orgId: string; readonly userId: string }) {
      const [known] = await returning(tx, { orgId, userId });
      if (!known) return;
      if (known.roles > 0) await forgetOwnRole(tx, orgId, userId);
      if (known.taken !== null) {
        await giveBack(tx, caller, orgId, userId, JSON.parse(known.taken) as Taken);
        await setTaken(tx, orgId, userId, null);
      }
      if (known.groups > 0) await follow(tx, caller, orgId, await linksOfUser(tx, orgId, userId), [userId]);
    },
  };
}

/** The role that a member has without any group: the one of now, where somebody changed what a group had given. */
export async function ownRoleOf(
  tx: Executor,
  orgId: string,
  { role, base, ownRole, givenRole }: Awaited<ReturnType<typeof rolesIn>>[number],
): Promise<NamedRole> {
  if (ownRole === null || givenRole !== role) return { name: role, base };
  return (await findRole(tx, orgId, ownRole)) ?? { name: 'read', base: 'read' };
}
