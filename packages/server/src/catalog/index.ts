export { distinctValues } from './filter.ts';
export { digestOf, firstOf, keyOf, type Position, positionFrom } from './keyset.ts';
export { createPopularity, popularityTask } from './popularity.ts';
export { catalogRoutes } from './routes.ts';
export { accountsOf, allOf, smallest } from './selection-store.ts';
export { createCatalog } from './service.ts';
