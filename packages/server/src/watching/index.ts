export { watchOrganization } from './follow-organization.ts';
export { hasMuted } from './mute-conditions.ts';
export { pruneWatches, pruneWatchesTask } from './prune.ts';
export { followGroups, followMemberships } from './reactions.ts';
export { watchingRoutes } from './routes.ts';
export { createWatching, type Watching } from './service.ts';
export { WATCHING_BACKUP } from './tables.ts';
