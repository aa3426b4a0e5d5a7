import { type GroupEvent, hasAccess, haveSameView, type MembershipEvent, membershipRole } from '../access/index.ts';
import type { Reaction } from '../platform/events/reaction.ts';
import { unwatchOrganization, watchOrganization } from './follow-organization.ts';
import { deleteUnreadable } from './store.ts';

/**
 * Members watch their organization from the time they join until they leave. A member whose role changes keeps the watches,
 * but a former admin loses those on repositories that only admins may read. The present role decides, so that the order of
 * events does not matter.
 */
export const followMemberships: Reaction<MembershipEvent> = async (tx, event) => {
  const { orgId, userId, before } = event.data;
  if (haveSameView(event.data.role, before)) return undefined;
  const role = await membershipRole(tx, orgId, userId);
  const belongs = hasAccess(role);
  if (belongs && !hasAccess(before)) await watchOrganization(tx, [userId], orgId, event.createdAt);
  if (!belongs && hasAccess(before)) await unwatchOrganization(tx, userId, orgId);
  if (belongs && before === 'admin' && role !== 'admin') await deleteUnreadable(tx, { ownerId: orgId }, [userId]);
  return undefined;
};

/** Users who lost a repository, because its resource group or the members of that group changed, no longer watch it. */
export const followGroups: Reaction<GroupEvent> = async (tx, event) => {
  const { groupId, repoIds, userIds } = event.data;
  await deleteUnreadable(tx, repoIds ? { ids: repoIds } : { groupId }, userIds);
  return undefined;
};
