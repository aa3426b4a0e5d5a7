import type { BuiltInRole } from '@moonbase/contract/primitives';
import { findAccountById } from '../accounts/index.ts';
import type { AuditEntry, AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/record.ts';
import type { Caller } from '../platform/http/authenticate.ts';
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

type Member = Pick<MembershipEvent, 'orgId' | 'userId'>;

export type Memberships = ReturnType<typeof createMemberships>;

interface Change {
  readonly role: BuiltInRole | null;
  readonly before: BuiltInRole | null;
  /** Done to oneself. */
  readonly self: boolean;
}

function entryOf(user: { _id: string; user: string }, { role, before, self }: Change): Omit<AuditEntry, 'orgId'> {
  const name = user.user;
  if (before === null)
    return { type: 'org.add_user', message: `Added ${name} with the role ${role}`, data: { user, role } };
  if (role !== null)
    return {
      type: 'org.change_role',
      message: `Changed the role of ${name} from ${before} to ${role}`,
      data: { user, before, role },
    };
  return self
    ? { type: 'org.leave', message: 'Left the organization', data: { user, before } }
    : { type: 'org.remove_user', message: `Removed ${name}`, data: { user, before } };
}

interface Dependencies {
  readonly clock: Clock;
  readonly events: Events;
  readonly audit: AuditLog;
}

/** The one way to change who belongs to an organization: with its event, and the record of it. */
export function createMemberships({ clock, events, audit }: Dependencies) {
  async function changed(tx: Executor, caller: Caller, { role, before, ...member }: Omit<MembershipEvent, 'actorId'>) {
    const { orgId, userId } = member;
    const actorId = caller.principal.userId;
    await events.record(tx, 'membership', { ...member, role, before, actorId } satisfies MembershipEvent);
    const user = { _id: userId, user: (await findAccountById(tx, userId))?.name ?? userId };
    await audit.record(tx, caller, { orgId, ...entryOf(user, { role, before, self: userId === actorId }) });
  }

  return {
    /** Adds a member or changes the role of one. */
    async set(tx: Executor, caller: Caller, { role, ...member }: Member & { readonly role: BuiltInRole }) {
      const { orgId, userId } = member;
      const before = (await membershipRole(tx, orgId, userId)) ?? null;
      if (before === role) return;
      await setMembership(tx, { org_id: orgId, user_id: userId, role, created_at: clock.now() });
      await changed(tx, caller, { ...member, role, before });
    },

    async remove(tx: Executor, caller: Caller, member: Member): Promise<void> {
      const before = await membershipRole(tx, member.orgId, member.userId);
      if (before === undefined) return;
      await removeMembership(tx, member.orgId, member.userId);
      await changed(tx, caller, { ...member, role: null, before });
    },
  };
}
