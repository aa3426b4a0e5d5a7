import type { JobEvent, JobLogLine, JobMetrics } from '@moonbase/contract/jobs/jobs';
import { type Hub, send, urlOf } from '../request.ts';
import { dataIn } from '../streams/event-stream.ts';

export type { JobEvent, JobLogLine, JobMetrics, JobStage } from '@moonbase/contract/jobs/jobs';

type OneJob = Hub & {
  /** A user or an organization. */
  readonly namespace: string;
  readonly jobId: string;
};

/**
 * Yields the log of a job, or its last `tail` lines, then new lines as they arrive. Throws a `HubApiError`: 401, 403,
 * 404, 429.
 */
export async function* streamJobLogs(
  params: OneJob & { readonly tail?: number | undefined },
): AsyncGenerator<JobLogLine, void, undefined> {
  const path = '/api/jobs/{namespace}/{jobId}/logs';
  const url = urlOf(params, { path, params: idOf(params), query: { tail: params.tail } });
  yield* dataIn<JobLogLine>(await send(params, url, { method: 'GET' }));
}

/** Yields the events of a job until the job ends. Throws a `HubApiError`: 401, 403, 404, 429. */
export async function* streamJobEvents(params: OneJob): AsyncGenerator<JobEvent, void, undefined> {
  const url = urlOf(params, { path: '/api/jobs/{namespace}/{jobId}/events', params: idOf(params) });
  yield* dataIn<JobEvent>(await send(params, url, { method: 'GET' }));
}

/**
 * Yields the resource usage of a job, once a second, until the job ends. Throws a `HubApiError`: 401, 403, 404, 429.
 */
export async function* streamJobMetrics(params: OneJob): AsyncGenerator<JobMetrics, void, undefined> {
  const url = urlOf(params, { path: '/api/jobs/{namespace}/{jobId}/metrics', params: idOf(params) });
  yield* dataIn<JobMetrics>(await send(params, url, { method: 'GET' }));
}

const idOf = ({ namespace, jobId }: OneJob) => ({ namespace, jobId });
