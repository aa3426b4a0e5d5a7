import {
  groupMembershipsOf,
  groupTopic,
  lockGroups,
  putGroupMember,
  removeGroupMembers,
  requireGroupRole,
} from '../access/index.ts';
import type { Account } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { badRequest, forbidden } from '../platform/http/errors.ts';

export interface WantedGroup {
  readonly id: string;
  readonly role: string;
}

interface Change {
  readonly tx: Executor;
  readonly caller: Caller;
  readonly org: Account;
  readonly user: Account;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly now: number;
}

const MANAGED = 'An identity provider manages the members of this resource group';

/**
 * Replaces the set of resource groups of a member (W§6.2). Throws 403 for a group of another organization, and for a
 * change of a group that an identity provider manages; such groups stay if the list omits them.
 */
export async function replaceGroupsOfMember(change: Change, wanted: readonly WantedGroup[]): Promise<void> {
  const { tx, caller, org, user, now } = change;
  const groups = new Map((await lockGroups(tx, org.id)).map((group) => [group.id, group]));
  if (groups.size === 0 && wanted.length === 0) return;
  const current = new Map(
    (await groupMembershipsOf(tx, user.id, [...groups.keys()])).map((row) => [row.group_id, row]),
  );
  const kept = new Set<string>();
  for (const [at, { id: given, role: wantedRole }] of wanted.entries()) {
    const id = given.toLowerCase();
    const path = `resourceGroups.${at}`;
    const group = groups.get(id);
    if (!group) throw forbidden(`body.${path}.id: is not a resource group of this organization`);
    if (kept.has(id)) throw badRequest(`body.${path}.id: is in the list twice`);
    kept.add(id);
    const { name: role, base } = await requireGroupRole(tx, org.id, wantedRole, `${path}.role`);
    const before = current.get(id);
    if (before?.role === role) continue;
    if (group.managed_by) throw forbidden(MANAGED);
    const addedBy = caller.principal.userId;
    await putGroupMember(tx, {
      ...{ group_id: id, user_id: user.id, role, base_role: base },
      ...{ added_by: addedBy, created_at: now, by_sign_in: 0 },
    });
    const type = before ? 'resource_group.change_role' : 'resource_group.add_users';
    const what = before ? `from ${before.role} to ${role}` : `with the role ${role}`;
    const message = before
      ? `Changed the role of ${user.name} in ${group.name} ${what}`
      : `Added ${user.name} to ${group.name} ${what}`;
    await record(change, type, message, { group, before: before?.role, after: role });
  }
  for (const [id, row] of current) {
    const group = groups.get(id);
    if (!group || kept.has(id) || group.managed_by) continue;
    await removeGroupMembers(tx, id, [user.id]);
    const left = { action: 'remove_users', groupId: id, orgId: org.id, userIds: [user.id] } as const;
    await change.events.record(tx, groupTopic, { ...left, actorId: caller.principal.userId });
    await record(change, 'resource_group.remove_users', `Removed ${user.name} from ${group.name}`, {
      group,
      before: row.role,
    });
  }
}

const record = (
  { tx, caller, org, user, audit }: Change,
  type: `resource_group.${'add_users' | 'remove_users' | 'change_role'}`,
  message: string,
  { group, ...roles }: { group: { id: string; name: string }; before?: string | undefined; after?: string },
) =>
  audit.record(tx, caller, {
    orgId: org.id,
    type,
    message,
    data: {
      resourceGroup: { id: group.id, name: group.name },
      users: [{ _id: user.id, user: user.name, ...roles }],
    },
  });
