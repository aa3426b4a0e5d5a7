import { isLastAdminConflict } from '../access/index.ts';
import type { Account } from '../accounts/index.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { scimError } from './protocol/errors.ts';
import { lockForScim } from './requirements.ts';

/** The called API: `scim` creates accounts, `scim-provisioning` invites existing users (W§6.8). */
export type ScimApi = 'scim' | 'scim-provisioning';

/** Logs that a request was refused. */
export type Warn = (details: object, message: string) => void;

export type RunScimChange = ReturnType<typeof createChangeRunner>;

/**
 * Creates the function that runs a change by an owner with the organization locked, which serializes changes in one
 * organization.
 */
export function createChangeRunner({ database, warn }: { readonly database: Database; readonly warn: Warn }) {
  return async function runChange<T>(
    caller: Caller,
    name: string,
    change: (tx: Executor, org: Account) => Promise<T>,
  ): Promise<T> {
    try {
      return await database.transaction(async (tx) => {
        return change(tx, await lockForScim(tx, caller.principal, name));
      });
    } catch (error) {
      if (isLastAdminConflict(error)) {
        const { principal, requestId } = caller;
        warn({ organization: name, userId: principal.userId, requestId }, 'SCIM may not remove the last owner');
      }
      if (sqlFault(error) === 'unique')
        throw scimError(409, 'Another resource of the organization has this name or external id', 'uniqueness');
      throw error;
    }
  };
}
