import type { NewOrganization, OrganizationChange } from '@moonbase/contract/organizations/organizations';
import {
  isSiteAdmin,
  lockOrganization,
  type Memberships,
  membershipRole,
  requirePermission,
  requireReach,
  settingsOf,
  updateSettings,
} from '../access/index.ts';
import {
  type Account,
  type Accounts,
  deletedKey,
  lockAccountNamed,
  lockDeletedAccount,
  nameKey,
  renameKey,
} from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { forbidden, notFound } from '../platform/http/errors.ts';
import type { Tasks } from '../platform/queue/tasks.ts';
import { changedProperties } from '../platform/typed-objects.ts';
import { organizationTopic } from './events.ts';
import { type Change, differences } from './policy.ts';
import { presentOrganization } from './present.ts';
import { purgeTask, RESTORABLE_MS } from './purge.ts';

export type Organizations = ReturnType<typeof createOrganizations>;

const ADMIN = { role: 'admin', permission: 'org.write' } as const;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly events: Events;
  readonly tasks: Tasks;
  readonly accounts: Accounts;
  readonly memberships: Memberships;
  readonly audit: AuditLog;
}

export function createOrganizations({ database, clock, events, tasks, accounts, memberships, audit }: Dependencies) {
  const present = async (tx: Executor, caller: Caller, org: Account) =>
    presentOrganization(caller.baseUrl, org, await settingsOf(tx, org.id));

  return {
    /** Creates an organization with the caller as its first admin. Throws 409 for a name that is in use. */
    create: (caller: Caller, { name, fullname, plan }: NewOrganization) =>
      database.transaction(async (tx) => {
        const { principal } = caller;
        const { userId } = principal;
        requirePermission(principal, 'org.write', [userId]);
        if (plan !== undefined && !isSiteAdmin(principal)) throw forbidden('Only site administrators may set the plan');
        const org = await accounts.create(tx, { kind: 'org', name, fullname, ...(plan && { plan }) });
        const message = `Created the organization ${org.name}`;
        await audit.record(tx, caller, {
          orgId: org.id,
          type: 'org.create',
          message,
          data: { name: org.name, plan: org.plan },
        });
        await memberships.set(tx, caller, { orgId: org.id, userId, role: 'admin' });
        return present(tx, caller, org);
      }),

    /** Changes the given properties; each kind of change records its own event. */
    update: (caller: Caller, name: string, wanted: OrganizationChange) =>
      database.transaction(async (tx) => {
        const org = await lockForChange(tx, caller, name, wanted);
        const settings = await settingsOf(tx, org.id);
        const changes = differences(org, settings, wanted);
        const columns = changedProperties(org, {
          name: wanted.name,
          fullname: wanted.fullname,
          details: wanted.details,
          avatar_url: wanted.avatarUrl,
        });
        await accounts.update(tx, org, columns);
        await updateSettings(tx, org.id, {
          ...(wanted.membersPrivate !== undefined && { members_private: wanted.membersPrivate ? 1 : 0 }),
          ...(wanted.groupCreators !== undefined && { group_creators: wanted.groupCreators }),
          ...(wanted.defaultRepoVisibility !== undefined && { default_repo_visibility: wanted.defaultRepoVisibility }),
          ...(wanted.joinDomains !== undefined && { join_domains: [...new Set(wanted.joinDomains)] }),
          ...(wanted.verifiedDomains !== undefined && { verified_domains: [...new Set(wanted.verifiedDomains)] }),
        });
        for (const change of changes) await recordChange(tx, caller, org, change);
        return present(tx, caller, { ...org, ...columns });
      }),

    /** Hides an organization and everything that it owns at once; a task removes it after the restoration period. */
    delete: (caller: Caller, name: string) =>
      database.transaction(async (tx) => {
        const { organization: org } = await lockOrganization(tx, caller.principal, name, ADMIN);
        // The purge task identifies the deletion by this time.
        const deletedAt = clock.now();
        await updateSettings(tx, org.id, { deleted_at: deletedAt });
        await renameKey(tx, org.id, deletedKey(org.name));
        await tasks.enqueue(tx, purgeTask, { orgId: org.id, deletedAt }, { dueAt: deletedAt + RESTORABLE_MS });
        await events.record(tx, organizationTopic, { orgId: org.id });
        const message = `Deleted the organization ${org.name}`;
        await audit.record(tx, caller, { orgId: org.id, type: 'org.delete', message, data: { name: org.name } });
      }),

    /** Restores an organization. Throws 404 unless the caller is an admin of a deleted organization with this name. */
    restore: (caller: Caller, name: string) =>
      database.transaction(async (tx) => {
        const org = await lockDeletedAccount(tx, name);
        // The query also runs for an unknown name, so that the time does not reveal whether the organization exists.
        const role = await membershipRole(tx, org?.id ?? '', caller.principal.userId);
        if (!org || role !== 'admin') throw notFound(`There is no deleted organization named ${name}`);
        requireReach(caller.principal, org.id);
        requirePermission(caller.principal, 'org.write', [org.id]);
        await renameKey(tx, org.id, nameKey(org.name));
        await updateSettings(tx, org.id, { deleted_at: null });
        await events.record(tx, organizationTopic, { orgId: org.id });
        const message = `Restored the organization ${org.name}`;
        await audit.record(tx, caller, { orgId: org.id, type: 'org.restore', message, data: { name: org.name } });
        return present(tx, caller, org);
      }),
  };

  /**
   * Locks an organization for a change by one of its admins. Its plan and verified domains are up to site
   * administrators, who need not be members.
   */
  async function lockForChange(tx: Executor, caller: Caller, name: string, wanted: OrganizationChange) {
    const { principal } = caller;
    const { verifiedDomains, ...own } = wanted;
    const trusted = isSiteAdmin(principal);
    if (!trusted || verifiedDomains === undefined || Object.values(own).some((value) => value !== undefined)) {
      const { organization } = await lockOrganization(tx, principal, name, ADMIN);
      if (verifiedDomains !== undefined && !trusted)
        throw forbidden('Only site administrators may set verifiedDomains');
      return organization;
    }
    const org = await lockAccountNamed(tx, name);
    if (org?.kind !== 'org') throw notFound(`There is no organization named ${name}`);
    return org;
  }

  async function recordChange(tx: Executor, caller: Caller, org: Account, { type, what, data }: Change): Promise<void> {
    await audit.record(tx, caller, { orgId: org.id, type, message: `Changed ${what} of ${org.name}`, data });
  }
}
