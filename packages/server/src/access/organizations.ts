import { type BuiltInRole, PLANS, type Plan } from '@moonbase/contract/primitives';
import type { Permission } from '@moonbase/contract/route';
import { type Account, findAccount, lockAccountNamed } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden, notFound, planTooLow } from '../platform/http/errors.ts';
import { requirePermission } from './service.ts';
import { membershipRole } from './store.ts';
import { requireReach } from './token-rules.ts';

/** An organization with the caller's role in it. */
export interface InOrganization {
  readonly organization: Account;
  readonly role: BuiltInRole;
}

interface Need {
  /** `member`: any role suffices. */
  readonly role: 'member' | 'admin';
  readonly permission: Permission;
}

/** Throws 404 if the organization does not exist, 403 if the caller's role or token does not suffice. */
export async function requireOrganization(
  executor: ReadExecutor,
  principal: Principal,
  name: string,
  need: Need,
): Promise<InOrganization> {
  return within(executor, principal, await findOrganization(executor, name), need);
}

async function within(
  executor: ReadExecutor,
  principal: Principal,
  organization: Account,
  need: Need,
): Promise<InOrganization> {
  requireReach(principal, organization.id);
  const role = await membershipRole(executor, organization.id, principal.userId);
  if (role === undefined) throw forbidden(`You are not a member of the organization ${organization.name}`);
  if (need.role === 'admin' && role !== 'admin')
    throw forbidden(`You need the role admin in the organization ${organization.name} for this; you have ${role}`);
  requirePermission(principal, need.permission, [organization.id]);
  return { organization, role };
}

/** Like `requireOrganization`, but locks the organization: changes are serialized, and the caller's role is current. */
export async function lockOrganization(
  tx: ReadExecutor,
  principal: Principal,
  name: string,
  need: Need,
): Promise<InOrganization> {
  return within(tx, principal, organizationIn(await lockAccountNamed(tx, name), name), need);
}

export const findOrganization = async (executor: ReadExecutor, name: string): Promise<Account> =>
  organizationIn(await findAccount(executor, name), name);

function organizationIn(account: Account | undefined, name: string): Account {
  if (account?.kind !== 'org') throw notFound(`There is no organization named ${name}`);
  return account;
}

const PLAN_NAMES = { free: 'free', team: 'Team', enterprise: 'Enterprise', plus: 'Enterprise Plus' } as const;

/** Returns whether an organization has a plan, or one that includes it. */
export const hasPlan = ({ plan }: Pick<Account, 'plan'>, least: Plan): boolean =>
  PLANS.indexOf(plan) >= PLANS.indexOf(least);

/** Throws 402 if the plan of an organization is too low; each plan includes the previous ones. */
export function requirePlan(organization: Pick<Account, 'name' | 'plan'>, least: Plan): void {
  if (!hasPlan(organization, least))
    throw planTooLow(`The organization ${organization.name} needs the ${PLAN_NAMES[least]} plan for this`);
}
