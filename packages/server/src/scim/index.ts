export { createScim, type Scim } from './assembly.ts';
export { scimResponseFormat } from './response-format.ts';
export { scimRoutes } from './routes.ts';
export { type KnownAt, knownByEmail, knownUsers } from './users/known-users.ts';
