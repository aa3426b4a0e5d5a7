import type * as routes from '@moonbase/contract/service';
import { type Hub, send, urlOf } from '../request.ts';

/** Returns the metrics of the hub in the text format of Prometheus. Throws a `HubApiError`: 401, 403, 503. */
export async function getMetrics(params: Hub): Promise<string> {
  const path: (typeof routes.getMetrics)['path'] = '/metrics';
  const answer = await send(params, urlOf(params, { path }), { method: 'GET' });
  return answer.text();
}
