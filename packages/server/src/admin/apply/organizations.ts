import type { HubDocument } from '@moonbase/contract/admin/hub-document';
import { type Memberships, settingsOf, updateSettings } from '../../access/index.ts';
import { type Account, type Accounts, findAccount } from '../../accounts/index.ts';
import type { AuditLog } from '../../audit-log/index.ts';
import { deleteInvitationsIn } from '../../members/index.ts';
import { removeOrganization } from '../../organizations/index.ts';
import { keysOf } from '../../platform/typed-objects.ts';
import type { AccountQuotas } from '../../quotas/index.ts';
import { type Repositories, type Repository, reposOwnedBy } from '../../repositories/index.ts';
import { changedColumns, changedConcurrently, itemsOf } from './items.ts';
import { applyMembers } from './members.ts';
import { applyQuota } from './quotas.ts';
import type { Step, Steps } from './steps.ts';

type HubOrganization = HubDocument['organizations'][number];

const ORGANIZATIONS_A_STEP = 20;
const REPOS_A_STEP = 20;

interface Services {
  readonly accounts: Accounts;
  readonly quotas: Pick<AccountQuotas, 'setStorage'>;
  readonly audit: AuditLog;
}

/** Creates or updates organizations and their members. */
export async function applyOrganizations(
  steps: Steps,
  organizations: HubDocument['organizations'],
  { memberships, ...services }: Services & { readonly memberships: Memberships },
): Promise<void> {
  const { present } = itemsOf('organizations', organizations);
  const orgIds = new Map<HubOrganization, string>();
  await steps.each(present, ORGANIZATIONS_A_STEP, async (step, part) => {
    for (const { item } of part) orgIds.set(item, (await applyOrganization(step, item, services)).id);
  });
  for (const [item, orgId] of orgIds) await applyMembers(steps, orgId, item.members, memberships);
}

async function applyOrganization(step: Step, item: HubOrganization, services: Services): Promise<Account> {
  const { accounts, quotas, audit } = services;
  const wanted: Partial<Account> = {
    ...(item.fullname !== undefined && { fullname: item.fullname }),
    ...(item.avatarUrl !== undefined && { avatar_url: item.avatarUrl }),
    ...(item.plan !== undefined && { plan: item.plan }),
  };
  const existing = await findAccount(step.tx, item.name);
  if (existing && existing.kind !== 'org') throw changedConcurrently();
  if (existing) {
    const change = changedColumns(existing, wanted);
    if (change) {
      await accounts.update(step.tx, existing, change);
      await recordUpdate(step, audit, existing, change);
    }
    const changed = await applySettings(step, audit, existing, item);
    const hasOtherQuota = await applyQuota(step, quotas, item);
    step.count('organizations', change || changed || hasOtherQuota ? 'updated' : 'unchanged');
    return existing;
  }
  step.count('organizations', 'created');
  const organization = await accounts.create(step.tx, { kind: 'org', name: item.name, ...wanted });
  const { id: orgId, name, plan } = organization;
  const message = `Created the organization ${name}`;
  await audit.record(step.tx, step.caller, { orgId, type: 'org.create', message, data: { name, plan } });
  await applySettings(step, audit, organization, item);
  await applyQuota(step, quotas, item);
  return organization;
}

/** Sets the domains that an organization may vouch for and its default visibility; returns whether something changed. */
async function applySettings(
  step: Step,
  audit: AuditLog,
  { id: orgId, name }: Account,
  item: HubOrganization,
): Promise<boolean> {
  const settings = await settingsOf(step.tx, orgId);
  const before = {
    verifiedDomains: settings.verified_domains,
    defaultRepoVisibility: settings.default_repo_visibility ?? 'public',
  };
  const after = {
    verifiedDomains: [...new Set(item.verifiedDomains ?? before.verifiedDomains)],
    defaultRepoVisibility: item.defaultRepoVisibility ?? before.defaultRepoVisibility,
  };
  const changed = keysOf(before).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  if (changed.length === 0) return false;
  const { verifiedDomains: verified_domains, defaultRepoVisibility: default_repo_visibility } = after;
  await updateSettings(step.tx, orgId, { verified_domains, default_repo_visibility });
  const of = (values: typeof before | typeof after) => Object.fromEntries(changed.map((key) => [key, values[key]]));
  const message = `Changed ${changed.join(', ')} of ${name}`;
  const data = { before: of(before), after: of(after) };
  await audit.record(step.tx, step.caller, { orgId, type: 'org.update_settings', message, data });
  return true;
}

/** Records changes of the plan separately from other changes of an organization. */
async function recordUpdate(step: Step, audit: AuditLog, organization: Account, change: Partial<Account>) {
  const { id: orgId, name } = organization;
  const { plan, ...settings } = change;
  if (plan !== undefined) {
    const message = `Changed the plan from ${organization.plan} to ${plan}`;
    const data = { before: organization.plan, after: plan };
    await audit.record(step.tx, step.caller, { orgId, type: 'billing.update_subscription_plan', message, data });
  }
  if (Object.keys(settings).length === 0) return;
  const message = `Updated the settings of the organization ${name}`;
  const data = {
    before: profileOf(organization, settings),
    after: profileOf({ ...organization, ...settings }, settings),
  };
  await audit.record(step.tx, step.caller, { orgId, type: 'org.update_settings', message, data });
}

const profileOf = ({ fullname, avatar_url: avatarUrl }: Account, change: Partial<Account>) => ({
  ...('fullname' in change && { fullname }),
  ...('avatar_url' in change && { avatarUrl }),
});

/** Removes organizations with their repositories. */
export async function removeOrganizations(
  steps: Steps,
  organizations: HubDocument['organizations'],
  { repositories, audit }: { readonly repositories: Repositories; readonly audit: AuditLog },
): Promise<void> {
  for (const { item } of itemsOf('organizations', organizations).absent) {
    let repos: readonly Repository[] = [];
    await steps.each([item.name], 1, async ({ tx }) => {
      const organization = await findAccount(tx, item.name);
      repos = organization?.kind === 'org' ? await reposOwnedBy(tx, organization.id) : [];
    });
    await steps.each(repos, REPOS_A_STEP, async ({ tx, caller }, part) => {
      for (const repo of part) await repositories.remove(tx, caller, repo);
    });
    await steps.each([item.name], 1, async (step) => {
      const organization = await findAccount(step.tx, item.name);
      if (organization?.kind !== 'org') return;
      const { id: orgId, name } = organization;
      await removeOrganization(step.tx, orgId, { deleteInvitations: deleteInvitationsIn });
      const message = `Deleted the organization ${name}`;
      await audit.record(step.tx, step.caller, { orgId, type: 'org.delete', message, data: { name } });
      step.count('organizations', 'removed');
    });
  }
}
