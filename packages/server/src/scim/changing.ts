import { lockOrganization, requireOrganization, requirePlan, tookLastAdmin } from '../access/index.ts';
import type { Account } from '../accounts/index.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { scimError } from './protocol/errors.ts';

/** Which of the two trees is called: one makes accounts, the other invites those who have one (W§6.8). */
export type Tree = 'scim' | 'scim-provisioning';

/** Reading needs what changing needs: a provider that may see all members may also change them. */
const OWNER = { role: 'admin', permission: 'org.write' } as const;

/** Says that something was refused. */
export type Warn = (details: object, message: string) => void;

/** The organization for one of its owners. 403 for others, 402 below the top plan. */
export async function requireOwner(executor: Executor, caller: Caller, name: string): Promise<Account> {
  const { organization } = await requireOrganization(executor, caller.principal, name, OWNER);
  requirePlan(organization, 'plus');
  return organization;
}

export type Changing = ReturnType<typeof createChanging>;

/** Runs a change by an owner with the organization locked: changes in one organization follow each other. */
export function createChanging({ database, warn }: { readonly database: Database; readonly warn: Warn }) {
  return async function changing<T>(
    caller: Caller,
    name: string,
    change: (tx: Executor, org: Account) => Promise<T>,
  ): Promise<T> {
    try {
      return await database.transaction(async (tx) => {
        const { organization } = await lockOrganization(tx, caller.principal, name, OWNER);
        requirePlan(organization, 'plus');
        return change(tx, organization);
      });
    } catch (error) {
      if (tookLastAdmin(error)) {
        const { principal, requestId } = caller;
        warn({ organization: name, userId: principal.userId, requestId }, 'SCIM may not take the last owner away');
      }
      if (sqlFault(error) === 'unique')
        throw scimError(409, 'The organization has another one with this name or external id', 'uniqueness');
      throw error;
    }
  };
}
