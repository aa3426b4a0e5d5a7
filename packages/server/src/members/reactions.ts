import { searchKey } from '../access/index.ts';
import { type AccountEvent, findAccountById } from '../accounts/index.ts';
import type { Reaction } from '../platform/events/reaction.ts';
import { setSearchKey } from './store.ts';

/** Members are found by what they are called now, whatever the order of events. */
export const followAccounts: Reaction<AccountEvent> = async (tx, event) => {
  const { accountId, kind } = event.data;
  const user = kind === 'user' ? await findAccountById(tx, accountId) : undefined;
  if (user) await setSearchKey(tx, user.id, searchKey(user));
  return undefined;
};
