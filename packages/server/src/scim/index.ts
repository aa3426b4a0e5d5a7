export { type KnownAt, knownByEmail, knownUsers } from './known-users.ts';
export { scimRoutes } from './routes.ts';
export { scimDialect } from './scim-dialect.ts';
export { createScim, type Scim } from './service.ts';
