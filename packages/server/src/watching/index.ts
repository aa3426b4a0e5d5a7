export { hasMuted } from './conditions.ts';
export { pruneWatches, pruneWatchesTask } from './prune.ts';
export { followGroups, followMemberships } from './reactions.ts';
export { watchingRoutes } from './routes.ts';
export { createWatching, type Watching } from './service.ts';
export { watchOrganization } from './store.ts';
