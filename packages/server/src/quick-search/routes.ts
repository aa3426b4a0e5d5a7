import * as contract from '@moonbase/contract/repositories/discovery';
import { tagsIn } from '../catalog/index.ts';
import type { Routes } from '../platform/http/route.ts';
import type { QuickSearch } from './service.ts';

export function quickSearchRoutes(routes: Routes, quickSearch: QuickSearch): void {
  routes.add(contract.quickSearch, ({ caller, query }) => {
    const { q, type = contract.QUICK_SEARCH_TYPES, limit, namespace, exclude = [] } = query;
    const tags = [
      ...tagsIn('library', query.library),
      ...tagsIn('lang', query.lang),
      ...tagsIn('pipelines', query.pipelines),
    ];
    return quickSearch(caller, { text: q, types: new Set(type), limit, namespace, exclude, tags });
  });
}
