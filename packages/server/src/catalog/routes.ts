import * as discovery from '@moonbase/contract/repositories/discovery';
import * as contract from '@moonbase/contract/repositories/listing';
import type { z } from 'zod';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import { type CatalogFilter, parametersIn, tagsIn, wordsOf } from './filter.ts';
import type { ListRequest } from './listing.ts';
import type { Catalog } from './service.ts';

type Query = z.output<typeof contract.listKernels.query>;

/** The filters that only some types have. */
type Own = Partial<Pick<CatalogFilter, 'gated' | 'pipeline' | 'parameters'>> & { readonly tags?: readonly string[] };

function requestOf(
  type: CatalogFilter['type'],
  query: Query,
  { tags = [], gated, pipeline, parameters }: Own = {},
  more: readonly string[] = [],
): ListRequest {
  const expand = [...(query.expand ?? []), ...(query['expand[]'] ?? [])].flatMap((names) => names.split(','));
  return {
    filter: {
      ...{
        type,
        words: wordsOf(query.search ?? []),
        author: query.author,
        tags: [...tagsIn('filter', query.filter), ...tags],
      },
      ...{ gated, pipeline, parameters },
      ...{ sort: query.sort, direction: query.direction === '1' ? 'asc' : 'desc' },
    },
    ...{ limit: query.limit, cursor: query.cursor, more, full: query.full ?? false },
    expand: expand.length > 0 ? expand : undefined,
  };
}

const prefixed = (prefix: string, names: readonly string[]) => names.map((name) => `${prefix}:${name}`);

export function catalogRoutes(routes: Routes, catalog: Catalog): void {
  routes.add(contract.listModels, async ({ caller, query }) => {
    const { gated, pipeline_tag: pipeline, num_parameters: parameters, config, cardData } = query;
    if (query.inference !== undefined || query.inference_provider) return [];
    const request = requestOf(
      'model',
      query,
      {
        tags: [...tagsIn('apps', query.apps), ...(pipeline === undefined ? [] : [pipeline.toLowerCase()])],
        ...{ gated, pipeline, parameters: parameters === undefined ? undefined : parametersIn(parameters) },
      },
      [...(config ? ['config'] : []), ...(cardData ? ['cardData'] : [])],
    );
    return answerPage(await catalog.list(caller, request), caller.url);
  });
  routes.add(contract.listDatasets, async ({ caller, query }) =>
    answerPage(await catalog.list(caller, requestOf('dataset', query, { gated: query.gated })), caller.url),
  );
  routes.add(contract.listSpaces, async ({ caller, query }) => {
    const tags = [
      ...prefixed('model', tagsIn('models', query.models)),
      ...prefixed('dataset', tagsIn('datasets', query.datasets)),
    ];
    const request = requestOf('space', query, { tags }, query.linked ? ['models', 'datasets'] : []);
    return answerPage(await catalog.list(caller, request), caller.url);
  });
  routes.add(contract.listKernels, async ({ caller, query }) =>
    answerPage(await catalog.list(caller, requestOf('kernel', query)), caller.url),
  );
  discoveryRoutes(routes, catalog);
}

function discoveryRoutes(routes: Routes, catalog: Catalog): void {
  routes.add(discovery.listModelTags, ({ query }) => catalog.tagsOf('model', query.type));
  routes.add(discovery.listDatasetTags, ({ query }) => catalog.tagsOf('dataset', query.type));
  routes.add(discovery.listTrending, async ({ caller, query }) => ({
    recentlyTrending: await catalog.trending(caller, query),
  }));
  routes.add(discovery.searchSpaces, ({ caller, query }) =>
    catalog.searchSpaces(caller, {
      text: query.q,
      tags: tagsIn('filter', query.filter),
      sdks: tagsIn('sdk', query.sdk),
    }),
  );
}
