import { type BuiltInRole, PLANS, type Plan, ROLES } from '@moonbase/contract/primitives';
import { type Account, findAccount, lockAccountNamed } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { forbidden, notFound, planTooLow } from '../platform/http/errors.ts';
import { hasAccess, tokenCovers } from './policy.ts';
import { requirePermission } from './service.ts';
import { membershipRole } from './store.ts';
import { requireReach } from './token-rules.ts';

/**
 * What a caller of an organization must be: anybody, somebody with a role that opens it, an admin.
 * `settle`: an admin, with the organization locked until the transaction ends, so that changes follow each other.
 */
export type OrganizationNeed = 'anybody' | 'member' | 'admin' | 'settle';

export interface OrganizationAccess {
  readonly org: Account;
  /** The caller's, as far as the caller's token reaches it. */
  readonly role: BuiltInRole | undefined;
}

/** 404 for an organization that does not exist, 403 where token or role do not reach. */
export async function requireOrganization(
  executor: Executor,
  principal: Principal,
  name: string,
  need: OrganizationNeed,
  permission: 'org.read' | 'org.write' = need === 'settle' ? 'org.write' : 'org.read',
): Promise<OrganizationAccess> {
  const org = await (need === 'settle' ? lockAccountNamed(executor, name) : findAccount(executor, name));
  if (org?.kind !== 'org') throw notFound(`There is no organization named ${name}`);
  requireReach(principal, org.id);
  const role = await membershipRole(executor, org.id, principal.userId);
  if (need === 'anybody') return { org, role: tokenCovers(principal.token, permission, [org.id]) ? role : undefined };
  if (!hasAccess(role)) throw forbidden('Only members of the organization may do this');
  if (need !== 'member' && role !== 'admin') throw forbidden('Only admins of the organization may do this');
  requirePermission(principal, permission, [org.id]);
  return { org, role };
}

/** Whether an organization has a plan, or one that includes it. */
export const hasPlan = ({ plan }: Pick<Account, 'plan'>, least: Plan): boolean =>
  PLANS.indexOf(plan) >= PLANS.indexOf(least);

/** 402 where the plan of an organization is too low. */
export function requirePlan(org: Pick<Account, 'plan'>, least: Exclude<Plan, 'free'>): void {
  if (!hasPlan(org, least)) throw planTooLow(`This organization needs the ${least} plan`);
}

/** The built-in role that a role of an organization stands on; undefined for a name that is no role there. */
export async function baseRole(executor: Executor, orgId: string, role: string): Promise<BuiltInRole | undefined> {
  const builtIn = ROLES.find((name) => name === role);
  if (builtIn) return builtIn;
  const custom = await executor
    .selectFrom('custom_roles')
    .select('base')
    .where('org_id', '=', orgId)
    .where('name', '=', role)
    .executeTakeFirst();
  return custom?.base;
}
