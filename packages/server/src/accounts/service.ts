import type { FineGrained, TokenRole } from '@moonbase/contract/accounts/profiles';
import type { Expression } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Principal } from '../platform/http/authenticate.ts';
import { badRequest, conflict, HubError } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { newAccessToken, sha256 } from '../platform/secrets.ts';
import { PUBLISHED_TOKENS } from '../platform/weak-tokens.ts';
import { accountTopic } from './events.ts';
import { accountNameFault, nameKey } from './policy.ts';
import { requireASiteAdmin } from './site-admins.ts';
import {
  type Account,
  anySiteAdmin,
  callerByHash,
  fineGrainedFrom,
  fineGrainedText,
  holdersOf,
  insertAccount,
  insertToken,
  lockDeletedAccount,
  touchToken,
  updateAccount,
} from './store.ts';
import type { TokenRow } from './tables.ts';

export type Accounts = ReturnType<typeof createAccounts>;

export interface NewToken {
  readonly userId: string;
  readonly displayName: string;
  readonly role: TokenRole;
  /** In clear; one is made where it is absent. */
  readonly token?: string | undefined;
  readonly fineGrained?: FineGrained | undefined;
  /** The token that makes it, where one does. */
  readonly madeBy?: string | undefined;
}

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  /** The rules of organizations about tokens: a column of the query that authenticates, and what it says. */
  readonly cutOffs: { readonly column: Expression<string | null>; read(text: string | null): CutOffs };
}

type CutOffs = Principal['token']['cutOff'];

/** How exactly `lastUsedAt` is kept: a token in use costs a write so often. */
const USE_NOTED_EVERY_MS = 60 * 60 * 1000;

export function createAccounts({ database, clock, ids, events, cutOffs }: Dependencies) {
  const findCaller = callerByHash(cutOffs.column);

  /** Makes a user or organization. 400 for a bad name, 409 for a taken one. */
  async function create(
    tx: Executor,
    account: Pick<Account, 'kind' | 'name'> & Partial<Omit<Account, 'fullname'>> & { fullname?: string | undefined },
  ): Promise<Account> {
    const fault = accountNameFault(account.name);
    if (fault) throw badRequest(`The name ${account.name} ${fault}`);
    await refuseDeleted(tx, account.name);
    const row: Account = {
      avatar_url: null,
      email: null,
      pro: 0,
      site_admin: 0,
      plan: 'free',
      details: null,
      disabled_at: null,
      disabled_by: null,
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

  /** Changes an account. 400 for a bad name, 409 for a taken one, and for the last enabled site administrator. */
  async function update(tx: Executor, account: Account, change: Partial<Omit<Account, 'id' | 'name_key'>>) {
    const { name = account.name, fullname = account.fullname } = change;
    const fault = name === account.name ? undefined : accountNameFault(name);
    if (fault) throw badRequest(`The name ${name} ${fault}`);
    if (nameKey(name) !== nameKey(account.name)) await refuseDeleted(tx, name);
    await updateAccount(tx, account.id, { ...change, name_key: nameKey(name) }).catch((error: unknown) => {
      throw sqlFault(error) === 'unique' ? conflict(`The name ${name} is taken`) : error;
    });
    if (change.site_admin === 0 && account.site_admin === 1) requireASiteAdmin(tx);
    const renamed = name !== account.name || fullname !== account.fullname;
    const { avatar_url: picture = account.avatar_url } = change;
    if (!renamed && picture === account.avatar_url) return;
    const { id: accountId, kind, name: before } = account;
    const action = renamed ? 'rename' : 'picture';
    await events.record(tx, accountTopic, { action, accountId, kind, before, name });
  }

  /** The name of a deleted organization is kept for it as long as it can come back. */
  async function refuseDeleted(tx: Executor, name: string): Promise<void> {
    if (await lockDeletedAccount(tx, name)) throw conflict(`The name ${name} is taken`);
  }

  /** Makes an access token and answers it in clear, this once. 409 where that token exists already. */
  async function createToken(tx: Executor, given: NewToken): Promise<string> {
    return (await issueToken(tx, given)).token;
  }

  async function issueToken(tx: Executor, given: NewToken): Promise<{ row: TokenRow; token: string }> {
    const token = given.token ?? newAccessToken();
    const row: TokenRow = {
      id: ids(),
      user_id: given.userId,
      display_name: given.displayName,
      role: given.role,
      fine_grained: given.role === 'fineGrained' ? fineGrainedText(given.fineGrained) : null,
      hash: sha256(token),
      last4: token.slice(-4),
      created_at: clock.now(),
    };
    await insertToken(tx, { ...row, made_by: given.madeBy ?? null }).catch((error: unknown) => {
      throw sqlFault(error) === 'unique' ? conflict('This access token exists already') : error;
    });
    return { row, token };
  }

  return {
    create,
    update,
    createToken,
    issueToken,

    authenticate: async (token: string): Promise<Principal | undefined> => {
      const [row] = await findCaller(database.read, { hash: sha256(token) });
      if (!row) return undefined;
      const stale = clock.now() - USE_NOTED_EVERY_MS;
      if (row.lastUsedAt === null || row.lastUsedAt <= stale)
        await database.transaction((tx) => touchToken(tx, row.id, clock.now(), stale));
      const fineGrained = fineGrainedFrom(row.fineGrained);
      const cutOff = cutOffs.read(row.cutOffs);
      return {
        userId: row.userId,
        userName: row.userName,
        siteAdmin: row.siteAdmin === 1,
        token: {
          id: row.id,
          role: row.role,
          last4: row.last4,
          ...(fineGrained && { fineGrained }),
          ...(cutOff && { cutOff }),
        },
      };
    },

    /** The users who have a token that everybody can read in the documentation. */
    holdersOfPublishedTokens: () => holdersOf(database.read, PUBLISHED_TOKENS.map(sha256)),

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
