// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as jobs from '@moonbase/contract/jobs/jobs';
import type { Entry, RouteBody, RouteParams, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export * from '../handwritten/jobs.ts';

export type JobInfo = SuccessAnswer<typeof jobs.listJobs>[number];

export type JobSpecification = RouteBody<typeof jobs.runJob>;

/**
 * List hardware for jobs. Returns the flavors that a job may request. Jobs on this hub are free.
 *
 * Throws a `HubApiError`: 401, 403.
 */
export function listJobHardware(params: Hub): Promise<SuccessAnswer<typeof jobs.listJobHardware>> {
  return call<typeof jobs.listJobHardware>(params, { method: 'GET', path: '/api/jobs/hardware' });
}

/**
 * List jobs, newest first. Without `stage`, all jobs that are not deleted. Returns the entries of all pages,
 * asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listJobs(
  params: Hub & {
    readonly namespace: string;
    readonly stage?: RouteQuery<typeof jobs.listJobs>['stage'];
    /** `name=value`; may be repeated, and all must match. */
    readonly label?: RouteQuery<typeof jobs.listJobs>['label'];
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof jobs.listJobs>, void, undefined> {
  return entriesOf<typeof jobs.listJobs>(params, {
    method: 'GET',
    path: '/api/jobs/{namespace}',
    params: { namespace: params.namespace },
    query: { stage: params.stage, label: params.label, limit: params.pageSize },
  });
}

/**
 * Run a job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function runJob(
  params: Hub & {
    readonly namespace: string;
    readonly job: RouteBody<typeof jobs.runJob>;
  },
): Promise<SuccessAnswer<typeof jobs.runJob>> {
  return call<typeof jobs.runJob>(params, {
    method: 'POST',
    path: '/api/jobs/{namespace}',
    params: { namespace: params.namespace },
    body: params.job,
  });
}

/**
 * Count jobs.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function countJobs(
  params: Hub & {
    readonly namespace: string;
    readonly stage?: RouteQuery<typeof jobs.countJobs>['stage'];
  },
): Promise<SuccessAnswer<typeof jobs.countJobs>> {
  return call<typeof jobs.countJobs>(params, {
    method: 'GET',
    path: '/api/jobs/{namespace}/count',
    params: { namespace: params.namespace },
    query: { stage: params.stage },
  });
}

/**
 * Check access to the jobs of a namespace.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function checkJobsAccess(
  params: Hub & {
    readonly namespace: string;
    readonly perms: RouteParams<typeof jobs.checkJobsAccess>['perms'];
  },
): Promise<SuccessAnswer<typeof jobs.checkJobsAccess>> {
  return call<typeof jobs.checkJobsAccess>(params, {
    method: 'POST',
    path: '/api/jobs/{namespace}/auth-check/{perms}',
    params: { namespace: params.namespace, perms: params.perms },
  });
}

/**
 * Get a job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getJob(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
  },
): Promise<SuccessAnswer<typeof jobs.getJob>> {
  return call<typeof jobs.getJob>(params, {
    method: 'GET',
    path: '/api/jobs/{namespace}/{jobId}',
    params: { namespace: params.namespace, jobId: params.jobId },
  });
}

/**
 * Cancel a job. Stops the running attempt. A job that has ended is unchanged.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function cancelJob(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
  },
): Promise<SuccessAnswer<typeof jobs.cancelJob>> {
  return call<typeof jobs.cancelJob>(params, {
    method: 'POST',
    path: '/api/jobs/{namespace}/{jobId}/cancel',
    params: { namespace: params.namespace, jobId: params.jobId },
  });
}

/**
 * Run a job again. Creates a job with the same specification, including its secrets if the caller created the
 * original.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function duplicateJob(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
  },
): Promise<SuccessAnswer<typeof jobs.duplicateJob>> {
  return call<typeof jobs.duplicateJob>(params, {
    method: 'POST',
    path: '/api/jobs/{namespace}/{jobId}/duplicate',
    params: { namespace: params.namespace, jobId: params.jobId },
  });
}

/**
 * Replace the labels of a job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateJobLabels(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
    /** Labels of the job. Names and values: at most 100 letters, digits, dots, dashes and underscores. */
    readonly labels: RouteBody<typeof jobs.updateJobLabels>['labels'];
  },
): Promise<SuccessAnswer<typeof jobs.updateJobLabels>> {
  return call<typeof jobs.updateJobLabels>(params, {
    method: 'PUT',
    path: '/api/jobs/{namespace}/{jobId}/labels',
    params: { namespace: params.namespace, jobId: params.jobId },
    body: { labels: params.labels },
  });
}

/**
 * Replace the exposed ports of a job. No runner of this hub exposes ports: any port is refused.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateJobExpose(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
    readonly ports: RouteBody<typeof jobs.updateJobExpose>['ports'];
    readonly portsPublic?: RouteBody<typeof jobs.updateJobExpose>['portsPublic'];
  },
): Promise<SuccessAnswer<typeof jobs.updateJobExpose>> {
  return call<typeof jobs.updateJobExpose>(params, {
    method: 'PUT',
    path: '/api/jobs/{namespace}/{jobId}/expose',
    params: { namespace: params.namespace, jobId: params.jobId },
    body: { ports: params.ports, portsPublic: params.portsPublic },
  });
}

/**
 * Check access to a job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function checkJobAccess(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
    readonly perms: RouteParams<typeof jobs.checkJobAccess>['perms'];
  },
): Promise<SuccessAnswer<typeof jobs.checkJobAccess>> {
  return call<typeof jobs.checkJobAccess>(params, {
    method: 'POST',
    path: '/api/jobs/{namespace}/{jobId}/auth-check/{perms}',
    params: { namespace: params.namespace, jobId: params.jobId, perms: params.perms },
  });
}
