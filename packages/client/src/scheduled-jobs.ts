import type * as routes from '@moonbase/contract/jobs/schedules';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from './operation.ts';
import { entriesOf } from './pages.ts';
import { call, type Hub } from './request.ts';

export type { ScheduledJob } from '@moonbase/contract/jobs/schedules';

type Namespace = Hub & {
  /** A user or an organization. */
  readonly namespace: string;
};
type OneJob = Namespace & { readonly jobId: string };
type Scheduled = SuccessAnswer<typeof routes.getScheduledJob>;
type Filters = Omit<RouteQuery<typeof routes.listScheduledJobs>, 'cursor' | 'limit'>;

/**
 * Has a job run by the clock. Throws a `HubApiError`: 400 with `issues`, 401, 403, 404, 409.
 *
 * ```ts
 * await createScheduledJob({ hubUrl, accessToken, namespace: 'ada', jobSpec, schedule: '0 9 * * 1' });
 * ```
 */
export function createScheduledJob(
  params: Namespace & RouteBody<typeof routes.createScheduledJob>,
): Promise<Scheduled> {
  const { namespace, jobSpec, schedule, suspend, concurrency } = params;
  return call<typeof routes.createScheduledJob>(params, {
    method: 'POST',
    path: '/api/scheduled-jobs/{namespace}',
    params: { namespace },
    body: { jobSpec, schedule, suspend, concurrency },
  });
}

/** Scheduled jobs, newest first, over all pages. Throws a `HubApiError` when a page is asked for: 400, 401, 403, 404. */
export function listScheduledJobs(
  params: Namespace & Filters & { readonly pageSize?: number | undefined },
): AsyncGenerator<Entry<typeof routes.listScheduledJobs>, void, undefined> {
  const { namespace, label, pageSize } = params;
  return entriesOf<typeof routes.listScheduledJobs>(params, {
    method: 'GET',
    path: '/api/scheduled-jobs/{namespace}',
    params: { namespace },
    query: { label, limit: pageSize?.toString() },
  });
}

/** One scheduled job. Throws a `HubApiError`: 401, 403, 404. */
export function getScheduledJob(params: OneJob): Promise<Scheduled> {
  const path = '/api/scheduled-jobs/{namespace}/{jobId}';
  return call<typeof routes.getScheduledJob>(params, { method: 'GET', path, params: idOf(params) });
}

/** Deletes a scheduled job; what it has begun runs on. Throws a `HubApiError`: 401, 403, 404. */
export function deleteScheduledJob(params: OneJob): Promise<SuccessAnswer<typeof routes.deleteScheduledJob>> {
  const path = '/api/scheduled-jobs/{namespace}/{jobId}';
  return call<typeof routes.deleteScheduledJob>(params, { method: 'DELETE', path, params: idOf(params) });
}

/** Has it run no more, until it is resumed. Throws a `HubApiError`: 401, 403, 404. */
export function suspendScheduledJob(params: OneJob): Promise<SuccessAnswer<typeof routes.suspendScheduledJob>> {
  const path = '/api/scheduled-jobs/{namespace}/{jobId}/suspend';
  return call<typeof routes.suspendScheduledJob>(params, { method: 'POST', path, params: idOf(params) });
}

/** Has it run again from the next time on. Throws a `HubApiError`: 401, 403, 404. */
export function resumeScheduledJob(params: OneJob): Promise<SuccessAnswer<typeof routes.resumeScheduledJob>> {
  const path = '/api/scheduled-jobs/{namespace}/{jobId}/resume';
  return call<typeof routes.resumeScheduledJob>(params, { method: 'POST', path, params: idOf(params) });
}

/** Runs it now, beside its schedule. Throws a `HubApiError`: 401, 403, 404, 409 while it runs. */
export function runScheduledJob(params: OneJob): Promise<SuccessAnswer<typeof routes.runScheduledJob>> {
  const path = '/api/scheduled-jobs/{namespace}/{jobId}/run';
  return call<typeof routes.runScheduledJob>(params, { method: 'POST', path, params: idOf(params) });
}

/** Gives it another schedule. Throws a `HubApiError`: 400, 401, 403, 404. */
export function updateJobSchedule(params: OneJob & RouteBody<typeof routes.updateJobSchedule>): Promise<Scheduled> {
  const { schedule } = params;
  const path = '/api/scheduled-jobs/{namespace}/{jobId}/schedule';
  return call<typeof routes.updateJobSchedule>(params, {
    method: 'POST',
    path,
    params: idOf(params),
    body: { schedule },
  });
}

/** Replaces its labels. Throws a `HubApiError`: 400, 401, 403, 404. */
export function updateScheduledJobLabels(
  params: OneJob & RouteBody<typeof routes.updateScheduledJobLabels>,
): Promise<Scheduled> {
  const { labels } = params;
  const path = '/api/scheduled-jobs/{namespace}/{jobId}/labels';
  return call<typeof routes.updateScheduledJobLabels>(params, {
    method: 'PUT',
    path,
    params: idOf(params),
    body: { labels },
  });
}

const idOf = ({ namespace, jobId }: OneJob) => ({ namespace, jobId });
