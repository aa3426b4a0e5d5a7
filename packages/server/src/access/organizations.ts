import { PLANS, type Plan } from '@moonbase/contract/primitives';
import type { Permission } from '@moonbase/contract/route';
import { type Account, findAccount } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden, notFound, planTooLow } from '../platform/http/errors.ts';
import { requirePermission } from './service.ts';
import { membershipRole } from './store.ts';

/**
 * 404 where there is no such organization, 403 where the caller's role or token does not reach. Answers it with the
 * role. That an organization exists is no secret.
 */
export async function requireOrganization(
  executor: Executor,
  principal: Principal,
  name: string,
  need: 'member' | 'admin',
  permission: Permission,
) {
  const organization = await findAccount(executor, name);
  if (organization?.kind !== 'org') throw notFound(`There is no organization named ${name}`);
  const role = await membershipRole(executor, organization.id, principal.userId);
  if (role === undefined) throw forbidden('Only members of this organization may do this');
  if (need === 'admin' && role !== 'admin') throw forbidden('Only admins of this organization may do this');
  requirePermission(principal, permission, [organization.id]);
  return { organization, role };
}

/** 402 where an organization's plan is below the one that is needed. */
export function requirePlan({ plan }: Pick<Account, 'plan'>, needed: Exclude<Plan, 'free'>): void {
  if (PLANS.indexOf(plan) < PLANS.indexOf(needed)) throw planTooLow(`This organization needs the ${needed} plan`);
}
