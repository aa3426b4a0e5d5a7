import { authorize, soleAdminOf } from '../access/index.ts';
import { findAccount, requireUser } from '../accounts/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, forbidden } from '../platform/http/errors.ts';
import type { Erase } from './erasure.ts';

interface Dependencies {
  readonly database: Database;
  readonly erase: Erase;
}

export type DeleteUser = ReturnType<typeof createDeleteUser>;

/**
 * Deletes a user, on request of the user or of a site administrator, with a token of the role `write`. Throws 409 for
 * the last enabled site administrator, and for the only admin of an organization, naming it.
 */
export const createDeleteUser =
  ({ database, erase }: Dependencies) =>
  (caller: Caller, name: string): Promise<void> =>
    database.transaction(async (tx) => {
      const { principal } = caller;
      const user = requireUser(await findAccount(tx, name), name);
      if (user.id !== principal.userId) authorize(principal, 'site-admin');
      if (principal.token.role !== 'write') throw forbidden('This needs an access token with the role write');
      const organization = await soleAdminOf(tx, user.id);
      if (organization !== undefined)
        throw conflict(`${user.name} is the only admin of the organization ${organization}; make another one first`);
      await erase(tx, caller, user);
    });
