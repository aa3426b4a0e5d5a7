import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Events } from '../platform/events/events.ts';
import type { Reaction } from '../platform/events/relay.ts';
import { groupHoldersAfter, holdersAfter } from './custom-role-store.ts';
import type { GroupEvent } from './group-events.ts';
import type { MembershipEvent } from './memberships.ts';

/** A custom role stands on another base: the data of the topic role. */
export interface RoleEvent {
  readonly orgId: string;
  readonly name: string;
  readonly base: BuiltInRole;
  readonly before: BuiltInRole;
  readonly actorId: string;
}

const PAGE = 500;

/** For every member with the role, what follows is what follows from a change of the member's own role. */
export const announceToMembers =
  (events: Events): Reaction =>
  async (tx, event, after = '') => {
    const { orgId, name, base, before, actorId } = event.data as RoleEvent;
    const userIds = await holdersAfter(tx, orgId, name, after, PAGE);
    for (const userId of userIds)
      await events.record(tx, 'membership', { orgId, userId, role: base, before, actorId } satisfies MembershipEvent);
    return userIds.length < PAGE ? undefined : userIds.at(-1);
  };

/** A role that has become none ends what its holders see in resource groups. */
export const announceToGroups =
  (events: Events): Reaction =>
  async (tx, event, after) => {
    const { orgId, name, base, actorId } = event.data as RoleEvent;
    if (base !== 'no_access') return undefined;
    const [afterGroup = '', afterUser = ''] = after?.split(' ') ?? [];
    const holders = await groupHoldersAfter(tx, orgId, name, { groupId: afterGroup, userId: afterUser }, PAGE);
    for (const groupId of new Set(holders.map((holder) => holder.groupId))) {
      const userIds = holders.filter((holder) => holder.groupId === groupId).map((holder) => holder.userId);
      const lost: GroupEvent = { action: 'remove_users', groupId, orgId, userIds, actorId };
      await events.record(tx, 'group', lost);
    }
    const last = holders.at(-1);
    return holders.length < PAGE || !last ? undefined : `${last.groupId} ${last.userId}`;
  };
