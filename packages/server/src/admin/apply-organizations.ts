import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import {
  countAdmins,
  findRole,
  type Memberships,
  membershipOf,
  settingsOf,
  UNKNOWN_ROLE,
  updateSettings,
} from '../access/index.ts';
import { type Account, type Accounts, accountNameFault, findAccount, nameKey } from '../accounts/index.ts';
import type { AuditLog } from '../audit-log/index.ts';
import { removeOrganization } from '../organizations/index.ts';
import { type Repositories, reposOwnedBy } from '../repositories/index.ts';
import { type Application, differing, itemsOf } from './application.ts';

type HubOrganization = HubDocument['organizations'][number];

/** Creates organizations or brings them to the given values, with their members. */
export async function applyOrganizations(
  run: Application,
  organizations: HubDocument['organizations'],
  services: { accounts: Accounts; memberships: Memberships; audit: AuditLog },
): Promise<void> {
  for (const { item, path } of itemsOf('organizations', organizations).present) {
    await run.breathe();
    const organization = await applyOrganization(run, item, path, services);
    if (!organization) continue;
    const hadAdmin = (await countAdmins(run.tx, organization.id)) > 0;
    for (const [at, member] of item.members.entries())
      await applyMember(run, organization, member, `${path}.members.${at}`, services.memberships);
    if ((await countAdmins(run.tx, organization.id)) > 0) continue;
    // Whoever makes an organization runs it, unless the document says otherwise.
    const { userId, userName } = run.caller.principal;
    if (hadAdmin || item.members.some(({ user }) => nameKey(user) === nameKey(userName)))
      run.fault(`${path}.members`, 'would leave the organization without an admin');
    else {
      await services.memberships.set(run.tx, run.caller, { orgId: organization.id, userId, role: 'admin' });
      run.count('members', 'created');
    }
  }
}

async function applyOrganization(
  run: Application,
  item: HubOrganization,
  path: string,
  { accounts, audit }: { accounts: Accounts; audit: AuditLog },
): Promise<Account | undefined> {
  const wanted: Partial<Account> = {
    ...(item.fullname !== undefined && { fullname: item.fullname }),
    ...(item.avatarUrl !== undefined && { avatar_url: item.avatarUrl }),
    ...(item.plan !== undefined && { plan: item.plan }),
  };
  const existing = await findAccount(run.tx, item.name);
  if (existing && existing.kind !== 'org') return run.fault(`${path}.name`, 'is the name of a user');
  if (existing) {
    const change = differing(existing, wanted);
    if (change) {
      await accounts.update(run.tx, existing, change);
      await recordUpdate(run, audit, existing, change);
    }
    const trusted = await applyDomains(run, audit, existing, item.verifiedDomains);
    run.count('organizations', change || trusted ? 'updated' : 'unchanged');
    return existing;
  }
  const fault = accountNameFault(item.name);
  if (fault) return run.fault(`${path}.name`, fault);
  run.count('organizations', 'created');
  const organization = await accounts.create(run.tx, { kind: 'org', name: item.name, ...wanted });
  const { id: orgId, name, plan } = organization;
  const message = `Created the organization ${name}`;
  await audit.record(run.tx, run.caller, { orgId, type: 'org.create', message, data: { name, plan } });
  await applyDomains(run, audit, organization, item.verifiedDomains);
  return organization;
}

/** Gives an organization the domains that it may vouch for; returns whether they are others now. */
async function applyDomains(
  run: Application,
  audit: AuditLog,
  { id: orgId, name }: Account,
  wanted: readonly string[] | undefined,
): Promise<boolean> {
  const { verified_domains: before } = await settingsOf(run.tx, orgId);
  const after = [...new Set(wanted ?? before)];
  if (JSON.stringify(before) === JSON.stringify(after)) return false;
  await updateSettings(run.tx, orgId, { verified_domains: after });
  const message = `Changed verifiedDomains of ${name}`;
  const data = { before: { verifiedDomains: before }, after: { verifiedDomains: after } };
  await audit.record(run.tx, run.caller, { orgId, type: 'org.update_settings', message, data });
  return true;
}

/** What somebody pays for is apart from what an organization says of itself. */
async function recordUpdate(run: Application, audit: AuditLog, organization: Account, change: Partial<Account>) {
  const { id: orgId, name } = organization;
  const { plan, ...settings } = change;
  if (plan !== undefined) {
    const message = `Changed the plan from ${organization.plan} to ${plan}`;
    const data = { before: organization.plan, after: plan };
    await audit.record(run.tx, run.caller, { orgId, type: 'billing.update_subscription_plan', message, data });
  }
  if (Object.keys(settings).length === 0) return;
  const message = `Updated the settings of the organization ${name}`;
  const data = {
    before: profileOf(organization, settings),
    after: profileOf({ ...organization, ...settings }, settings),
  };
  await audit.record(run.tx, run.caller, { orgId, type: 'org.update_settings', message, data });
}

const profileOf = ({ fullname, avatar_url: avatarUrl }: Account, change: Partial<Account>) => ({
  ...('fullname' in change && { fullname }),
  ...('avatar_url' in change && { avatarUrl }),
});

async function applyMember(
  run: Application,
  organization: Account,
  item: HubOrganization['members'][number],
  path: string,
  memberships: Memberships,
): Promise<void> {
  const user = await findAccount(run.tx, item.user);
  if (user?.kind !== 'user') {
    if (item.state !== 'absent') run.fault(`${path}.user`, `there is no user named ${item.user}`);
    return;
  }
  const member = { orgId: organization.id, userId: user.id };
  const role = (await membershipOf(run.tx, organization.id, user.id))?.name;
  if (item.state === 'absent') {
    if (role === undefined) return;
    await memberships.remove(run.tx, run.caller, member);
    return run.count('members', 'removed');
  }
  const wanted = item.role ?? role ?? 'read';
  if (!(await findRole(run.tx, organization.id, wanted))) return run.fault(`${path}.role`, UNKNOWN_ROLE);
  if (role !== wanted) await memberships.set(run.tx, run.caller, { ...member, role: wanted });
  run.count('members', role === undefined ? 'created' : role === wanted ? 'unchanged' : 'updated');
}

/** Removes organizations with their repositories. */
export async function removeOrganizations(
  run: Application,
  organizations: HubDocument['organizations'],
  { repositories, audit }: { repositories: Repositories; audit: AuditLog },
): Promise<void> {
  for (const { item } of itemsOf('organizations', organizations).absent) {
    await run.breathe();
    const organization = await findAccount(run.tx, item.name);
    if (organization?.kind !== 'org') continue;
    for (const repo of await reposOwnedBy(run.tx, organization.id)) await repositories.remove(run.tx, run.caller, repo);
    await removeOrganization(run.tx, organization.id);
    const { id: orgId, name } = organization;
    const message = `Deleted the organization ${name}`;
    await audit.record(run.tx, run.caller, { orgId, type: 'org.delete', message, data: { name } });
    run.count('organizations', 'removed');
  }
}
