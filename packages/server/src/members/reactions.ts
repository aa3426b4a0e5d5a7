import { searchKey, setSearchKey } from '../access/index.ts';
import { type AccountEvent, findAccountById } from '../accounts/index.ts';
import type { Reaction } from '../platform/events/reaction.ts';

/** Updates search texts by the current name of the account, so that the order of events does not matter. */
export const followAccounts: Reaction<AccountEvent> = async (tx, event) => {
  const { accountId, kind } = event.data;
  const user = kind === 'user' ? await findAccountById(tx, accountId) : undefined;
  if (user) await setSearchKey(tx, user.id, searchKey(user));
  return undefined;
};
