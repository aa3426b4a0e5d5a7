import * as contract from '@moonbase/contract/repositories/discovery';
import type { RouteInput } from '@moonbase/contract/route';
import { tagsIn } from '../catalog/index.ts';
import type { Routes } from '../platform/http/route.ts';
import type { QuickSearchRequest } from './search.ts';
import type { QuickSearch } from './service.ts';

export function quickSearchRoutes(routes: Routes, quickSearch: QuickSearch): void {
  routes.add(contract.quickSearch, ({ caller, query }) => quickSearch(caller, requestIn(query)));
  routes.add(contract.quickSearchByBody, ({ caller, body }) => quickSearch(caller, requestIn(body)));
}

function requestIn({
  q,
  type,
  limit,
  namespace,
  exclude = [],
  library,
  lang,
  pipelines,
}: RouteInput<typeof contract.quickSearch>['query']): QuickSearchRequest {
  const tags = [...tagsIn('library', library), ...tagsIn('lang', lang), ...tagsIn('pipelines', pipelines)];
  return { text: q, types: new Set(type ?? contract.QUICK_SEARCH_TYPES), limit, namespace, exclude, tags };
}
