export { createOauthParts, type OauthParts } from './assembly.ts';
export { slowDownAt } from './errors.ts';
export { type GrantEvent, grantTopic } from './events.ts';
export { createPruneOauth, pruneOauthTask } from './prune.ts';
export { isPublisherToken } from './publishers/authentication.ts';
export { oauthRoutes } from './routes.ts';
export { OAUTH_BACKUP, OAUTH_SEALED } from './tables.ts';
export { isOauthToken } from './tokens/authentication.ts';
export { grantsBehind } from './tokens/token-store.ts';
