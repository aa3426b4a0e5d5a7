import { accountNameFault, deletedKey, nameKey } from '../../accounts/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Ids } from '../../platform/ids.ts';
import { scimError } from '../protocol/errors.ts';
import { takenNames } from './store.ts';

export const userNameConflict = () => scimError(409, 'Another user has this userName', 'uniqueness');

/** Leaves room for a suffix that makes the name unique. */
const MAX_BASE = 35;

/** Returns a valid account name that resembles a user name of the identity provider, often an e-mail address. */
export function accountNameLike(userName: string): string {
  const plain = userName.replace(/@.*$/s, '').normalize('NFKD').replace(/\p{M}/gu, '');
  const base = plain
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .slice(0, MAX_BASE)
    .replace(/^-|-$/g, '');
  if (accountNameFault(base) === undefined) return base;
  return `user-${base}`.slice(0, MAX_BASE).replace(/-$/, '');
}

/** Returns the first of the names that no other account has. */
async function firstFree(tx: Executor, names: readonly string[], accountId?: string): Promise<string | undefined> {
  const taken = await takenNames(
    tx,
    names.flatMap((name) => [nameKey(name), deletedKey(name)]),
  );
  return names.find((name) => {
    const holder = taken.get(nameKey(name));
    return !taken.has(deletedKey(name)) && (holder === undefined || holder === accountId);
  });
}

/** Returns an unused, valid account name that resembles a user name of the identity provider. */
export async function freeNameLike(tx: Executor, ids: Ids, userName: string, accountId?: string): Promise<string> {
  const base = accountNameLike(userName);
  const ends = [2, 3, 4, 5, 6, 7, 8, 9].map(String).concat(ids().slice(-6));
  const freeName = await firstFree(tx, [base, ...ends.map((end) => `${base}-${end}`)], accountId);
  if (freeName === undefined) throw userNameConflict();
  return freeName;
}

/**
 * Returns the name for an account: the user name if it is valid, else an unused one that resembles it. Throws 409 if
 * another account has the user name.
 */
export async function freeAccountName(tx: Executor, ids: Ids, userName: string, accountId?: string): Promise<string> {
  if (accountNameFault(userName) !== undefined) return freeNameLike(tx, ids, userName, accountId);
  const freeName = await firstFree(tx, [userName], accountId);
  if (freeName === undefined) throw userNameConflict();
  return freeName;
}
