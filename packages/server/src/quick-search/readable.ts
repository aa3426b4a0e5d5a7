import { findAccountsById } from '../accounts/index.ts';
import { type CatalogQuery, countCatalog, listCatalog, searchable } from '../catalog/index.ts';
import { type CollectionsQuery, countCollections, listCollections, slugWithId } from '../collections/index.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { isAuthenticated } from '../platform/http/authenticate.ts';
import { fullName } from '../repositories/index.ts';
import { found, MAX_COUNT, nothing, type Search } from './search.ts';

/** Finds repositories of a type, those that trend most first. */
export async function repositories(read: ReadExecutor, search: Search, type: CatalogQuery['type']) {
  const { caller, words, tags, ownerId, limit, types } = search;
  if (!types.has(type)) return nothing();
  const excluded = new Set(search.exclude.map((name) => name.toLowerCase()));
  const query: CatalogQuery = {
    ...{
      type,
      words: words.map(searchable),
      tags,
      ownerId,
      gated: undefined,
      pipeline: undefined,
      parameters: undefined,
    },
    ...{ sort: 'trendingScore', direction: 'desc', after: undefined, limit: limit + excluded.size + 1 },
  };
  const { rows } = await listCatalog(read, caller.principal, query);
  const wanted = rows.filter((repo) => {
    const name = fullName(repo).toLowerCase();
    return !excluded.has(name) && !excluded.has(`${type}s/${name}`);
  });
  return found(
    wanted,
    limit,
    () => countCatalog(read, caller.principal, query, MAX_COUNT),
    (repo) => ({
      ...{ _id: repo.id, id: fullName(repo), trendingWeight: Number(repo.trending_score) / 1000 },
      ...(repo.private === 1 && { private: true }),
    }),
  );
}

/** Finds collections, those that trend most first. */
export async function collections(read: ReadExecutor, { caller, words, limit, types, ownerId }: Search) {
  // Without a token collections are not listed either.
  if (!types.has('collection') || !isAuthenticated(caller)) return nothing();
  const query: CollectionsQuery = {
    ...{ ownerIds: ownerId === undefined ? undefined : [ownerId], items: undefined, sort: 'trending' },
    ...{ words, after: undefined, limit: limit + 1 },
  };
  const { rows } = await listCollections(read, caller.principal, query);
  const owners = await findAccountsById(
    read,
    rows.map(({ owner_id }) => owner_id),
  );
  return found(
    rows,
    limit,
    () => countCollections(read, caller.principal, query, MAX_COUNT),
    (row) => ({
      ...{ _id: row.id, title: row.title, slug: slugWithId(owners.get(row.owner_id) ?? { name: '' }, row) },
      ...(row.description !== '' && { description: row.description }),
    }),
  );
}
