export { type CatalogQuery, countCatalog, listCatalog } from './catalog-store.ts';
export { distinctValues, searchable, tagsIn } from './filter.ts';
export { digestOf, firstOf, keyOf, type Position, positionFrom } from './keyset.ts';
export { createPopularity, popularityTask } from './popularity.ts';
export { catalogRoutes } from './routes.ts';
export { accountsOf, allOf, smallest } from './selection-store.ts';
export { createCatalog } from './service.ts';
