import { findAccountsById } from '../accounts/index.ts';
import { findPapers } from '../papers/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { listReadable } from '../repositories/index.ts';
import type { Facts } from './present.ts';
import { readableCollections } from './store.ts';
import type { CollectionItemRow, CollectionRow } from './tables.ts';
import { upvotedAmong } from './upvote-store.ts';

const byId = <Row extends { readonly id: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [row.id, row]));

/** Looks up what collections and their items show to a caller, with one query for each kind. */
export async function factsOf(
  executor: ReadExecutor,
  { principal, baseUrl }: Pick<Caller, 'principal' | 'baseUrl'>,
  collections: readonly CollectionRow[],
  items: readonly CollectionItemRow[],
): Promise<Facts> {
  const idsIn = (column: 'repo_id' | 'paper_id' | 'nested_id') => [
    ...new Set(items.flatMap((item) => item[column] ?? [])),
  ];
  const nested = await readableCollections(executor, principal, idsIn('nested_id'));
  const all = [...collections, ...nested];
  return {
    baseUrl,
    nested: byId(nested),
    repos: byId(await listReadable(executor, idsIn('repo_id'), principal)),
    papers: byId(await findPapers(executor, idsIn('paper_id'))),
    owners: await findAccountsById(
      executor,
      all.map(({ owner_id }) => owner_id),
    ),
    upvoted: await upvotedAmong(
      executor,
      principal.userId,
      all.map(({ id }) => id),
    ),
  };
}
