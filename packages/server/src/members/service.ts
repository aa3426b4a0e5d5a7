import {
  lockOrganization,
  type Memberships,
  requirePermission,
  requirePlan,
  requireReach,
  requireRole,
  settingsOf,
} from '../access/index.ts';
import { type Account, findAccount, findAccountById, lockAccountNamed, requireUser } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, forbidden, notFound } from '../platform/http/errors.ts';
import { replaceGroupsOfMember, type WantedGroup } from './group-list.ts';
import { isOutside } from './policy.ts';
import { findMember } from './store.ts';

export type Members = ReturnType<typeof createMembers>;

const ADMIN = { role: 'admin', permission: 'org.write' } as const;

/** Returns whether the identity provider of an organization decides by SCIM whether a user is a member. */
export type IsManaged = (tx: Executor, orgId: string, userId: string) => Promise<boolean>;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly memberships: Memberships;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly isManaged: IsManaged;
}

/** Changes the members of an organization. `memberships` ensures with 409 that an admin remains. */
export function createMembers({ database, clock, memberships, audit, events, isManaged }: Dependencies) {
  return {
    /** Adds a user with a role. Does nothing for a member with this role; throws 409 for one with another role. */
    add: (caller: Caller, name: string, username: string, given: string) =>
      database.transaction(async (tx) => {
        const { organization: org } = await lockOrganization(tx, caller.principal, name, ADMIN);
        const user = requireUser(await findAccount(tx, username), username);
        const { name: role } = await requireRole(tx, org.id, given, 'role');
        const member = await findMember(tx, org.id, user.id);
        if (member?.role === role) return;
        if (member) throw conflict(`${user.name} is already a member; change the role of a member with .../role`);
        await memberships.set(tx, caller, { orgId: org.id, userId: user.id, role });
      }),

    /** Removes a member. Callers may always remove themselves. */
    async remove(caller: Caller, name: string, username: string): Promise<void> {
      await database.transaction(async (tx) => {
        const leaving = username.toLowerCase() === caller.principal.userName.toLowerCase();
        const org = leaving ? await ownOrganization(tx, caller, name) : await lockAdministered(tx, caller, name);
        const user = requireUser(await findAccount(tx, username), username);
        const member = await findMember(tx, org.id, user.id);
        if (!member) throw notFound(`${user.name} is not a member of ${org.name}`);
        await memberships.remove(tx, caller, { orgId: org.id, userId: user.id });
      });
    },

    /** Sets the role and all resource groups of a member (E17). Throws 402 without a paid plan. */
    changeRole: (
      caller: Caller,
      name: string,
      username: string,
      wanted: { readonly role: string; readonly resourceGroups?: readonly WantedGroup[] | undefined },
    ) =>
      database.transaction(async (tx) => {
        const { organization: org } = await lockOrganization(tx, caller.principal, name, ADMIN);
        const user = requireUser(await findAccount(tx, username), username);
        const member = await findMember(tx, org.id, user.id);
        if (!member) throw notFound(`${user.name} is not a member of ${org.name}`);
        const { name: role } = await requireRole(tx, org.id, wanted.role, 'role');
        requirePlan(org, wanted.resourceGroups?.length ? 'enterprise' : 'team');
        await replaceGroupsOfMember(
          { tx, caller, org, user, audit, events, now: clock.now() },
          wanted.resourceGroups ?? [],
        );
        await memberships.set(tx, caller, { orgId: org.id, userId: user.id, role });
      }),

    /** Joins the caller, if the caller's e-mail address is in a domain that may join. Throws 403 otherwise. */
    join: (caller: Caller, name: string) =>
      database.transaction(async (tx) => {
        const { userId } = caller.principal;
        const org = await lockAccountNamed(tx, name);
        if (org?.kind !== 'org') throw notFound(`There is no organization named ${name}`);
        requireReach(caller.principal, org.id);
        const { join_domains: domains } = await settingsOf(tx, org.id);
        const user = await findAccountById(tx, userId);
        if (!user || isOutside(user.email, domains)) throw forbidden('This organization is joined by invitation');
        if (await findMember(tx, org.id, userId)) return;
        if (await isManaged(tx, org.id, userId))
          throw forbidden('The identity provider of this organization decides whether you are a member');
        const message = 'Joined by the domain of the e-mail address';
        const data = { user: { _id: user.id, user: user.name }, role: 'read' };
        const entry = { type: 'org.join.from_domain', message, data } as const;
        await memberships.set(tx, caller, { orgId: org.id, userId, role: 'read' }, entry);
      }),
  };

  /** Returns the organization that the caller wants to leave. */
  async function ownOrganization(tx: Executor, caller: Caller, name: string): Promise<Account> {
    const org = await lockAccountNamed(tx, name);
    if (org?.kind !== 'org') throw notFound(`There is no organization named ${name}`);
    requireReach(caller.principal, org.id);
    if (!(await findMember(tx, org.id, caller.principal.userId)))
      throw notFound(`${caller.principal.userName} is not a member of ${org.name}`);
    requirePermission(caller.principal, 'org.write', [org.id]);
    return org;
  }

  async function lockAdministered(tx: Executor, caller: Caller, name: string): Promise<Account> {
    return (await lockOrganization(tx, caller.principal, name, ADMIN)).organization;
  }
}
