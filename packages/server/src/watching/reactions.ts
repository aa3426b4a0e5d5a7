import { hasAccess, type MembershipEvent, membershipRole } from '../access/index.ts';
import type { Reaction } from '../platform/events/relay.ts';
import { forgetOrganization, watchOrganization } from './store.ts';

/**
 * Joining an organization watches it, leaving it ends that; another role among those with access leaves what is watched
 * to the user. What holds now decides, so that the order of events does not matter.
 */
export const followMemberships: Reaction = async (tx, event) => {
  const { orgId, userId, before } = event.data as MembershipEvent;
  const belongs = hasAccess(await membershipRole(tx, orgId, userId));
  if (belongs && !hasAccess(before)) await watchOrganization(tx, userId, orgId, event.createdAt);
  if (!belongs && hasAccess(before)) await forgetOrganization(tx, userId, orgId);
  return undefined;
};
