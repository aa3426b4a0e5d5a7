import type { BuiltInRole } from '@moonbase/contract/primitives';
import { type Account, findAccountById, lockAccount } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { createCollector, type Executor } from '../../platform/database/transaction.ts';
import type { Events } from '../../platform/events/events.ts';
import type { Actor } from '../../platform/http/actor.ts';
import { conflict, HubError, notFound } from '../../platform/http/errors.ts';
import { type MembershipEvent, membershipTopic } from '../events.ts';
import { removeFromGroups } from '../groups/member-store.ts';
import { hasAccess } from '../policy.ts';
import { requireRole } from '../roles.ts';
import { hasAdmin, membershipOf, type NamedRole, searchKey } from '../store.ts';
import { entryOf, type MembershipChange, type MembershipEntry } from './entries.ts';
import { deleteMembership, setMemberships, usersIn } from './store.ts';

type Member = Pick<MembershipEvent, 'orgId' | 'userId'>;

/** Some members of one organization. */
export interface SomeMembers {
  readonly orgId: string;
  readonly userIds: readonly string[];
}

/** The role that a user is to get. */
export interface WantedRole {
  readonly userId: string;
  readonly role: string;
  readonly entry?: MembershipEntry | undefined;
}

export type Memberships = ReturnType<typeof createMemberships>;

const LAST_ADMIN = 'An organization keeps at least one admin';

/** Returns whether a change was refused because it would have removed the last admin of an organization. */
export const isLastAdminConflict = (error: unknown): error is HubError =>
  error instanceof HubError && error.message === LAST_ADMIN;

/** Returns the error for changes that would leave an organization without an admin. */
export const lastAdminConflict = (): HubError => conflict(LAST_ADMIN);

/** Organizations that lost an admin; checked at the end of the transaction, which may have added another one. */
const lostAdmins = createCollector<string>(async (tx, orgIds) => {
  for (const orgId of new Set(orgIds)) if (!(await hasAdmin(tx, orgId))) throw lastAdminConflict();
});

/**
 * Makes the transaction fail with 409 at its end if the organization then has no admin. The organization must be
 * locked.
 */
export const requireAnAdmin = (tx: Executor, orgId: string): void => lostAdmins.add(tx, [orgId]);

interface Dependencies {
  readonly clock: Clock;
  readonly events: Events;
  readonly audit: AuditLog;
  /**
   * Called for users who gain access, in the same transaction: they watch the organization at once and miss no later
   * event.
   */
  readonly onAccess: (tx: Executor, members: SomeMembers) => Promise<void>;
  /** Called for users who join. */
  readonly onJoin?: (tx: Executor, actor: Actor, members: SomeMembers) => Promise<void>;
  /** Called for users whose membership has ended. */
  readonly onLeave?: (tx: Executor, members: SomeMembers) => Promise<void>;
}

/**
 * The only way to change memberships: records an event and an audit log entry for each member, with a number of
 * statements that does not depend on the number of members. A transaction that removed the last admin fails with 409.
 */
export function createMemberships({ clock, events, audit, onAccess, onJoin, onLeave }: Dependencies) {
  async function announce(tx: Executor, actor: Actor, orgId: string, changes: readonly MembershipChange[]) {
    const actorId = actor.principal.userId;
    const membershipEvents = changes.map(
      ({ user, role, before }): MembershipEvent => ({
        ...{ orgId, userId: user.id, role: role?.base ?? null, before: before?.base ?? null, actorId },
      }),
    );
    await events.recordAll(tx, membershipTopic, membershipEvents);
    const gained = membershipEvents.filter(({ role, before }) => hasAccess(role) && !hasAccess(before));
    if (gained.length > 0) await onAccess(tx, { orgId, userIds: gained.map(({ userId }) => userId) });
    for (const change of changes) await audit.record(tx, actor, { orgId, ...entryOf(change, actorId) });
  }

  const rowOf = (
    orgId: string,
    user: Pick<Account, 'id' | 'name' | 'fullname'>,
    { name, base }: NamedRole,
    in_scim: number,
  ) => ({
    ...{ org_id: orgId, user_id: user.id, role: name, base_role: base, created_at: clock.now() },
    ...{ search_key: searchKey(user), in_scim },
  });

  /** Adds members or changes their roles. Throws 400 for a role that the organization does not have. */
  async function setAll(tx: Executor, actor: Actor, orgId: string, wanted: readonly WantedRole[]): Promise<void> {
    if (wanted.length === 0) return;
    await lockAccount(tx, orgId);
    const roles = new Map<string, NamedRole>();
    for (const name of new Set(wanted.map(({ role }) => role)))
      roles.set(name, await requireRole(tx, orgId, name, 'role'));
    const users = await usersIn(
      tx,
      orgId,
      wanted.map(({ userId }) => userId),
    );
    const changes = wanted.flatMap(({ userId, role: name, entry }) => {
      const role = roles.get(name);
      const user = users.get(userId);
      if (!role || !user) throw notFound('This user no longer exists');
      const before = user.role !== null && user.base !== null ? { name: user.role, base: user.base } : undefined;
      return before?.name === role.name ? [] : [{ user, role, before, entry }];
    });
    if (changes.length === 0) return;
    await setMemberships(
      tx,
      // SCIM sets this flag after a user it manages has joined.
      changes.map(({ user, role }) => rowOf(orgId, user, role, 0)),
    );
    if (changes.some(({ role, before }) => before?.base === 'admin' && role.base !== 'admin'))
      requireAnAdmin(tx, orgId);
    await announce(tx, actor, orgId, changes);
    const joined = changes.filter(({ before }) => !before);
    if (joined.length > 0) await onJoin?.(tx, actor, { orgId, userIds: joined.map(({ user }) => user.id) });
  }

  return {
    setAll,

    /** Adds a member or changes the member's role. */
    set: (
      tx: Executor,
      actor: Actor,
      { orgId, userId, role }: Member & { readonly role: string },
      entry?: MembershipEntry,
    ): Promise<void> => setAll(tx, actor, orgId, [{ userId, role, entry }]),

    /** Adds a user whose account SCIM created in this transaction, so that no row about the user can exist yet. */
    async begin(
      tx: Executor,
      actor: Actor,
      { orgId, user, role: base }: { readonly orgId: string; readonly user: Account; readonly role: BuiltInRole },
    ): Promise<void> {
      const role = { name: base, base };
      await setMemberships(tx, [rowOf(orgId, user, role, 1)]);
      await announce(tx, actor, orgId, [{ user, role, before: undefined }]);
    },

    /** Ends a membership, including memberships in resource groups of the organization. */
    async remove(tx: Executor, actor: Actor, { orgId, userId }: Member): Promise<void> {
      await lockAccount(tx, orgId);
      const before = await membershipOf(tx, orgId, userId);
      if (before === undefined) return;
      await deleteMembership(tx, orgId, userId);
      await removeFromGroups(tx, orgId, userId);
      if (before.base === 'admin') requireAnAdmin(tx, orgId);
      const user = (await findAccountById(tx, userId)) ?? { id: userId, name: userId };
      await announce(tx, actor, orgId, [{ user, role: undefined, before }]);
      await onLeave?.(tx, { orgId, userIds: [userId] });
    },
  };
}
