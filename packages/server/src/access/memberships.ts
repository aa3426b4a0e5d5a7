import type { BuiltInRole } from '@moonbase/contract/primitives';
import type { Clock } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/record.ts';
import { membershipRole, removeMembership, setMembership } from './store.ts';

/** Somebody joined an organization, left it, or has another role in it: the data of the topic membership. */
export interface MembershipEvent {
  readonly orgId: string;
  readonly userId: string;
  /** Null: left. */
  readonly role: BuiltInRole | null;
  /** Null: was no member. */
  readonly before: BuiltInRole | null;
  readonly actorId: string;
}

type Member = Pick<MembershipEvent, 'orgId' | 'userId' | 'actorId'>;

export type Memberships = ReturnType<typeof createMemberships>;

/** The one way to change who belongs to an organization: with its event. */
export function createMemberships({ clock, events }: { readonly clock: Clock; readonly events: Events }) {
  return {
    /** Adds a member or changes the role of one. */
    async set(tx: Executor, { role, ...member }: Member & { readonly role: BuiltInRole }): Promise<void> {
      const { orgId, userId } = member;
      const before = (await membershipRole(tx, orgId, userId)) ?? null;
      if (before === role) return;
      await setMembership(tx, { org_id: orgId, user_id: userId, role, created_at: clock.now() });
      await events.record(tx, 'membership', { ...member, role, before } satisfies MembershipEvent);
    },

    async remove(tx: Executor, member: Member): Promise<void> {
      const before = await membershipRole(tx, member.orgId, member.userId);
      if (before === undefined) return;
      await removeMembership(tx, member.orgId, member.userId);
      await events.record(tx, 'membership', { ...member, role: null, before } satisfies MembershipEvent);
    },
  };
}
