// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as service from '@moonbase/contract/service';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/service.ts';

/** Check that the process is alive. */
export function getHealth(params: Hub): Promise<SuccessAnswer<typeof service.getHealth>> {
  return call<typeof service.getHealth>(params, { method: 'GET', path: '/health' });
}

/**
 * Check that the database responds and the hub is not shutting down.
 *
 * Throws a `HubApiError`: 503.
 */
export function getReady(params: Hub): Promise<SuccessAnswer<typeof service.getReady>> {
  return call<typeof service.getReady>(params, { method: 'GET', path: '/ready' });
}

/** Get the version of the service and of its schema. */
export function getVersion(params: Hub): Promise<SuccessAnswer<typeof service.getVersion>> {
  return call<typeof service.getVersion>(params, { method: 'GET', path: '/api/version' });
}

/** List known harnesses: none. */
export function getAgentHarnesses(params: Hub): Promise<SuccessAnswer<typeof service.getAgentHarnesses>> {
  return call<typeof service.getAgentHarnesses>(params, { method: 'GET', path: '/api/agent-harnesses' });
}

/** Get this document. */
export function getOpenApi(params: Hub): Promise<SuccessAnswer<typeof service.getOpenApi>> {
  return call<typeof service.getOpenApi>(params, { method: 'GET', path: '/.well-known/openapi.json' });
}
