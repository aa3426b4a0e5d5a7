import { addGroupMembers, groupTopic, removeGroupMembers, requireGroupRole, setGroupRole } from '../access/index.ts';
import { nameKey } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { forbidden, notFound } from '../platform/http/errors.ts';
import { changeGroup, type Dependencies } from './change-group.ts';
import { memberRows, type NamedUser, resolveUsers } from './named-users.ts';
import { findGroupUser, type Group } from './store.ts';

/** Throws 403 if an identity provider manages the members of the group (W§6.3). */
export function requireManual({ managed_by }: Pick<Group, 'managed_by'>): void {
  if (managed_by !== null) throw forbidden('SCIM manages who is in this resource group; change it there');
}

async function memberOf(tx: Executor, group: Group, username: string) {
  const user = await findGroupUser(tx, group.id, nameKey(username));
  if (!user) throw notFound(`There is no user named ${username} in this resource group`);
  return user;
}

/** The verbs by which callers change the members of groups; they throw 403 for groups whose members SCIM manages. */
export function createGroupUsers(dependencies: Dependencies) {
  const { clock, events, audit } = dependencies;

  return {
    addUsers: (caller: Caller, organization: string, groupId: string, users: readonly NamedUser[]) =>
      changeGroup(dependencies, caller, organization, groupId, async (tx, group) => {
        requireManual(group);
        const members = await resolveUsers(tx, { id: group.id, orgId: group.org_id }, users);
        const common = { group_id: group.id, added_by: caller.principal.userId, created_at: clock.now() };
        await addGroupMembers(tx, memberRows(members, common));
        await audit.record(tx, caller, {
          orgId: group.org_id,
          type: 'resource_group.add_users',
          message: `Added ${members.map(({ name }) => name).join(', ')} to the resource group ${group.name}`,
          data: { id: group.id, users: members.map(({ name, role }) => ({ user: name, role })) },
        });
      }),

    setUserRole: (caller: Caller, organization: string, groupId: string, username: string, roleName: string) =>
      changeGroup(dependencies, caller, organization, groupId, async (tx, group) => {
        const user = await memberOf(tx, group, username);
        requireManual(group);
        const role = await requireGroupRole(tx, group.org_id, roleName, 'role');
        if (role.name === user.role) return;
        await setGroupRole(tx, group.id, [user.id], { ...role, bySignIn: false });
        await audit.record(tx, caller, {
          orgId: group.org_id,
          type: 'resource_group.change_role',
          message: `Changed the role of ${user.name} in the resource group ${group.name} to ${role.name}`,
          data: { id: group.id, user: user.name, before: user.role, after: role.name },
        });
      }),

    removeUser: (caller: Caller, organization: string, groupId: string, username: string) =>
      changeGroup(dependencies, caller, organization, groupId, async (tx, group) => {
        const user = await memberOf(tx, group, username);
        requireManual(group);
        await removeGroupMembers(tx, group.id, [user.id]);
        await audit.record(tx, caller, {
          orgId: group.org_id,
          type: 'resource_group.remove_users',
          message: `Removed ${user.name} from the resource group ${group.name}`,
          data: { id: group.id, users: [user.name] },
        });
        const { id: groupId, org_id: orgId } = group;
        const actorId = caller.principal.userId;
        await events.record(tx, groupTopic, { action: 'remove_users', groupId, orgId, userIds: [user.id], actorId });
      }),
  };
}
