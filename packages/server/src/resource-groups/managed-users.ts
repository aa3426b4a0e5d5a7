import {
  addGroupMembers,
  groupTopic,
  type NamedRole,
  removeGroupMembers,
  setGroupRole,
  updateGroup,
} from '../access/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Actor } from '../platform/http/actor.ts';
import { conflict } from '../platform/http/errors.ts';
import type { Dependencies } from './change-group.ts';
import { countUsers, findGroup, type Group } from './store.ts';

interface User {
  readonly id: string;
  readonly name: string;
}

/** Changes of a group's members: users to add, to give another role, and to remove. */
export interface GroupChange {
  readonly add: readonly (User & { readonly role: NamedRole })[];
  readonly change: readonly (User & { readonly role: NamedRole; readonly before: string })[];
  readonly remove: readonly User[];
}

/** The maximum number of users in one event of the audit log. */
const USERS_AN_EVENT = 500;

function* partsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += USERS_AN_EVENT) yield items.slice(from, from + USERS_AN_EVENT);
}

const names = (users: readonly User[]): string =>
  users.length > 5 ? `${users.length} users` : users.map(({ name }) => name).join(', ');

export type ManagedUsers = ReturnType<typeof createManagedUsers>;

interface ManagingDependencies extends Pick<Dependencies, 'clock' | 'events' | 'audit'> {
  /** Whether the changes follow from the mapping of an OpenID provider, at a sign-in. */
  readonly bySignIn: boolean;
}

/** Changes of groups by an identity provider, without permission checks. The organization must be locked. */
export function createManagedUsers({ clock, events, audit, bySignIn }: ManagingDependencies) {
  async function changeUsers(tx: Executor, actor: Actor, group: Group, { add, change, remove }: GroupChange) {
    const { id: groupId, org_id: orgId } = group;
    const { userId: actorId } = actor.principal;
    const record = async (
      type: `resource_group.${'add' | 'remove'}_users`,
      message: string,
      users: readonly unknown[],
    ) => audit.record(tx, actor, { orgId, type, message, data: { id: groupId, users } });
    const common = {
      ...{ group_id: groupId, added_by: actorId, created_at: clock.now() },
      by_sign_in: bySignIn ? 1 : 0,
    };
    const rows = add.map(({ id, role }) => ({ ...common, user_id: id, role: role.name, base_role: role.base }));
    await addGroupMembers(tx, rows);
    for (const part of partsOf(add)) {
      const users = part.map(({ name, role }) => ({ user: name, role: role.name }));
      await record('resource_group.add_users', `Added ${names(part)} to the resource group ${group.name}`, users);
    }
    for (const role of new Map(change.map(({ role }) => [role.name, role])).values()) {
      const holders = change.filter((user) => user.role.name === role.name);
      const ids = holders.map(({ id }) => id);
      await setGroupRole(tx, groupId, ids, { ...role, bySignIn });
      for (const { name, before } of holders)
        await audit.record(tx, actor, {
          orgId,
          type: 'resource_group.change_role',
          message: `Changed the role of ${name} in the resource group ${group.name} to ${role.name}`,
          data: { id: groupId, user: name, before, after: role.name },
        });
    }
    for (const part of partsOf(remove)) {
      const userIds = part.map(({ id }) => id);
      await removeGroupMembers(tx, groupId, userIds);
      const message = `Removed ${names(part)} from the resource group ${group.name}`;
      await record(
        'resource_group.remove_users',
        message,
        part.map(({ name }) => name),
      );
      await events.record(tx, groupTopic, { action: 'remove_users', groupId, orgId, userIds, actorId });
    }
  }

  async function settled(tx: Executor, actor: Actor, group: Group, managedBy: 'scim' | null): Promise<void> {
    await updateGroup(tx, group.id, { managed_by: managedBy });
    await audit.record(tx, actor, {
      orgId: group.org_id,
      type: 'resource_group.settings',
      message: `${managedBy ? 'SCIM manages' : 'SCIM no longer manages'} who is in the resource group ${group.name}`,
      data: { id: group.id, managedBy },
    });
  }

  return {
    changeUsers,

    /**
     * Makes SCIM manage a group, which rules manual changes of its members out. Throws 409 if the group has members or
     * automatic joining (W§6.3).
     */
    async takeOver(tx: Executor, actor: Actor, group: Group): Promise<void> {
      if (group.managed_by !== null) return;
      if (group.auto_join_role !== null)
        throw conflict('Members join this resource group by themselves; end that first');
      if ((await countUsers(tx, group.id)) > 0)
        throw conflict('The resource group must be empty: remove its users first');
      await settled(tx, actor, group, 'scim');
    },

    /** Returns an empty group to manual management. A group with members stays with SCIM, which empties it first. */
    async releaseEmpty(tx: Executor, actor: Actor, groupId: string): Promise<void> {
      const group = await findGroup(tx, groupId);
      if (group?.managed_by !== 'scim' || (await countUsers(tx, groupId)) > 0) return;
      await settled(tx, actor, group, null);
    },
  };
}
