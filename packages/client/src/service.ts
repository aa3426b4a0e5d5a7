import type * as routes from '@moonbase/contract/service';
import type { SuccessAnswer } from './operation.ts';
import { call, type Hub, send, urlOf } from './request.ts';

/** The process answers: `{ status: 'ok' }`. No token needed. */
export function getHealth(params: Hub): Promise<SuccessAnswer<typeof routes.getHealth>> {
  return call<typeof routes.getHealth>(params, { method: 'GET', path: '/health' });
}

/** The hub can work: `{ status: 'ok' }`. Throws a `HubApiError` of status 503 where it cannot, saying why. */
export function getReady(params: Hub): Promise<SuccessAnswer<typeof routes.getReady>> {
  return call<typeof routes.getReady>(params, { method: 'GET', path: '/ready' });
}

/** What the hub counts and measures, in the text format of Prometheus. Site administrators only. */
export async function getMetrics(params: Hub): Promise<string> {
  const answer = await send(params, urlOf(params, { path: '/metrics' }), { method: 'GET' });
  return answer.text();
}

/** Version of the service and of its database schema. No token needed. */
export function getVersion(params: Hub): Promise<SuccessAnswer<typeof routes.getVersion>> {
  return call<typeof routes.getVersion>(params, { method: 'GET', path: '/api/version' });
}

/** The harnesses that the hub knows: none. No token needed. */
export function getAgentHarnesses(params: Hub): Promise<SuccessAnswer<typeof routes.getAgentHarnesses>> {
  return call<typeof routes.getAgentHarnesses>(params, { method: 'GET', path: '/api/agent-harnesses' });
}

/** The hub's own OpenAPI document. No token needed. */
export function getOpenApi(params: Hub): Promise<SuccessAnswer<typeof routes.getOpenApi>> {
  return call<typeof routes.getOpenApi>(params, { method: 'GET', path: '/.well-known/openapi.json' });
}
