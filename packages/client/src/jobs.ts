import type * as routes from '@moonbase/contract/jobs/jobs';
import type { JobEvent, JobLogLine, JobMetrics } from '@moonbase/contract/jobs/jobs';
import { eventsIn } from './event-stream.ts';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub, send, urlOf } from './request.ts';

export type { JobEvent, JobInfo, JobLogLine, JobMetrics, JobStage } from '@moonbase/contract/jobs/jobs';

/** What a job is to do: exactly one of `dockerImage` and `spaceId` names its image. */
export type JobSpecification = RouteBody<typeof routes.runJob>;

type Namespace = Hub & {
  /** A user or an organization. */
  readonly namespace: string;
};
type OneJob = Namespace & { readonly jobId: string };
type Job = SuccessAnswer<typeof routes.getJob>;
type Filters = Omit<RouteQuery<typeof routes.listJobs>, 'cursor' | 'limit'>;

/** The flavors that a job may name. Throws a `HubApiError`: 401. */
export function listJobHardware(params: Hub): Promise<SuccessAnswer<typeof routes.listJobHardware>> {
  return call<typeof routes.listJobHardware>(params, { method: 'GET', path: '/api/jobs/hardware' });
}

/**
 * Jobs of a namespace, newest first, over all pages; `label` as `name=value`.
 * Throws a `HubApiError` when a page is asked for: 400, 401, 403, 404.
 */
export function listJobs(
  params: Namespace & Filters & { readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listJobs>, void, undefined> {
  const { stage, label, pageSize } = params;
  return entriesOf<typeof routes.listJobs>(params, {
    method: 'GET',
    path: '/api/jobs/{namespace}',
    params: namespaceOf(params),
    query: { stage, label, limit: pageSize?.toString() },
  });
}

/**
 * Runs a job. Throws a `HubApiError`: 400 with `issues`, 401, 403, 404, 409 where the hub runs none.
 *
 * ```ts
 * const { id } = await runJob({
 *   hubUrl, accessToken, namespace: 'ada',
 *   job: { dockerImage: 'python:3.12', command: ['python', '-c', 'print(1)'], flavor: 'cpu-basic' },
 * });
 * ```
 */
export function runJob(params: Namespace & { readonly job: JobSpecification }): Promise<Job> {
  const path = '/api/jobs/{namespace}';
  return call<typeof routes.runJob>(params, { method: 'POST', path, params: namespaceOf(params), body: params.job });
}

/** How many jobs there are, of those stages. Throws a `HubApiError`: 400, 401, 403, 404. */
export function countJobs(
  params: Namespace & RouteQuery<typeof routes.countJobs>,
): Promise<SuccessAnswer<typeof routes.countJobs>> {
  const { stage } = params;
  return call<typeof routes.countJobs>(params, {
    method: 'GET',
    path: '/api/jobs/{namespace}/count',
    params: namespaceOf(params),
    query: { stage },
  });
}

/** One job. Throws a `HubApiError`: 401, 403, 404. */
export function getJob(params: OneJob): Promise<Job> {
  return call<typeof routes.getJob>(params, {
    method: 'GET',
    path: '/api/jobs/{namespace}/{jobId}',
    params: idOf(params),
  });
}

/** The log of a job from its beginning, or its last `tail` lines, and what comes. Throws a `HubApiError`: 401, 403, 404, 429. */
export async function* streamJobLogs(
  params: OneJob & { readonly tail?: number | undefined },
): AsyncGenerator<JobLogLine, void, undefined> {
  const path = '/api/jobs/{namespace}/{jobId}/logs';
  const url = urlOf(params, { path, params: idOf(params), query: { tail: params.tail?.toString() } });
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

/** Ends a job; one that has ended stays as it is. Throws a `HubApiError`: 401, 403, 404. */
export function cancelJob(params: OneJob): Promise<Job> {
  const path = '/api/jobs/{namespace}/{jobId}/cancel';
  return call<typeof routes.cancelJob>(params, { method: 'POST', path, params: idOf(params) });
}

/** Runs a job again, as another one. Throws a `HubApiError`: 401, 403, 404, 409. */
export function duplicateJob(params: OneJob): Promise<Job> {
  const path = '/api/jobs/{namespace}/{jobId}/duplicate';
  return call<typeof routes.duplicateJob>(params, { method: 'POST', path, params: idOf(params) });
}

/** Replaces the labels of a job. Throws a `HubApiError`: 400, 401, 403, 404. */
export function updateJobLabels(params: OneJob & RouteBody<typeof routes.updateJobLabels>): Promise<Job> {
  const { labels } = params;
  const path = '/api/jobs/{namespace}/{jobId}/labels';
  return call<typeof routes.updateJobLabels>(params, { method: 'PUT', path, params: idOf(params), body: { labels } });
}

/** Closes the exposed ports of a job; none can be opened. Throws a `HubApiError`: 400, 401, 403, 404. */
export function updateJobExpose(params: OneJob & RouteBody<typeof routes.updateJobExpose>): Promise<Job> {
  const { ports, portsPublic } = params;
  const path = '/api/jobs/{namespace}/{jobId}/expose';
  const body = { ports, portsPublic };
  return call<typeof routes.updateJobExpose>(params, { method: 'PUT', path, params: idOf(params), body });
}

type Access = SuccessAnswer<typeof routes.checkJobAccess>;

/** Whether the caller may see or run jobs of a namespace. Throws a `HubApiError` where not: 401, 403, 404. */
export function checkJobsAccess(params: Namespace & { readonly perms: 'read' | 'write' }): Promise<Access> {
  return call<typeof routes.checkJobsAccess>(params, {
    method: 'POST',
    path: '/api/jobs/{namespace}/auth-check/{perms}',
    params: { ...namespaceOf(params), perms: params.perms },
  });
}

/** The same about one job. Throws a `HubApiError` where not: 401, 403, 404. */
export function checkJobAccess(params: OneJob & { readonly perms: 'read' | 'write' }): Promise<Access> {
  return call<typeof routes.checkJobAccess>(params, {
    method: 'POST',
    path: '/api/jobs/{namespace}/{jobId}/auth-check/{perms}',
    params: { ...idOf(params), perms: params.perms },
  });
}

const namespaceOf = ({ namespace }: Namespace) => ({ namespace });
const idOf = ({ namespace, jobId }: OneJob) => ({ namespace, jobId });
