import type { BuiltInRole } from '@moonbase/contract/primitives';
import { type Account, findAccountById, lockAccount } from '../accounts/index.ts';
import type { AuditEntry, AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import { createCollector, type Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, HubError, notFound } from '../platform/http/errors.ts';
import { type MembershipEvent, membershipTopic } from './events.ts';
import { removeFromGroups } from './groups/group-members.ts';
import { hasAccess } from './policy.ts';
import { requireRole } from './roles.ts';
import { hasAdmin, membershipOf, type NamedRole, removeMembership, searchKey, setMembership } from './store.ts';

type Member = Pick<MembershipEvent, 'orgId' | 'userId'>;

export type Memberships = ReturnType<typeof createMemberships>;

const LAST_ADMIN = 'An organization keeps at least one admin';

/** Whether a change was refused as it would have taken the last admin of an organization. */
export const tookLastAdmin = (error: unknown): error is HubError =>
  error instanceof HubError && error.message === LAST_ADMIN;

/** Organizations that lost an admin: judged at the end of the transaction, which may put another in the place. */
const lostAdmins = createCollector<string>(async (tx, orgIds) => {
  for (const orgId of new Set(orgIds)) if (!(await hasAdmin(tx, orgId))) throw conflict(LAST_ADMIN);
});

/** To be called under the lock of the organization: 409 at the end of the transaction where it has no admin then. */
export const requireAnAdmin = (tx: Executor, orgId: string): void => lostAdmins.add(tx, [orgId]);

/** What is recorded of a change in the place of the usual words, as it came about in another way. */
type Entry = Omit<AuditEntry, 'orgId'>;

interface Change {
  /** Undefined: left. */
  readonly role: NamedRole | undefined;
  /** Undefined: was no member. */
  readonly before: NamedRole | undefined;
  /** Done to oneself. */
  readonly self: boolean;
}

function entryOf({ id, name }: Pick<Account, 'id' | 'name'>, { role, before, self }: Change): Entry {
  const user = { _id: id, user: name };
  if (role && before)
    return {
      type: 'org.change_role',
      message: `Changed the role of ${name} from ${before.name} to ${role.name}`,
      data: { user, before: before.name, role: role.name },
    };
  if (role)
    return {
      type: 'org.add_user',
      message: `Added ${name} with the role ${role.name}`,
      data: { user, role: role.name },
    };
  return self
    ? { type: 'org.leave', message: 'Left the organization', data: { user, before: before?.name } }
    : { type: 'org.remove_user', message: `Removed ${name}`, data: { user, before: before?.name } };
}

interface Dependencies {
  readonly clock: Clock;
  readonly events: Events;
  readonly audit: AuditLog;
  /** Who gets access watches the organization at once: what happens in it next is told to them, whatever waits. */
  readonly onAccess: (tx: Executor, member: Member) => Promise<void>;
  /** What else follows at once from joining. */
  readonly onJoin?: (tx: Executor, caller: Caller, member: Member) => Promise<void>;
}

/**
 * The one way to change who belongs to an organization: with its event, and the record of it, one after the other. The
 * transaction ends with 409 where it took the last admin.
 */
export function createMemberships({ clock, events, audit, onAccess, onJoin }: Dependencies) {
  async function changed(
    tx: Executor,
    caller: Caller,
    { orgId, userId }: Member,
    { role, before, entry }: Omit<Change, 'self'> & { readonly entry: Entry | undefined },
  ): Promise<void> {
    const actorId = caller.principal.userId;
    const event = { orgId, userId, role: role?.base ?? null, before: before?.base ?? null, actorId };
    await events.record(tx, membershipTopic, event);
    if (hasAccess(event.role) && !hasAccess(event.before)) await onAccess(tx, { orgId, userId });
    const user = entry ? undefined : await findAccountById(tx, userId);
    const usual = () => entryOf(user ?? { id: userId, name: userId }, { role, before, self: userId === actorId });
    await audit.record(tx, caller, { orgId, ...(entry ?? usual()) });
  }

  return {
    /** Adds a member or changes the role of one. 400 for a role that the organization does not have. */
    async set(
      tx: Executor,
      caller: Caller,
      { role: name, ...member }: Member & { readonly role: string },
      entry?: Entry,
    ): Promise<void> {
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
      await changed(tx, caller, member, { role, before, entry });
      if (!before) await onJoin?.(tx, caller, member);
    },

    /** Adds a user whose account was made in this transaction: nothing else is known of it, and nobody else knows it. */
    async begin(
      tx: Executor,
      caller: Caller,
      { orgId, user, role }: { readonly orgId: string; readonly user: Account; readonly role: BuiltInRole },
    ): Promise<void> {
      const row = { org_id: orgId, user_id: user.id, role, base_role: role, created_at: clock.now() };
      await setMembership(tx, { ...row, search_key: searchKey(user) });
      const change = { role: { name: role, base: role }, before: undefined };
      const entry = entryOf(user, { ...change, self: false });
      await changed(tx, caller, { orgId, userId: user.id }, { ...change, entry });
    },

    /** Ends a membership, and with it what the member had in resource groups of the organization. */
    async remove(tx: Executor, caller: Caller, { orgId, userId }: Member): Promise<void> {
      await lockAccount(tx, orgId);
      const before = await membershipOf(tx, orgId, userId);
      if (before === undefined) return;
      await removeMembership(tx, orgId, userId);
      await removeFromGroups(tx, orgId, userId);
      if (before.base === 'admin') requireAnAdmin(tx, orgId);
      await changed(tx, caller, { orgId, userId }, { role: undefined, before, entry: undefined });
    },
  };
}
