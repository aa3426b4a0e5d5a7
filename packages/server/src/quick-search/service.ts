import type { QUICK_SEARCH_TYPES, QuickSearchResult } from '@moonbase/contract/repositories/discovery';
import { avatarUrl, findAccount, findAccountsById } from '../accounts/index.ts';
import { type CatalogQuery, countCatalog, distinctValues, firstOf, listCatalog, searchable } from '../catalog/index.ts';
import { type CollectionsQuery, countCollections, listCollections, slugWithId } from '../collections/index.ts';
import { countPapers, listPapers, periodOf } from '../papers/index.ts';
import type { Database } from '../platform/database/transaction.ts';
import { isAuthenticated, type ReadingCaller } from '../platform/http/authenticate.ts';
import { fullName } from '../repositories/index.ts';
import { countAccountsLike, findAccountsLike } from './account-store.ts';

type SearchedType = (typeof QUICK_SEARCH_TYPES)[number];

export interface QuickSearchRequest {
  readonly text: string;
  readonly types: ReadonlySet<SearchedType>;
  /** Of each type. */
  readonly limit: number;
  readonly namespace: string | undefined;
  /** Full names of repositories. */
  readonly exclude: readonly string[];
  readonly tags: readonly string[];
}

/** What is found of one type. */
interface Found<Item> {
  readonly items: readonly Item[];
  readonly count: number;
}

/** At which number counting ends. */
const MAX_COUNT = 1000;
const NOTHING: Found<never> = { items: [], count: 0 };

/** Returns the first rows of a type and their number, which is counted only if there are more. */
async function found<Row, Item>(
  rows: readonly Row[],
  limit: number,
  count: () => Promise<number>,
  present: (row: Row) => Item,
): Promise<Found<Item>> {
  return { items: rows.slice(0, limit).map(present), count: rows.length > limit ? await count() : rows.length };
}

export type QuickSearch = ReturnType<typeof createQuickSearch>;

/** Creates the search over everything that has a name. */
export function createQuickSearch({ database: { read } }: { readonly database: Database }) {
  /** What one request looks for. */
  interface Search extends QuickSearchRequest {
    readonly caller: ReadingCaller;
    /** In lower case. */
    readonly words: readonly string[];
    readonly ownerId: string | undefined;
  }

  async function repositories(search: Search, type: CatalogQuery['type']) {
    const { caller, words, tags, ownerId, limit, types } = search;
    if (!types.has(type)) return NOTHING;
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
    const rows = await listCatalog(read, caller.principal, query);
    const first = firstOf(
      rows,
      (repo) => ({ value: Number(repo.trending_score), id: repo.id }),
      ...(['desc', query.limit] as const),
    );
    const wanted = first.filter((repo) => !excluded.has(fullName(repo).toLowerCase()));
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

  async function accounts({ caller, words, limit, types, namespace }: Search, type: 'org' | 'user') {
    if (!types.has(type) || words.length === 0 || namespace !== undefined) return NOTHING;
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

  async function papers({ words, limit, types, namespace }: Search) {
    if (!types.has('paper') || namespace !== undefined) return NOTHING;
    const filter = { words, period: periodOf({}) };
    return found(
      await listPapers(read, filter, { start: 0, limit: limit + 1 }),
      limit,
      () => countPapers(read, filter, MAX_COUNT),
      ({ id, arxiv_id, title }) => ({ _id: id, id: arxiv_id, title }),
    );
  }

  async function collections({ caller, words, limit, types, ownerId }: Search) {
    // Without a token collections are not listed either.
    if (!types.has('collection') || !isAuthenticated(caller)) return NOTHING;
    const query: CollectionsQuery = {
      ...{ ownerIds: ownerId === undefined ? undefined : [ownerId], items: undefined, sort: 'trending' },
      ...{ words, after: undefined, limit: limit + 1 },
    };
    const rows = firstOf(
      await listCollections(read, caller.principal, query),
      (row) => ({ value: Number(row.trending_score), id: row.id }),
      ...(['desc', query.limit] as const),
    );
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

  return async function quickSearch(caller: ReadingCaller, request: QuickSearchRequest): Promise<QuickSearchResult> {
    const { namespace } = request;
    const owner = namespace === undefined ? undefined : await findAccount(read, namespace);
    const types = namespace === undefined || owner ? request.types : new Set<SearchedType>();
    const search = {
      ...request,
      types,
      caller,
      words: distinctValues('q', request.text.toLowerCase().split(/\s+/), 'words'),
      ownerId: owner?.id,
    };
    const [model, dataset, space] = [
      await repositories(search, 'model'),
      await repositories(search, 'dataset'),
      await repositories(search, 'space'),
    ];
    const [kernel, bucket] = [await repositories(search, 'kernel'), await repositories(search, 'bucket')];
    const [paper, collection] = [await papers(search), await collections(search)];
    const [org, user] = [await accounts(search, 'org'), await accounts(search, 'user')];
    return {
      q: request.text,
      ...{ models: [...model.items], modelsCount: model.count, datasets: [...dataset.items] },
      ...{ datasetsCount: dataset.count, spaces: [...space.items], spacesCount: space.count },
      ...{ kernels: [...kernel.items], kernelsCount: kernel.count },
      ...{ buckets: [...bucket.items], bucketsCount: bucket.count },
      ...{ papers: [...paper.items], papersCount: paper.count },
      ...{ collections: [...collection.items], collectionsCount: collection.count },
      ...{ orgs: [...org.items], orgsCount: org.count },
      users: user.items.map(({ name, ...shown }) => ({ ...shown, user: name })),
      usersCount: user.count,
    };
  };
}
