import type { FineGrained } from '@moonbase/contract/profiles';
import { prepared } from '../platform/database/prepared.ts';
import type { AccountRow, TokenRow } from '../platform/database/tables.ts';
import { type Executor, forUpdateOf } from '../platform/database/transaction.ts';
import { nameKey } from './policy.ts';

/** A user or an organization. */
export type Account = AccountRow;

export const findAccount = (executor: Executor, name: string): Promise<Account | undefined> =>
  executor.selectFrom('accounts').selectAll().where('name_key', '=', nameKey(name)).executeTakeFirst();

export const findAccountById = (executor: Executor, id: string): Promise<Account | undefined> =>
  executor.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();

/** Holds an account until the transaction ends, so that what is counted under it stays so. */
export async function lockAccount(tx: Executor, id: string): Promise<void> {
  await tx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', id)
    .modifyEnd(forUpdateOf(tx, 'accounts'))
    .executeTakeFirst();
}

export async function findAccountsById(executor: Executor, ids: readonly string[]): Promise<Map<string, Account>> {
  if (ids.length === 0) return new Map();
  const rows = await executor
    .selectFrom('accounts')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function insertAccount(executor: Executor, account: Account): Promise<void> {
  await executor.insertInto('accounts').values(account).execute();
}

export async function updateAccount(executor: Executor, id: string, change: Partial<Account>): Promise<void> {
  await executor.updateTable('accounts').set(change).where('id', '=', id).execute();
}

export async function deleteAccount(executor: Executor, id: string): Promise<void> {
  await executor.deleteFrom('accounts').where('id', '=', id).execute();
}

export const anySiteAdmin = async (executor: Executor): Promise<boolean> =>
  (await executor.selectFrom('accounts').select('id').where('site_admin', '=', 1).limit(1).executeTakeFirst()) !==
  undefined;

const tokenByHash = prepared<{ hash: string }>()((executor, argument) =>
  executor
    .selectFrom('tokens')
    .innerJoin('accounts', 'accounts.id', 'tokens.user_id')
    .select([
      'tokens.id as id',
      'tokens.role as role',
      'tokens.last4 as last4',
      'tokens.fine_grained as fineGrained',
      'accounts.id as userId',
      'accounts.name as userName',
      'accounts.site_admin as siteAdmin',
    ])
    .where('tokens.hash', '=', argument('hash')),
);

/** What authentication needs, in one read. */
export const findTokenByHash = async (executor: Executor, hash: string) => (await tokenByHash(executor, { hash }))[0];

export const findToken = (executor: Executor, userId: string, displayName: string): Promise<TokenRow | undefined> =>
  executor
    .selectFrom('tokens')
    .selectAll()
    .where('user_id', '=', userId)
    .where('display_name', '=', displayName)
    .executeTakeFirst();

export const findTokenById = (executor: Executor, id: string): Promise<TokenRow | undefined> =>
  executor.selectFrom('tokens').selectAll().where('id', '=', id).executeTakeFirst();

export async function insertToken(executor: Executor, token: TokenRow): Promise<void> {
  await executor.insertInto('tokens').values(token).execute();
}

export async function updateToken(executor: Executor, id: string, change: Partial<TokenRow>): Promise<void> {
  await executor.updateTable('tokens').set(change).where('id', '=', id).execute();
}

export async function deleteToken(executor: Executor, id: string): Promise<void> {
  await executor.deleteFrom('tokens').where('id', '=', id).execute();
}

/** The scopes of a fine-grained token as stored, and back. */
export const fineGrainedText = (scopes: FineGrained | undefined): string | null =>
  scopes ? JSON.stringify(scopes) : null;
export const fineGrainedFrom = (text: string | null): FineGrained | undefined =>
  text === null ? undefined : (JSON.parse(text) as FineGrained);
