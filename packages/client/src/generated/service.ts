// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as service from '@moonbase/contract/service';
import type { SuccessAnswer } from '../operation.ts';
import { call, type Hub } from '../request.ts';

export * from '../service.ts';

/** The process answers. */
export function getHealth(params: Hub): Promise<SuccessAnswer<typeof service.getHealth>> {
  return call<typeof service.getHealth>(params, { method: 'GET', path: '/health' });
}

/**
 * The database answers, and the hub is not stopping.
 *
 * Throws a `HubApiError`: 503.
 */
export function getReady(params: Hub): Promise<SuccessAnswer<typeof service.getReady>> {
  return call<typeof service.getReady>(params, { method: 'GET', path: '/ready' });
}

/** Version of the service and of its schema. */
export function getVersion(params: Hub): Promise<SuccessAnswer<typeof service.getVersion>> {
  return call<typeof service.getVersion>(params, { method: 'GET', path: '/api/version' });
}

/** Known harnesses: none. */
export function getAgentHarnesses(params: Hub): Promise<SuccessAnswer<typeof service.getAgentHarnesses>> {
  return call<typeof service.getAgentHarnesses>(params, { method: 'GET', path: '/api/agent-harnesses' });
}

/** This document. */
export function getOpenApi(params: Hub): Promise<SuccessAnswer<typeof service.getOpenApi>> {
  return call<typeof service.getOpenApi>(params, { method: 'GET', path: '/.well-known/openapi.json' });
}
