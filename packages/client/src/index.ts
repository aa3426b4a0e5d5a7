// Every operation in one place. A bundler takes what is used and nothing else: there are no side effects.
export { HubApiError, type Issue } from './errors.ts';
export * from './files/index.ts';
export * from './generated/index.ts';
export type { Fetch, Hub } from './request.ts';
export type { Retry } from './retry.ts';
