import { autoJoin, findRole, hasAccess, type MembershipEvent } from '../access/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Reaction } from '../platform/events/reaction.ts';
import { autoJoinGroups } from './store.ts';

/**
 * Adds new members of an organization to its groups with automatic joining; groups with the scope `read_plus` also when
 * a member's role begins to give access. Current rows decide, so that users who have left in the meantime are not
 * added.
 */
export const followAutoJoin =
  (clock: Clock): Reaction<MembershipEvent> =>
  async (tx, event) => {
    const { orgId, userId, role, before } = event.data;
    if (role === null || hasAccess(before)) return undefined;
    for (const group of await autoJoinGroups(tx, orgId)) {
      const { id: groupId, auto_join_role: name, auto_join_scope: scope } = group;
      if (name === null || (scope === 'all' && before !== null)) continue;
      const base = (await findRole(tx, orgId, name))?.base;
      if (!hasAccess(base)) continue;
      await autoJoin(tx, { groupId, orgId, role: name, base, scope, now: clock.now() }, userId);
    }
    return undefined;
  };
