export { createAccessReport, type ExplainAccess } from './access-report.ts';
export { createManagedUsers, type GroupChange, type ManagedUsers } from './managed-users.ts';
export { followAutoJoin } from './reactions.ts';
export { resourceGroupRoutes } from './routes.ts';
export { createResourceGroups, type ResourceGroups } from './service.ts';
export { findGroup, type Group, groupRolesOf } from './store.ts';
