import type { BuiltInRole } from '@moonbase/contract/primitives';
import { findAccountById, lockAccount } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import { createCollector, type Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/record.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import { countAdmins, membershipRole, removeMembership, searchKey, setMembership } from './store.ts';

/** Somebody joined an organization, left it, or has another role in it: the data of the topic membership. */
export interface MembershipEvent {
  readonly orgId: string;
  readonly userId: string;
  /** The built-in role that the role stands on. Null: left. */
  readonly role: BuiltInRole | null;
  /** Null: was no member. */
  readonly before: BuiltInRole | null;
  readonly actorId: string;
}

type Member = Pick<MembershipEvent, 'orgId' | 'userId' | 'actorId'>;

export type Memberships = ReturnType<typeof createMemberships>;

/**
 * The one way to change who belongs to an organization: with its event, and never to none of its admins (409). The
 * last of these is judged at the end of the transaction, as one who goes may be followed by another.
 */
export function createMemberships({ clock, events }: { readonly clock: Clock; readonly events: Events }) {
  const leftByAdmins = createCollector<string>(async (tx, orgIds) => {
    for (const orgId of new Set(orgIds)) {
      if ((await countAdmins(tx, orgId)) === 0 && (await findAccountById(tx, orgId)))
        throw conflict('An organization always keeps one admin; make somebody else an admin first');
    }
  });

  return {
    /** Adds a member or changes the role of one. `role` is a name, `base` the built-in role it stands on. */
    async set(
      tx: Executor,
      { role, base, ...member }: Member & { readonly role: string; readonly base: BuiltInRole },
    ): Promise<void> {
      const { orgId, userId } = member;
      await lockAccount(tx, orgId);
      const before = (await membershipRole(tx, orgId, userId)) ?? null;
      const user = await findAccountById(tx, userId);
      if (!user) throw notFound('This user is gone');
      await setMembership(tx, {
        org_id: orgId,
        user_id: userId,
        role,
        base_role: base,
        created_at: clock.now(),
        search_key: searchKey(user),
      });
      if (before === base) return;
      if (before === 'admin') leftByAdmins.add(tx, [orgId]);
      await events.record(tx, 'membership', { ...member, role: base, before } satisfies MembershipEvent);
    },

    async remove(tx: Executor, member: Member): Promise<void> {
      await lockAccount(tx, member.orgId);
      const before = await membershipRole(tx, member.orgId, member.userId);
      if (before === undefined) return;
      await removeMembership(tx, member.orgId, member.userId);
      if (before === 'admin') leftByAdmins.add(tx, [member.orgId]);
      await events.record(tx, 'membership', { ...member, role: null, before } satisfies MembershipEvent);
    },
  };
}
