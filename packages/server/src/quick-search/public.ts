import { avatarUrl } from '../accounts/index.ts';
import { countPapers, listPapers, periodOf } from '../papers/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { countAccountsLike, findAccountsLike } from './account-store.ts';
import { found, MAX_COUNT, nothing, type Search } from './search.ts';

/** Finds organizations or users. */
export async function accounts(
  read: ReadExecutor,
  { caller, words, limit, types, namespace }: Search,
  type: 'org' | 'user',
) {
  if (!types.has(type) || words.length === 0 || namespace !== undefined) return nothing();
  const { principal, baseUrl } = caller;
  return found(
    await findAccountsLike(read, principal, type, words, limit + 1),
    limit,
    () => countAccountsLike(read, principal, type, words, MAX_COUNT),
    (account) => ({
      ...{ _id: account.id, name: account.name, fullname: account.fullname },
      avatarUrl: avatarUrl(baseUrl, account),
    }),
  );
}

/** Finds papers, those added last first. */
export async function papers(read: ReadExecutor, { words, limit, types, namespace }: Search) {
  if (!types.has('paper') || namespace !== undefined) return nothing();
  const filter = { words, period: periodOf({}) };
  return found(
    await listPapers(read, filter, { start: 0, limit: limit + 1 }),
    limit,
    () => countPapers(read, filter, MAX_COUNT),
    ({ id, arxiv_id, title }) => ({ _id: id, id: arxiv_id, title }),
  );
}
