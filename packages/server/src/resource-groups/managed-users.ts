import { addGroupMembers, groupTopic, type NamedRole } from '../access/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict } from '../platform/http/errors.ts';
import type { Dependencies } from './changing.ts';
import { countUsers, findGroup, type Group, removeUsers, setUsersRole, updateGroup } from './store.ts';

interface User {
  readonly id: string;
  readonly name: string;
}

/** Who comes into a group with which role, gets another one there, and leaves. */
export interface GroupChange {
  readonly add: readonly (User & { readonly role: NamedRole })[];
  readonly change: readonly (User & { readonly role: NamedRole; readonly before: string })[];
  readonly remove: readonly User[];
}

/** An event of the audit log names so many users at the most. */
const USERS_AN_EVENT = 500;

function* partsOf<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += USERS_AN_EVENT) yield items.slice(from, from + USERS_AN_EVENT);
}

const names = (users: readonly User[]): string =>
  users.length > 5 ? `${users.length} users` : users.map(({ name }) => name).join(', ');

export type ManagedUsers = ReturnType<typeof createManagedUsers>;

/** What an identity provider does to groups, without asking who may. The organization must be locked. */
export function createManagedUsers({ clock, events, audit }: Pick<Dependencies, 'clock' | 'events' | 'audit'>) {
  async function changeUsers(tx: Executor, caller: Caller, group: Group, { add, change, remove }: GroupChange) {
    const { id: groupId, org_id: orgId } = group;
    const { userId: actorId } = caller.principal;
    const record = async (
      type: `resource_group.${'add' | 'remove'}_users`,
      message: string,
      users: readonly unknown[],
    ) => audit.record(tx, caller, { orgId, type, message, data: { id: groupId, users } });
    const common = { group_id: groupId, added_by: actorId, created_at: clock.now() };
    const rows = add.map(({ id, role }) => ({ ...common, user_id: id, role: role.name, base_role: role.base }));
    await addGroupMembers(tx, rows);
    for (const part of partsOf(add)) {
      const users = part.map(({ name, role }) => ({ user: name, role: role.name }));
      await record('resource_group.add_users', `Added ${names(part)} to the resource group ${group.name}`, users);
    }
    for (const role of new Map(change.map(({ role }) => [role.name, role])).values()) {
      const holders = change.filter((user) => user.role.name === role.name);
      const ids = holders.map(({ id }) => id);
      await setUsersRole(tx, groupId, ids, role);
      for (const { name, before } of holders)
        await audit.record(tx, caller, {
          orgId,
          type: 'resource_group.change_role',
          message: `Changed the role of ${name} in the resource group ${group.name} to ${role.name}`,
          data: { id: groupId, user: name, before, after: role.name },
        });
    }
    for (const part of partsOf(remove)) {
      const userIds = part.map(({ id }) => id);
      await removeUsers(tx, groupId, userIds);
      const message = `Removed ${names(part)} from the resource group ${group.name}`;
      await record(
        'resource_group.remove_users',
        message,
        part.map(({ name }) => name),
      );
      await events.record(tx, groupTopic, { action: 'remove_users', groupId, orgId, userIds, actorId });
    }
  }

  async function settled(tx: Executor, caller: Caller, group: Group, managedBy: 'scim' | null): Promise<void> {
    await updateGroup(tx, group.id, { managed_by: managedBy });
    await audit.record(tx, caller, {
      orgId: group.org_id,
      type: 'resource_group.settings',
      message: `${managedBy ? 'SCIM manages' : 'SCIM no longer manages'} who is in the resource group ${group.name}`,
      data: { id: group.id, managedBy },
    });
  }

  return {
    changeUsers,

    /** From now on nobody changes by hand who is in the group. 409 for one with members or with auto-join (W§6.3). */
    async takeOver(tx: Executor, caller: Caller, group: Group): Promise<void> {
      if (group.managed_by !== null) return;
      if (group.auto_join_role !== null)
        throw conflict('Members join this resource group by themselves; end that first');
      if ((await countUsers(tx, group.id)) > 0) throw conflict('Somebody is in this resource group; it must be empty');
      await settled(tx, caller, group, 'scim');
    },

    async release(tx: Executor, caller: Caller, groupId: string): Promise<void> {
      const group = await findGroup(tx, groupId);
      if (group?.managed_by === 'scim') await settled(tx, caller, group, null);
    },
  };
}
