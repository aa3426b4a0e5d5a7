export { createScimDiscovery, type ScimDiscovery } from './discovery.ts';
export { scimRoutes } from './routes.ts';
export { scimDialect } from './scim-dialect.ts';
