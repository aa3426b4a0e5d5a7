import type { FineGrained } from '@moonbase/contract/accounts/profiles';
import { type Expression, sql } from 'kysely';
import { prepared } from '../platform/database/prepared.ts';
import { type Executor, forUpdateOf, type ReadExecutor } from '../platform/database/transaction.ts';
import { whereIn } from '../platform/database/where-in.ts';
import { deletedKey, nameKey } from './policy.ts';
import type { AccountRow, TokenRow } from './tables.ts';

/** A user or an organization. */
export type Account = AccountRow;

export const findAccount = (executor: ReadExecutor, name: string): Promise<Account | undefined> =>
  executor.selectFrom('accounts').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst();

export const findAccountById = (executor: ReadExecutor, id: string): Promise<Account | undefined> =>
  executor.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();

/** Holds an account until the transaction ends, so that what is counted under it stays so. */
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

/** An account by its name, held until the transaction ends. */
export const lockAccountNamed = (tx: ReadExecutor, name: string): Promise<Account | undefined> =>
  tx
    .selectFrom('accounts')
    .selectAll()
    .where('name_key', '=', nameKey(name))
    .modifyEnd(forUpdateOf(tx, 'accounts'))
    .executeTakeFirst();

/** The same by its id. */
export const lockAccountById = (tx: Executor, id: string): Promise<Account | undefined> =>
  tx.selectFrom('accounts').selectAll().where('id', '=', id).modifyEnd(forUpdateOf(tx, 'accounts')).executeTakeFirst();

/** A deleted organization by the name that it had, held until the transaction ends. */
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

/** An uploaded picture is gone once `avatar_url` points to something else, whoever changes it. */
export async function updateAccount(executor: Executor, id: string, change: Partial<Account>): Promise<void> {
  await executor.updateTable('accounts').set(change).where('id', '=', id).execute();
  if (change.avatar_url !== undefined) await executor.deleteFrom('avatars').where('account_id', '=', id).execute();
}

/** Changes what leads to an account, and nothing of what it is called. Throws where an account has that key. */
export async function renameKey(tx: Executor, id: string, key: string): Promise<void> {
  await tx.updateTable('accounts').set({ name_key: key }).where('id', '=', id).execute();
}

export async function deleteAccount(executor: Executor, id: string): Promise<void> {
  await executor.deleteFrom('accounts').where('id', '=', id).execute();
}

/** Also a disabled one: a hub whose administrators were all disabled does not make another by itself. */
export const anySiteAdmin = async (executor: Executor): Promise<boolean> =>
  (await executor.selectFrom('accounts').select('id').where('site_admin', '=', 1).limit(1).executeTakeFirst()) !==
  undefined;

export const anyEnabledSiteAdmin = async (executor: Executor): Promise<boolean> =>
  (await executor
    .selectFrom('accounts')
    .select('id')
    // In the words of the partial index.
    .where(sql<boolean>`site_admin = 1`)
    .where('disabled_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const isDisabled = async (executor: ReadExecutor, id: string): Promise<boolean> =>
  (await executor
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .where('disabled_at', 'is not', null)
    .executeTakeFirst()) !== undefined;

/** What authentication needs, in one read: nothing of a disabled account. `cutOffs` is a column that other rules add. */
export const callerByHash = (cutOffs: Expression<string | null>) =>
  prepared<{ hash: string }>()((executor, argument) =>
    executor
      .selectFrom('tokens')
      .innerJoin('accounts', 'accounts.id', 'tokens.user_id')
      .select([
        'tokens.id as id',
        'tokens.role as role',
        'tokens.last4 as last4',
        'tokens.fine_grained as fineGrained',
        'tokens.last_used_at as lastUsedAt',
        'accounts.id as userId',
        'accounts.name as userName',
        'accounts.site_admin as siteAdmin',
        sql<string | null>`${cutOffs}`.as('cutOffs'),
      ])
      .where('tokens.hash', '=', argument('hash'))
      .where('accounts.disabled_at', 'is', null),
  );

/** The names of the users who have one of these tokens. */
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

export const findTokenByHash = (executor: Executor, hash: string): Promise<TokenRow | undefined> =>
  executor.selectFrom('tokens').selectAll().where('hash', '=', hash).executeTakeFirst();

/** Notes that a token was in use, unless that has been noted since. */
export async function touchToken(executor: Executor, id: string, now: number, unlessSince: number): Promise<void> {
  await executor
    .updateTable('tokens')
    .set({ last_used_at: now })
    .where('id', '=', id)
    .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', unlessSince)]))
    .execute();
}

/** The tokens of a user, newest first, a page of them. */
export function tokensOf(executor: ReadExecutor, userId: string, before: string | undefined, limit: number) {
  const rows = executor.selectFrom('tokens').selectAll().where('user_id', '=', userId);
  return (before === undefined ? rows : rows.where('id', '<', before)).orderBy('id', 'desc').limit(limit).execute();
}

/** Deletes tokens by their hashes, whoever has them; returns who did. */
export async function deleteTokensByHash(tx: Executor, hashes: readonly string[]): Promise<string[]> {
  const found = await tx
    .selectFrom('tokens')
    .select(['id', 'user_id as userId'])
    .where(whereIn(tx, 'hash', hashes))
    .orderBy('id')
    .execute();
  for (const { id } of found) await deleteToken(tx, id);
  return [...new Set(found.map(({ userId }) => userId))];
}

export const findToken = (executor: Executor, userId: string, displayName: string): Promise<TokenRow | undefined> =>
  executor
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('display_name', '=', displayName)
    .executeTakeFirst();

export const findTokenById = (executor: ReadExecutor, id: string): Promise<TokenRow | undefined> =>
  executor.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();

export async function insertToken(
  executor: Executor,
  token: TokenRow & { readonly made_by?: string | null },
): Promise<void> {
  await executor.insertInto('tokens').values(token).execute();
}

export async function updateToken(executor: Executor, id: string, change: Partial<TokenRow>): Promise<void> {
  await executor.updateTable('tokens').set(change).where('id', '=', id).execute();
}

/** Deletes a token. Those that it made count as made by the one that made it. */
export async function deleteToken(tx: Executor, id: string): Promise<void> {
  await tx
    .updateTable('tokens')
    .set({ made_by: sql<string | null>`(select maker.made_by from tokens maker where maker.id = ${id})` })
    .where('made_by', '=', id)
    .execute();
  await tx.deleteFrom('tokens').where('id', '=', id).execute();
}

/** The tokens that a token made, and those that they made. */
export async function tokensMadeBy(executor: Executor, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive made (id) as (
      select t.id from tokens t where t.made_by = ${id}
      union
      select t.id from tokens t join made on t.made_by = made.id
    ) select id from made order by id`.execute(executor);
  return rows.map((row) => row.id);
}

/** The scopes of a fine-grained token as stored, and back. */
export const fineGrainedText = (scopes: FineGrained | undefined): string | null =>
  scopes ? JSON.stringify(scopes) : null;
export const fineGrainedFrom = (text: string | null): FineGrained | undefined =>
  text === null ? undefined : (JSON.parse(text) as FineGrained);
