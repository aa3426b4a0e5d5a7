import type { Clock } from '../platform/clock.ts';
import { sqlFault } from '../platform/database/sql-errors.ts';
import type { Database, Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import { badRequest, conflict, HubError } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { sha256 } from '../platform/secrets.ts';
import { PUBLISHED_TOKENS } from '../platform/weak-tokens.ts';
import { type CutOffRules, createAuthentication } from './authentication.ts';
import { accountTopic } from './events.ts';
import { accountNameFault, nameKey } from './policy.ts';
import { requireASiteAdmin } from './site-admins.ts';
import { createPrincipalLookup } from './standing.ts';
import {
  type Account,
  anySiteAdmin,
  findAccountById,
  findTokenByHash,
  holdersOf,
  insertAccount,
  insertAccounts,
  lockDeletedAccount,
  lockDeletedNames,
  updateAccount,
} from './store.ts';
import { NO_OWN_QUOTAS } from './tables.ts';
import { createTokenIssuing } from './token-issuing.ts';

export type Accounts = ReturnType<typeof createAccounts>;

/** The properties of a new account. */
export type NewAccount = Pick<Account, 'kind' | 'name'> &
  Partial<Omit<Account, 'fullname'>> & { fullname?: string | undefined };

/** The site administrator that the first start creates, with the access token in clear. */
export interface FirstAdmin {
  readonly userId: string;
  readonly token: string;
}

const nameTaken = (name: string) => conflict(`The name ${name} is taken`);

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  /** The rules of organizations about tokens. */
  readonly cutOffs: CutOffRules;
}

export function createAccounts({ database, clock, ids, events, cutOffs }: Dependencies) {
  const tokens = createTokenIssuing({ clock, ids });

  function rowOf(account: NewAccount): Account {
    const fault = accountNameFault(account.name);
    if (fault) throw badRequest(`The name ${account.name} ${fault}`);
    return {
      avatar_url: null,
      email: null,
      pro: 0,
      site_admin: 0,
      plan: 'free',
      details: null,
      disabled_at: null,
      disabled_by: null,
      ...NO_OWN_QUOTAS,
      ...account,
      fullname: account.fullname ?? account.name,
      id: ids(),
      name_key: nameKey(account.name),
      created_at: clock.now(),
    };
  }

  /** Creates a user or organization. Throws 400 for an invalid name, 409 for one that is in use. */
  async function create(tx: Executor, account: NewAccount): Promise<Account> {
    const row = rowOf(account);
    await refuseDeleted(tx, account.name);
    await insertAccount(tx, row).catch((error: unknown) => {
      throw sqlFault(error) === 'unique' ? nameTaken(account.name) : error;
    });
    return row;
  }

  /** Creates many accounts in a few statements. */
  async function createAll(tx: Executor, accounts: readonly NewAccount[]): Promise<Account[]> {
    const rows = accounts.map(rowOf);
    const [taken] = await lockDeletedNames(
      tx,
      rows.map(({ name }) => name),
    );
    if (taken !== undefined) throw nameTaken(taken);
    await insertAccounts(tx, rows).catch((error: unknown) => {
      throw sqlFault(error) === 'unique' ? conflict('One of the names is taken') : error;
    });
    return rows;
  }

  /**
   * Changes an account. Throws 400 for an invalid name, 409 for one that is in use, and 409 for the last enabled site
   * administrator.
   */
  async function update(tx: Executor, account: Account, change: Partial<Omit<Account, 'id' | 'name_key'>>) {
    const { name = account.name, fullname = account.fullname } = change;
    const fault = name === account.name ? undefined : accountNameFault(name);
    if (fault) throw badRequest(`The name ${name} ${fault}`);
    if (nameKey(name) !== nameKey(account.name)) await refuseDeleted(tx, name);
    await updateAccount(tx, account.id, { ...change, name_key: nameKey(name) }).catch((error: unknown) => {
      throw sqlFault(error) === 'unique' ? nameTaken(name) : error;
    });
    if (change.site_admin === 0 && account.site_admin === 1) requireASiteAdmin(tx);
    const renamed = name !== account.name || fullname !== account.fullname;
    const { avatar_url: picture = account.avatar_url } = change;
    if (!renamed && picture === account.avatar_url) return;
    const { id: accountId, kind, name: before } = account;
    const action = renamed ? 'rename' : 'picture';
    await events.record(tx, accountTopic, { action, accountId, kind, before, name });
  }

  /** The name of a deleted organization stays reserved as long as the organization can be restored. */
  async function refuseDeleted(tx: Executor, name: string): Promise<void> {
    if (await lockDeletedAccount(tx, name)) throw nameTaken(name);
  }

  return {
    create,
    createAll,
    update,
    ...tokens,

    authenticate: createAuthentication({ database, clock, cutOffs }),

    /** Returns the principal on whose behalf the hub works, as of now. */
    principalOf: createPrincipalLookup({ clock, cutOffs }),

    /** Returns the users who have a token that is published in the documentation. */
    holdersOfPublishedTokens: () => holdersOf(database.read, PUBLISHED_TOKENS.map(sha256)),

    /** Returns whether a text is the valid access token of a site administrator. */
    async isTokenOfSiteAdmin(text: string): Promise<boolean> {
      const token = await findTokenByHash(database.read, sha256(text));
      const holder = token && (await findAccountById(database.read, token.user_id));
      const isValid = (token?.expires_at ?? Number.POSITIVE_INFINITY) > clock.now();
      return isValid && holder?.site_admin === 1 && holder.disabled_at === null;
    },

    /** Creates the user `admin` with the given or a new token at the first start; returns undefined at later starts. */
    async ensureSiteAdmin(token: string | undefined): Promise<FirstAdmin | undefined> {
      const ensure = () =>
        database.transaction(async (tx) => {
          if (await anySiteAdmin(tx)) return undefined;
          const admin = await create(tx, { kind: 'user', name: 'admin', fullname: 'Administrator', site_admin: 1 });
          const given = { userId: admin.id, displayName: 'first start', role: 'write', token } as const;
          return { userId: admin.id, token: await tokens.createToken(tx, given) };
        });
      // If several hubs start at once, one creates the user; the others get a conflict and look again.
      return ensure().catch((error: unknown) => {
        if (error instanceof HubError && error.status === 409) return ensure();
        throw error;
      });
    },
  };
}
