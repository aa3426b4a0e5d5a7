export { createAccessReport, type ExplainAccess } from './access-report.ts';
export { followAutoJoin } from './reactions.ts';
export { resourceGroupRoutes } from './routes.ts';
export { createResourceGroups, type ResourceGroups } from './service.ts';
