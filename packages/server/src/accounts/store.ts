import type { FineGrained } from '@moonbase/contract/accounts/profiles';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { insertRows } from '../platform/database/bulk.ts';
import { countUpTo } from '../platform/database/count-up-to.ts';
import { prepared } from '../platform/database/prepared.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { parseJson } from '../platform/stored-form.ts';
import { deletedKey, nameKey } from './policy.ts';
import { ACCOUNT, type AccountRow, TOKEN, type TokenRow } from './tables.ts';

/** A user or an organization. */
export type Account = AccountRow;

export const findAccount = (executor: ReadExecutor, name: string): Promise<Account | undefined> =>
  executor.selectFrom('accounts').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst();

export const findAccountById = (executor: ReadExecutor, id: string): Promise<Account | undefined> =>
  executor.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();

/** Returns the accounts with some names, ignoring case, by `nameKey(name)`. */
export async function findAccountsNamed(
  executor: ReadExecutor,
  names: readonly string[],
): Promise<Map<string, Account>> {
  const rows = await executor
    .selectFrom('accounts')
    .selectAll()
    .where(whereIn(executor, 'name_key', names.map(nameKey)))
    .execute();
  return new Map(rows.map((row) => [row.name_key, row]));
}

/** Locks an account until the end of the transaction, which serializes changes that depend on the account. */
export async function lockAccount(tx: Executor, id: string): Promise<boolean> {
  const row = await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(forUpdateOf(tx, 'accounts'))
    .executeTakeFirst();
  return row !== undefined;
}

