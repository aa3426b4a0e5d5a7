export { createPopularity, popularityTask } from './popularity.ts';
export { catalogRoutes } from './routes.ts';
export { createCatalog } from './service.ts';
