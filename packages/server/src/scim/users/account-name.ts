import { accountNameFault, deletedKey, nameKey } from '../../accounts/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { Ids } from '../../platform/ids.ts';
import { scimError } from '../protocol/errors.ts';
import { takenNames } from './store.ts';

export const userNameTaken = () => scimError(409, 'Another user has this userName', 'uniqueness');

/** Room is left for what makes a name unique. */
const MAX_BASE = 35;

/** A valid account name that is like a user's name at the identity provider, which is often an e-mail address. */
export function accountNameLike(userName: string): string {
  const plain = userName.replace(/@.*$/s, '').normalize('NFKD').replace(/\p{M}/gu, '');
  const base = plain
    .replace(/[^a-zA-Z0-9]+/g, '-')
    .slice(0, MAX_BASE)
    .replace(/^-|-$/g, '');
  if (accountNameFault(base) === undefined) return base;
  return `user-${base}`.slice(0, MAX_BASE).replace(/-$/, '');
}

/**
 * The name for an account: the user's own where it is a name, otherwise one like it that nobody has. 409 where somebody
 * has the user's own.
 */
export async function freeAccountName(tx: Executor, ids: Ids, userName: string, accountId?: string): Promise<string> {
  const own = accountNameFault(userName) === undefined;
  const base = own ? userName : accountNameLike(userName);
  const more = own ? [] : [2, 3, 4, 5, 6, 7, 8, 9].map(String).concat(ids().slice(-6));
  const names = [base, ...more.map((end) => `${base}-${end}`)];
  const taken = await takenNames(
    tx,
    names.flatMap((name) => [nameKey(name), deletedKey(name)]),
  );
  const isFree = (name: string) => {
    const holder = taken.get(nameKey(name));
    return !taken.has(deletedKey(name)) && (holder === undefined || holder === accountId);
  };
  const free = names.find(isFree);
  if (free === undefined) throw userNameTaken();
  return free;
}