export async function findAccountsById(executor: ReadExecutor, ids: readonly string[]): Promise<Map<string, Account>> {
  if (ids.length === 0) return new Map();
  const rows = await executor
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the public data of those accounts that still exist. */
export const findExistingAccounts = (
  executor: ReadExecutor,
  ids: readonly string[],
): Promise<Pick<Account, 'id' | 'name' | 'avatar_url'>[]> =>
  executor
    .selectFrom('accounts')
    .select(['id', 'name', 'avatar_url'])
    .where(whereIn(executor, 'id', ids))
    .execute();

/** Returns those of the access tokens that still exist. */
export const findExistingTokens = (executor: ReadExecutor, ids: readonly string[]): Promise<Pick<TokenRow, 'id'>[]> =>
  executor
    .selectFrom('tokens')
    .select('id')
    .where(whereIn(executor, 'id', ids))
    .execute();

/** Returns an account by name, locked until the end of the transaction. */
export const lockAccountNamed = (tx: ReadExecutor, name: string): Promise<Account | undefined> =>
  tx
    .selectFrom('accounts')
    .selectAll()
    .where('name_key', '=', nameKey(name))
    .modifyEnd(forUpdateOf(tx, 'accounts'))
    .executeTakeFirst();

/** Returns an account by id, locked until the end of the transaction. */
export const lockAccountById = (tx: Executor, id: string): Promise<Account | undefined> =>
  tx.selectFrom('accounts').selectAll().where('id', '=', id).modifyEnd(forUpdateOf(tx, 'accounts')).executeTakeFirst();

/** Returns a deleted organization by its former name, locked until the end of the transaction. */
export const lockDeletedAccount = (tx: Executor, name: string): Promise<Account | undefined> =>
  tx
    .selectFrom('accounts')
    .selectAll()
    .where('name_key', '=', deletedKey(name))
    .modifyEnd(forUpdateOf(tx, 'accounts'))
    .executeTakeFirst();

export async function insertAccount(executor: Executor, account: Account): Promise<void> {
  await executor.insertInto('accounts').values(account).execute();
}

/** Throws if one of the names is in use. */
export const insertAccounts = (tx: Executor, rows: readonly Account[]): Promise<void> =>
  insertRows(tx, 'accounts', new Map(Object.entries(ACCOUNT)), rows);

/**
 * Returns those of the names that belong to deleted organizations, which are locked until the end of the transaction.
 */
export async function lockDeletedNames(tx: Executor, names: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('accounts')
    .select('name')
    .where(whereIn(tx, 'name_key', names.map(deletedKey)))
    .modifyEnd(forUpdateOf(tx, 'accounts'))
    .execute();
  return rows.map(({ name }) => name);
}

/** Changes columns of an account. A change of `avatar_url` also deletes the uploaded picture. */
export async function updateAccount(executor: Executor, id: string, change: Partial<Account>): Promise<void> {
  await executor.updateTable('accounts').set(change).where('id', '=', id).execute();
  if (change.avatar_url !== undefined) await executor.deleteFrom('avatars').where('account_id', '=', id).execute();
}

/** Changes the key by which an account is found, but not its displayed name. Throws if another account has the key. */
export async function renameKey(tx: Executor, id: string, key: string): Promise<void> {
  await tx.updateTable('accounts').set({ name_key: key }).where('id', '=', id).execute();
}

export async function deleteAccount(executor: Executor, id: string): Promise<void> {
  await executor.deleteFrom('accounts').where('id', '=', id).execute();
}

/**
 * Returns whether there is a site administrator, even a disabled one: a hub whose administrators are all disabled must
 * not create another.
 */
export const anySiteAdmin = async (executor: Executor): Promise<boolean> =>
  (await executor.selectFrom('accounts').select('id').where('site_admin', '=', 1).limit(1).executeTakeFirst()) !==
  undefined;

export const anyEnabledSiteAdmin = async (executor: Executor): Promise<boolean> =>
  (await executor
    .selectFrom('accounts')
    .select('id')
    // Literally the condition of the partial index.
    .where(sql<boolean>`site_admin = 1`)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Returns the oldest enabled site administrator. */
export const firstSiteAdmin = (executor: ReadExecutor): Promise<Account | undefined> =>
  executor
    .selectFrom('accounts')
    .selectAll()
    // Literally the condition of the partial index.
    .where(sql<boolean>`site_admin = 1`)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

export const isDisabled = async (executor: ReadExecutor, id: string): Promise<boolean> =>
  (await executor
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('disabled_at', 'is not', null)
    .executeTakeFirst()) !== undefined;

/** The columns that every authentication query reads of the access token and its holder. */
export const HOLDER_COLUMNS = [
  'tokens.role as role',
  'tokens.last4 as last4',
  'tokens.fine_grained as fineGrained',
  'accounts.id as userId',
  'accounts.name as userName',
  'accounts.site_admin as siteAdmin',
] as const;

/** The access tokens that have not expired and whose users are not disabled, each with its holder. */
const validTokens = (executor: ReadExecutor, cutOffs: Expression<string | null>, now: RawBuilder<number>) =>
  executor
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.user_id')
    .select([
      ...HOLDER_COLUMNS,
      'tokens.id as id',
      'tokens.last_used_at as lastUsedAt',
      'tokens.expires_at as expiresAt',
      sql<string | null>`${cutOffs}`.as('cutOffs'),
    ])
    .where((is) => is.or([is('tokens.expires_at', 'is', null), is('tokens.expires_at', '>', now)]))
    .where('accounts.disabled_at', 'is', null);

/**
 * Prepares the query that authenticates an access token in a single read; it returns nothing for an expired token or a
 * disabled account. `cutOffs` is a column that the rules of organizations add.
 */
export const callerByHash = (cutOffs: Expression<string | null>) =>
  prepared<{ hash: string; now: number }>()((executor, argument) =>
    validTokens(executor, cutOffs, argument('now')).where('tokens.hash', '=', argument('hash')),
  );

/** Prepares the same query for a token that is known by its id. */
export const callerById = (cutOffs: Expression<string | null>) =>
  prepared<{ id: string; now: number }>()((executor, argument) =>
    validTokens(executor, cutOffs, argument('now')).where('tokens.id', '=', argument('id')),
  );

/** Returns the enabled user with a name, or with a confirmed and unique e-mail address; both in lower case. */
export async function findUserToSignIn(executor: ReadExecutor, key: string): Promise<Account | undefined> {
  const users = executor
    .selectFrom('accounts')
    .selectAll()
    .where('kind', '=', 'user')
    .where('disabled_at', 'is', null)
    .limit(2);
  const rows = await (key.includes('@')
    ? users.where(sql`lower(email)`, '=', key)
    : users.where('name_key', '=', key)
  ).execute();
  return rows.length === 1 ? rows[0] : undefined;
}

/** Returns whether an account, enabled or not, has an e-mail address in lower case. */
export async function hasAddress(executor: ReadExecutor, email: string): Promise<boolean> {
  const accounts = executor.selectFrom('accounts').select('id').where(sql`lower(email)`, '=', email);
  return (await accounts.limit(1).executeTakeFirst()) !== undefined;
}

/** Returns the names of the users who have one of some tokens. */
export const holdersOf = async (executor: ReadExecutor, hashes: readonly string[]): Promise<string[]> => {
  const rows = await executor
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.user_id')
    .select('accounts.name')
    .distinct()
    .where(whereIn(executor, 'hash', hashes))
    .orderBy('accounts.name')
    .execute();
  return rows.map(({ name }) => name);
};

export const findTokenByHash = (executor: ReadExecutor, hash: string): Promise<TokenRow | undefined> =>
  executor.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst();

/** Records the use of a token, unless a use was recorded since a time. */
export async function touchToken(executor: Executor, id: string, now: number, unlessSince: number): Promise<void> {
  await executor
    .updateTable('tokens')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', unlessSince)]))
    .execute();
}

/**
 * Returns a page of the tokens that a user was shown, newest first. The tokens of applications and of trusted publishers,
 * which nobody is shown, have an empty `last4` and are not among them.
 */
export function tokensOf(executor: ReadExecutor, userId: string, before: string | undefined, limit: number) {
  const rows = executor.selectFrom('tokens').selectAll().where('user_id', '=', userId).where('last4', '<>', '');
  return (before === undefined ? rows : rows.where('id', '<', before)).orderBy('id', 'desc').limit(limit).execute();
}

/** Counts the tokens that a user was shown, up to `max`. */
export const countTokens = (executor: ReadExecutor, userId: string, max: number): Promise<number> =>
  countUpTo(executor, sql`from tokens where user_id = ${userId} and last4 <> ''`, max);

/** Returns the ids of the tokens with these hashes. */
export async function tokensWithHashes(executor: ReadExecutor, hashes: readonly string[]): Promise<string[]> {
  const rows = await executor
    .selectFrom('tokens')
    .select('id')
    .where(whereIn(executor, 'hash', hashes))
    .execute();
  return rows.map(({ id }) => id);
}

export const findToken = (executor: Executor, userId: string, displayName: string): Promise<TokenRow | undefined> =>
  executor
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('display_name', '=', displayName)
    .executeTakeFirst();

/** Returns the tokens of some users. */
export const findTokensOf = (executor: ReadExecutor, userIds: readonly string[]): Promise<TokenRow[]> =>
  executor
    .selectFrom('tokens')
    .selectAll()
    .where(whereIn(executor, 'user_id', userIds))
    .execute();

export const findTokenById = (executor: ReadExecutor, id: string): Promise<TokenRow | undefined> =>
  executor.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();

export async function insertToken(
  executor: Executor,
  token: TokenRow & { readonly made_by?: string | null },
): Promise<void> {
  await executor.insertInto('tokens').values(token).execute();
}

/** Throws if one of the tokens exists. */
export const insertTokens = (tx: Executor, rows: readonly TokenRow[]): Promise<void> =>
  insertRows(tx, 'tokens', new Map(Object.entries(TOKEN)), rows);

export async function updateToken(executor: Executor, id: string, change: Partial<TokenRow>): Promise<void> {
  await executor.updateTable('tokens').set(change).where('id', '=', id).execute();
}

/** Deletes a token. The tokens made with it are attributed to the token that made it. */
export async function deleteToken(tx: Executor, id: string): Promise<void> {
  await tx
    .updateTable('tokens')
    .set({ made_by: sql<string | null>`(select maker.made_by from tokens maker where maker.id = ${id})` })
    .where('made_by', '=', id)
    .execute();
  await tx.deleteFrom('tokens').where('id', '=', id).execute();
}

/** Deletes tokens, with which all that they made must go as well; returns them. */
export const deleteTokensById = (tx: Executor, ids: readonly string[]): Promise<TokenRow[]> =>
  tx
    .deleteFrom('tokens')
    .where(whereIn(tx, 'id', ids))
    .returningAll()
    .execute();

/** Locks the accounts of the users who have some tokens, so that these make no further ones until the end of the transaction. */
export async function lockHolders(tx: Executor, ids: readonly string[]): Promise<void> {
  const holders = tx
    .selectFrom('tokens')
    .select('user_id')
    .where(whereIn(tx, 'id', ids));
  const accounts = tx.selectFrom('accounts').select('id').where('id', 'in', holders).orderBy('id');
  await accounts.modifyEnd(forUpdateOf(tx, 'accounts')).execute();
}

/** Returns the tokens that a token made, directly or indirectly. */
export async function tokensMadeBy(executor: Executor, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive made (id) as (
      select t.id from tokens t where t.made_by = ${id}
      union
      select t.id from tokens t join made on t.made_by = made.id
    ) select id from made order by id`.execute(executor);
  return rows.map((row) => row.id);
}

/** Converts the scopes of a fine-grained token to their stored form. */
export const fineGrainedText = (scopes: FineGrained | undefined): string | null =>
  scopes ? JSON.stringify(scopes) : null;
export const fineGrainedFrom = (text: string | null): FineGrained | undefined =>
  text === null ? undefined : parseJson<FineGrained>(text);
