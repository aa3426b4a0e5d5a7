// All operations in one place; the modules have no side effects, so a bundler includes only what is used.
export { HubApiError, type Issue } from './errors.ts';
export * from './files/index.ts';
export * from './generated/index.ts';
export type { Fetch, Hub } from './request.ts';
export type { Retry } from './retry.ts';
