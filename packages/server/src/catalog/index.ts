export { type CatalogQuery, countCatalog, listCatalog } from './catalog-store.ts';
export { distinctValues, searchable, tagsIn } from './filter.ts';
export { createPopularity, popularityTask } from './popularity.ts';
export { catalogRoutes } from './routes.ts';
export { createCatalog } from './service.ts';
