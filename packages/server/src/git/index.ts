export { gitResponseFormat } from './response-format.ts';
export { gitRoutes } from './routes.ts';
export { createGit, type Git, type GitLimits } from './service.ts';
