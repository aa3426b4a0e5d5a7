import type { createUser } from '@moonbase/contract/admin/lists';
import type { RouteInput } from '@moonbase/contract/route';
import { type Accounts, findUserToSignIn } from '../accounts/index.ts';
import { type AuditLog, recordForSite } from '../audit-log/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict } from '../platform/http/errors.ts';

interface Dependencies {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly audit: AuditLog;
}

export type CreateUser = ReturnType<typeof createNewUser>;

/** Creates the function that creates a user and returns its name; throws 409 for a name or address that is in use. */
export const createNewUser =
  ({ database, accounts, audit }: Dependencies) =>
  (caller: Caller, { name, fullname, email, isAdmin }: RouteInput<typeof createUser>['body']): Promise<string> =>
    database.transaction(async (tx) => {
      if (email !== undefined && (await findUserToSignIn(tx, email.toLowerCase())))
        throw conflict('Another user of this hub has this address');
      const user = { kind: 'user' as const, name: name.trim(), fullname, site_admin: isAdmin ? 1 : 0 };
      const made = await accounts.create(tx, { ...user, ...(email !== undefined && { email }) });
      const message = `Created the user ${made.name}`;
      const data = { user: { _id: made.id, user: made.name }, admin: isAdmin === true };
      await recordForSite(audit, tx, caller, { type: 'user.create', message, data });
      return made.name;
    });
