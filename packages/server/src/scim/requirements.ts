import { type InOrganization, lockOrganization, requireOrganization, requirePlan } from '../access/index.ts';
import type { Account } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';

/** Reading needs what changing needs. */
const OWNER = { role: 'admin', permission: 'org.write' } as const;

const onTopPlan = ({ organization }: InOrganization): Account => {
  requirePlan(organization, 'plus');
  return organization;
};

/**
 * The organization whose members a caller may manage by SCIM: an owner, with a token that may change it, on the top
 * plan (specification, Authentication 4). 404, 403, 402.
 */
export const requireScim = async (executor: ReadExecutor, principal: Principal, name: string): Promise<Account> =>
  onTopPlan(await requireOrganization(executor, principal, name, OWNER));

/** The same for a change: changes in one organization follow each other. */
export const lockForScim = async (tx: Executor, principal: Principal, name: string): Promise<Account> =>
  onTopPlan(await lockOrganization(tx, principal, name, OWNER));
