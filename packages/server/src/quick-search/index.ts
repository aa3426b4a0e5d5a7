export { quickSearchRoutes } from './routes.ts';
export { createQuickSearch } from './service.ts';
