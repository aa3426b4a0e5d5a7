export { lfsResponseFormat } from './response-format.ts';
export { lfsRoutes } from './routes.ts';
export { createLfs, type Lfs } from './service.ts';
