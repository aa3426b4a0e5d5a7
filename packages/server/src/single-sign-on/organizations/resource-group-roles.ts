import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { createManagedUsers, findGroup, groupRolesOf } from '../../resource-groups/index.ts';
import type { RoleRules } from '../providers/provider.ts';
import { bestRole } from './best-role.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly events: Events;
  readonly audit: AuditLog;
}

/** A member who signs in, with the groups that the provider named. */
interface Member {
  readonly user: { readonly id: string; readonly name: string };
  /** Undefined: the provider says nothing about groups. */
  readonly groups: readonly string[] | undefined;
  readonly mapping: RoleRules['resourceGroups'];
}

/**
 * Creates the function that gives a member the role of the person's current groups in each mapped resource group, or
 * takes the member out of it. In resource groups that are not mapped, it takes back what earlier sign-ins gave; those that
 * SCIM manages stay as they are. The organization must be locked.
 */
export function createResourceGroupRoles(dependencies: Dependencies) {
  const { changeUsers } = createManagedUsers({ ...dependencies, bySignIn: true });

  return async (tx: Executor, actor: Actor, orgId: string, { user, groups, mapping }: Member): Promise<void> => {
    if (mapping === undefined) return;
    const { id, name } = user;
    const held = await groupRolesOf(tx, orgId, id);
    const standing = new Map(held.map((group) => [group.id, group.role]));
    const mapped = new Set(mapping.map(({ resourceGroupId }) => resourceGroupId));
    const noLongerMapped = held.filter((group) => group.bySignIn === 1 && !mapped.has(group.id));
    const decided = groups === undefined ? [] : [...mapped];
    for (const groupId of [...decided, ...noLongerMapped.map((group) => group.id)].sort()) {
      const group = await findGroup(tx, groupId);
      if (group?.org_id !== orgId || group.managed_by !== null) continue;
      const ofGroup = mapping.filter(({ resourceGroupId }) => resourceGroupId === groupId);
      const role = await bestRole(tx, orgId, groups ?? [], ofGroup);
      const before = standing.get(groupId);
      const given = role && role.base !== 'no_access' ? { id, name, role } : undefined;
      await changeUsers(tx, actor, group, {
        add: given && before === undefined ? [given] : [],
        change: given && before !== undefined && before !== given.role.name ? [{ ...given, before }] : [],
        remove: !given && before !== undefined ? [{ id, name }] : [],
      });
    }
  };
}
