// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as discovery from '@moonbase/contract/repositories/discovery';
import type { RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export type RepoInfo = SuccessAnswer<typeof discovery.listTrending>['recentlyTrending'][number]['repoData'];

export type SpaceRuntime = NonNullable<
  SuccessAnswer<typeof discovery.listTrending>['recentlyTrending'][number]['repoData']['runtime']
>;

export type FoundSpace = SuccessAnswer<typeof discovery.searchSpaces>[number];

export type QuickSearchResult = SuccessAnswer<typeof discovery.quickSearch>;

/**
 * List the tags of models by type. Tags of public repositories, of each type at most 1,000, the most frequent
 * first. Looks at the 5,000 public repositories with the most downloads; up to a minute old.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listModelTags(
  params: Hub & {
    /** Only tags of this type. */
    readonly type?: RouteQuery<typeof discovery.listModelTags>['type'];
  },
): Promise<SuccessAnswer<typeof discovery.listModelTags>> {
  return call<typeof discovery.listModelTags>(params, {
    method: 'GET',
    path: '/api/models-tags-by-type',
    query: { type: params.type },
  });
}

/**
 * List the tags of datasets by type. Tags of public repositories, of each type at most 1,000, the most frequent
 * first. Looks at the 5,000 public repositories with the most downloads; up to a minute old.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listDatasetTags(
  params: Hub & {
    /** Only tags of this type. */
    readonly type?: RouteQuery<typeof discovery.listDatasetTags>['type'];
  },
): Promise<SuccessAnswer<typeof discovery.listDatasetTags>> {
  return call<typeof discovery.listDatasetTags>(params, {
    method: 'GET',
    path: '/api/datasets-tags-by-type',
    query: { type: params.type },
  });
}

/**
 * List what is trending. Repositories with downloads or likes in the last 7 days, the highest `trendingScore`
 * first.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function listTrending(
  params: Hub & {
    readonly type?: RouteQuery<typeof discovery.listTrending>['type'];
    readonly limit?: number | undefined;
  },
): Promise<SuccessAnswer<typeof discovery.listTrending>> {
  return call<typeof discovery.listTrending>(params, {
    method: 'GET',
    path: '/api/trending',
    query: { type: params.type, limit: params.limit },
  });
}

/**
 * Search Spaces. Looks for the words of the text in names, titles, tags and short descriptions: those with the
 * most words first, at most 100. Looks at the 5,000 public Spaces that trend most, and at as many private ones
 * that the caller may read.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function searchSpaces(
  params: Hub & {
    readonly q?: string | undefined;
    /** Tags that all must be there. May be repeated. */
    readonly filter?: RouteQuery<typeof discovery.searchSpaces>['filter'];
    /** SDKs: any of them. May be repeated. */
    readonly sdk?: RouteQuery<typeof discovery.searchSpaces>['sdk'];
    /** Ignored: all Spaces are found. */
    readonly includeNonRunning?: string | undefined;
  },
): Promise<SuccessAnswer<typeof discovery.searchSpaces>> {
  return call<typeof discovery.searchSpaces>(params, {
    method: 'GET',
    path: '/api/spaces/semantic-search',
    query: { q: params.q, filter: params.filter, sdk: params.sdk, includeNonRunning: params.includeNonRunning },
  });
}

/**
 * Search everything by name. Finds repositories, users and organizations by parts of their names, papers and
 * collections by words of their titles. Private repositories and collections are found by those who may read them,
 * collections by callers with a token.
 *
 * Throws a `HubApiError`: 400, 401, 403.
 */
export function quickSearch(
  params: Hub & {
    readonly q?: string | undefined;
    /** What to look for (default: everything). May be repeated. */
    readonly type?: RouteQuery<typeof discovery.quickSearch>['type'];
    /** Only repositories and collections in it. */
    readonly namespace?: string | undefined;
    /** Repositories to leave out, as `namespace/name` or `models/namespace/name`. May be repeated. */
    readonly exclude?: RouteQuery<typeof discovery.quickSearch>['exclude'];
    /** Repositories with this tag; also `lang` and `pipelines`. */
    readonly library?: RouteQuery<typeof discovery.quickSearch>['library'];
    readonly lang?: RouteQuery<typeof discovery.quickSearch>['lang'];
    readonly pipelines?: RouteQuery<typeof discovery.quickSearch>['pipelines'];
    /** Of each type. */
    readonly limit?: number | undefined;
  },
): Promise<SuccessAnswer<typeof discovery.quickSearch>> {
  return call<typeof discovery.quickSearch>(params, {
    method: 'GET',
    path: '/api/quicksearch',
    query: {
      q: params.q,
      type: params.type,
      namespace: params.namespace,
      exclude: params.exclude,
      library: params.library,
      lang: params.lang,
      pipelines: params.pipelines,
      limit: params.limit,
    },
  });
}

/**
 * Search everything by name, asking in the body. As with `GET`; changes nothing.
 *
 * Throws a `HubApiError`: 400, 401, 403, 409.
 */
export function quickSearchByBody(
  params: Hub & {
    readonly q?: string | undefined;
    /** What to look for (default: everything). May be repeated. */
    readonly type?: RouteBody<typeof discovery.quickSearchByBody>['type'];
    /** Only repositories and collections in it. */
    readonly namespace?: string | undefined;
    /** Repositories to leave out, as `namespace/name` or `models/namespace/name`. May be repeated. */
    readonly exclude?: RouteBody<typeof discovery.quickSearchByBody>['exclude'];
    /** Repositories with this tag; also `lang` and `pipelines`. */
    readonly library?: RouteBody<typeof discovery.quickSearchByBody>['library'];
    readonly lang?: RouteBody<typeof discovery.quickSearchByBody>['lang'];
    readonly pipelines?: RouteBody<typeof discovery.quickSearchByBody>['pipelines'];
    /** Of each type. */
    readonly limit?: number | undefined;
  },
): Promise<SuccessAnswer<typeof discovery.quickSearchByBody>> {
  return call<typeof discovery.quickSearchByBody>(params, {
    method: 'POST',
    path: '/api/quicksearch',
    body: {
      q: params.q,
      type: params.type,
      namespace: params.namespace,
      exclude: params.exclude,
      library: params.library,
      lang: params.lang,
      pipelines: params.pipelines,
      limit: params.limit,
    },
  });
}
