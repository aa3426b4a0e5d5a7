import { type InOrganization, lockOrganization, requireOrganization, requirePlan } from '../access/index.ts';
import type { Account } from '../accounts/index.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';

/** Reading requires the same rights as changing. */
const OWNER = { role: 'admin', permission: 'org.write' } as const;

const onTopPlan = ({ organization }: InOrganization): Account => {
  requirePlan(organization, 'plus');
  return organization;
};

/**
 * Returns the organization whose members a caller may manage by SCIM. Throws 404, 403 or 402 unless the caller is an
 * owner, with a token that may change the organization, on the top plan (specification, Authentication 4).
 */
export const requireScim = async (executor: ReadExecutor, principal: Principal, name: string): Promise<Account> =>
  onTopPlan(await requireOrganization(executor, principal, name, OWNER));

/** Like `requireScim`, but locks the organization, which serializes its changes. */
export const lockForScim = async (tx: Executor, principal: Principal, name: string): Promise<Account> =>
  onTopPlan(await lockOrganization(tx, principal, name, OWNER));
