export { hasMuted } from './conditions.ts';
export { followGroups, followMemberships } from './reactions.ts';
export { forgetGone } from './retention.ts';
export { watchingRoutes } from './routes.ts';
export { createWatching, type Watching } from './service.ts';
export { watchOrganization } from './store.ts';
