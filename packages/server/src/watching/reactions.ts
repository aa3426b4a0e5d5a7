import { sql } from 'kysely';
import { type GroupEvent, hasAccess, type MembershipEvent, membershipRole } from '../access/index.ts';
import { whereIn } from '../platform/database/where-in.ts';
import type { Reaction } from '../platform/events/reaction.ts';
import { forgetOrganization, forgetUnreadable, watchOrganization } from './store.ts';

/**
 * Joining an organization watches it, leaving it ends that; another role among those with access leaves what is watched
 * to the user, but for what an admin alone could read. What holds now decides, so that the order of events does not
 * matter.
 */
export const followMemberships: Reaction<MembershipEvent> = async (tx, event) => {
  const { orgId, userId, before } = event.data;
  const role = await membershipRole(tx, orgId, userId);
  const belongs = hasAccess(role);
  if (belongs && !hasAccess(before)) await watchOrganization(tx, userId, orgId, event.createdAt);
  if (!belongs && hasAccess(before)) await forgetOrganization(tx, userId, orgId);
  if (belongs && before === 'admin' && role !== 'admin')
    await forgetUnreadable(tx, { userIds: [userId], repos: sql`repositories.owner_id = ${orgId}` });
  return undefined;
};

/** Who may no longer read a repository, as its group or who is in it changed, watches it no more. */
export const followGroups: Reaction<GroupEvent> = async (tx, event) => {
  const { groupId, repoIds, userIds } = event.data;
  const repos = repoIds
    ? whereIn(tx, 'repositories.id', repoIds)
    : sql<boolean>`repositories.resource_group_id = ${groupId}`;
  await forgetUnreadable(tx, { userIds, repos });
  return undefined;
};
