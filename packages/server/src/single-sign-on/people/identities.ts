import type { Identity } from '@moonbase/contract/sign-in/single-sign-on';
import { lockAccount } from '../../accounts/index.ts';
import { timestamp } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import { deleteIdentity, hasOtherWayIn, identitiesOf } from './identity-store.ts';

export type Identities = ReturnType<typeof createIdentities>;

/** The identities by which providers know users. */
export function createIdentities({ database }: { readonly database: Database }) {
  return {
    async list({ principal }: Caller): Promise<Identity[]> {
      const rows = await identitiesOf(database.read, principal.userId);
      return rows.map((row) => ({
        id: row.id,
        issuer: row.issuer,
        ...(row.organization !== null && { organization: row.organization }),
        ...(row.email !== null && { email: row.email }),
        createdAt: timestamp(row.created_at),
        usedAt: timestamp(row.used_at),
      }));
    },

    /** Throws 404 if the caller has no such identity, 409 if the caller could not sign in without it. */
    remove: ({ principal: { userId } }: Caller, id: string): Promise<void> =>
      database.transaction(async (tx) => {
        await lockAccount(tx, userId);
        const found = (await identitiesOf(tx, userId)).find((row) => row.id === id);
        if (!found) throw notFound('You have no such identity');
        if (!(await hasOtherWayIn(tx, userId, id)))
          throw conflict(
            'You have no other way to sign in: first set a password, with a link from a site administrator',
          );
        await deleteIdentity(tx, userId, id);
      }),
  };
}
