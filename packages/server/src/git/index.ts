export { gitResponseFormat } from './response-format.ts';
export { gitRoutes } from './routes.ts';
export { createGit, type Git } from './service.ts';
