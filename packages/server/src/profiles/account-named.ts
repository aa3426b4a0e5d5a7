import { type Account, findAccount } from '../accounts/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { notFound } from '../platform/http/errors.ts';

/** Returns a user or an organization by name. Throws 404 if there is none. */
export async function accountNamed(executor: ReadExecutor, kind: 'user' | 'org', name: string): Promise<Account> {
  const account = await findAccount(executor, name);
  if (account?.kind !== kind) throw notFound(`There is no ${kind === 'user' ? 'user' : 'organization'} named ${name}`);
  return account;
}
