import { requireOrganization, requirePlan } from '../access/index.ts';
import type { Account } from '../accounts/index.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';

/**
 * The organization whose members a caller may manage by SCIM: an owner, with a token that may change it, on the top
 * plan (specification, Authentication 4). 404, 403, 402.
 */
export async function requireScim(executor: Executor, principal: Principal, name: string): Promise<Account> {
  const need = { role: 'admin', permission: 'org.write' } as const;
  const { organization } = await requireOrganization(executor, principal, name, need);
  requirePlan(organization, 'plus');
  return organization;
}
