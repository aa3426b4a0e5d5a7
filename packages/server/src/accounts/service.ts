import type { FineGrained, TokenRole } from '@moonbase/contract/profiles';
import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { badRequest, conflict, HubError } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { newAccessToken, sha256 } from '../platform/secrets.ts';
import { accountNameFault, nameKey } from './policy.ts';
import {
  type Account,
  anySiteAdmin,
  findTokenByHash,
  fineGrainedFrom,
  fineGrainedText,
  insertAccount,
  insertToken,
} from './store.ts';

export type Accounts = ReturnType<typeof createAccounts>;

export interface NewToken {
  readonly userId: string;
  readonly displayName: string;
  readonly role: TokenRole;
  /** In clear; one is made where it is absent. */
  readonly token?: string | undefined;
  readonly fineGrained?: FineGrained | undefined;
}

export function createAccounts({ database, clock, ids }: { database: Database; clock: Clock; ids: Ids }) {
  /** Makes a user or organization. 400 for a bad name, 409 for a taken one. */
  async function create(
    tx: Executor,
    account: Pick<Account, 'kind' | 'name'> & Partial<Omit<Account, 'fullname'>> & { fullname?: string | undefined },
  ): Promise<Account> {
    const fault = accountNameFault(account.name);
    if (fault) throw badRequest(`The name ${account.name} ${fault}`);
    const row: Account = {
      avatar_url: null,
      email: null,
      pro: 0,
      site_admin: 0,
      plan: 'free',
      details: null,
      ...account,
      fullname: account.fullname ?? account.name,
      id: ids(),
      name_key: nameKey(account.name),
      created_at: clock.now(),
    };
    await insertAccount(tx, row).catch((error: unknown) => {
      throw sqlFault(error) === 'unique' ? conflict(`The name ${account.name} is taken`) : error;
    });
    return row;
  }

  /** Makes an access token and answers it in clear, this once. 409 where that token exists already. */
  async function createToken(tx: Executor, given: NewToken): Promise<string> {
    const token = given.token ?? newAccessToken();
    await insertToken(tx, {
      id: ids(),
      user_id: given.userId,
      display_name: given.displayName,
      role: given.role,
      fine_grained: given.role === 'fineGrained' ? fineGrainedText(given.fineGrained) : null,
      hash: sha256(token),
      last4: token.slice(-4),
      created_at: clock.now(),
    }).catch((error: unknown) => {
      throw sqlFault(error) === 'unique' ? conflict('This access token exists already') : error;
    });
    return token;
  }

  return {
    create,
    createToken,

    authenticate: async (token: string): Promise<Principal | undefined> => {
      const row = await findTokenByHash(database.executor, sha256(token));
      if (!row) return undefined;
      const fineGrained = fineGrainedFrom(row.fineGrained);
      return {
        userId: row.userId,
        userName: row.userName,
        siteAdmin: row.siteAdmin === 1,
        token: { id: row.id, role: row.role, last4: row.last4, ...(fineGrained && { fineGrained }) },
      };
    },

    /** At the first start: the user `admin` with the given token, or one made here and answered. */
    async ensureSiteAdmin(token: string | undefined): Promise<string | undefined> {
      const ensure = () =>
        database.transaction(async (tx) => {
          if (await anySiteAdmin(tx)) return undefined;
          const admin = await create(tx, { kind: 'user', name: 'admin', fullname: 'Administrator', site_admin: 1 });
          return createToken(tx, { userId: admin.id, displayName: 'first start', role: 'write', token });
        });
      // Of several hubs that start at once one makes it; to the others the name is taken, and they look again.
      return ensure().catch((error: unknown) => {
        if (error instanceof HubError && error.status === 409) return ensure();
        throw error;
      });
    },
  };
}
