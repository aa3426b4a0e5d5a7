import type { Events } from '../platform/events/events.ts';
import type { Reaction } from '../platform/events/reaction.ts';
import { groupHoldersAfter, holdersAfter } from './custom-role-store.ts';
import { groupTopic, membershipTopic, type RoleEvent } from './events.ts';

const PAGE = 500;

/** Records a membership event for every holder of a role whose base role changed. */
export const announceToMembers =
  (events: Events): Reaction<RoleEvent> =>
  async (tx, event, after = '') => {
    const { orgId, name, base, before, actorId } = event.data;
    const userIds = await holdersAfter(tx, orgId, name, after, PAGE);
    for (const userId of userIds)
      await events.record(tx, membershipTopic, { orgId, userId, role: base, before, actorId });
    return userIds.length < PAGE ? undefined : userIds.at(-1);
  };

/** Records group events if a role no longer gives access, which ends what its holders see in resource groups. */
export const announceToGroups =
  (events: Events): Reaction<RoleEvent> =>
  async (tx, event, after) => {
    const { orgId, name, base, actorId } = event.data;
    if (base !== 'no_access') return undefined;
    const [afterGroup = '', afterUser = ''] = after?.split(' ') ?? [];
    const holders = await groupHoldersAfter(tx, orgId, name, { groupId: afterGroup, userId: afterUser }, PAGE);
    for (const groupId of new Set(holders.map((holder) => holder.groupId))) {
      const userIds = holders.filter((holder) => holder.groupId === groupId).map((holder) => holder.userId);
      await events.record(tx, groupTopic, { action: 'remove_users', groupId, orgId, userIds, actorId });
    }
    const last = holders.at(-1);
    return holders.length < PAGE || !last ? undefined : `${last.groupId} ${last.userId}`;
  };
