import type { JobEvent, JobLogLine, JobMetrics } from '@moonbase/contract/jobs/jobs';
import { eventsIn } from './event-stream.ts';
import { type Hub, send, urlOf } from './request.ts';

export type { JobEvent, JobLogLine, JobMetrics, JobStage } from '@moonbase/contract/jobs/jobs';

type OneJob = Hub & {
  /** A user or an organization. */
  readonly namespace: string;
  readonly jobId: string;
};

/** The log of a job from its beginning, or its last `tail` lines, and what comes. Throws a `HubApiError`: 401, 403, 404, 429. */
export async function* streamJobLogs(
  params: OneJob & { readonly tail?: number | undefined },
): AsyncGenerator<JobLogLine, void, undefined> {
  const path = '/api/jobs/{namespace}/{jobId}/logs';
  const url = urlOf(params, { path, params: idOf(params), query: { tail: params.tail } });
  for await (const { data } of eventsIn(await send(params, url, { method: 'GET' })))
    yield JSON.parse(data) as JobLogLine;
}

/** What happens to a job, from its beginning until it has ended. Throws a `HubApiError`: 401, 403, 404, 429. */
export async function* streamJobEvents(params: OneJob): AsyncGenerator<JobEvent, void, undefined> {
  const url = urlOf(params, { path: '/api/jobs/{namespace}/{jobId}/events', params: idOf(params) });
  for await (const { data } of eventsIn(await send(params, url, { method: 'GET' }))) yield JSON.parse(data) as JobEvent;
}

/** What a job uses, once a second, while it runs and until it has ended. Throws a `HubApiError`: 401, 403, 404, 429. */
export async function* streamJobMetrics(params: OneJob): AsyncGenerator<JobMetrics, void, undefined> {
  const url = urlOf(params, { path: '/api/jobs/{namespace}/{jobId}/metrics', params: idOf(params) });
  for await (const { data } of eventsIn(await send(params, url, { method: 'GET' })))
    yield JSON.parse(data) as JobMetrics;
}

const idOf = ({ namespace, jobId }: OneJob) => ({ namespace, jobId });
