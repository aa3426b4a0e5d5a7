import type { BuiltInRole } from '@moonbase/contract/primitives';
import { findAccountById, lockAccount } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import { createCollector, type Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/record.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import { removeFromGroups } from './group-members.ts';
import { requireRole } from './roles.ts';
import { hasAdmin, membershipOf, removeMembership, searchKey, setMembership } from './store.ts';

/** Somebody joined an organization, left it, or has another role in it: the data of the topic membership. */
export interface MembershipEvent {
  readonly orgId: string;
  readonly userId: string;
  /** The built-in role that the role now stands on. Null: left. */
  readonly role: BuiltInRole | null;
  /** The same of the role before. Null: was no member. */
  readonly before: BuiltInRole | null;
  readonly actorId: string;
}

type Member = Pick<MembershipEvent, 'orgId' | 'userId' | 'actorId'>;

export type Memberships = ReturnType<typeof createMemberships>;

/** Organizations that lost an admin: judged at the end of the transaction, which may put another in the place. */
const lostAdmins = createCollector<string>(async (tx, orgIds) => {
  for (const orgId of new Set(orgIds))
    if (!(await hasAdmin(tx, orgId))) throw conflict('An organization keeps at least one admin');
});

/** To be called under the lock of the organization: 409 at the end of the transaction where it has no admin then. */
export const requireAnAdmin = (tx: Executor, orgId: string): void => lostAdmins.add(tx, [orgId]);

/**
 * The one way to change who belongs to an organization: with its event, one after the other. The transaction ends with
 * 409 where it took the last admin.
 */
export function createMemberships({ clock, events }: { readonly clock: Clock; readonly events: Events }) {
  const record = (tx: Executor, event: MembershipEvent) => events.record(tx, 'membership', event);

  return {
    /** Adds a member or changes the role of one. 400 for a role that the organization does not have. */
    async set(tx: Executor, { role: name, ...member }: Member & { readonly role: string }): Promise<void> {
      const { orgId, userId } = member;
      await lockAccount(tx, orgId);
      const role = await requireRole(tx, orgId, name, 'role');
      const before = await membershipOf(tx, orgId, userId);
      if (before?.name === role.name) return;
      const user = await findAccountById(tx, userId);
      if (!user) throw notFound('This user is gone');
      const row = { org_id: orgId, user_id: userId, role: role.name, base_role: role.base, created_at: clock.now() };
      await setMembership(tx, { ...row, search_key: searchKey(user) });
      if (before?.base === 'admin' && role.base !== 'admin') requireAnAdmin(tx, orgId);
      await record(tx, { ...member, role: role.base, before: before?.base ?? null });
    },

    /** Ends a membership, and with it what the member had in resource groups of the organization. */
    async remove(tx: Executor, member: Member): Promise<void> {
      const { orgId, userId } = member;
      await lockAccount(tx, orgId);
      const before = await membershipOf(tx, orgId, userId);
      if (before === undefined) return;
      await removeMembership(tx, orgId, userId);
      await removeFromGroups(tx, orgId, userId);
      if (before.base === 'admin') requireAnAdmin(tx, orgId);
      await record(tx, { ...member, role: null, before: before.base });
    },
  };
}
