// Written by `npm run generate` from the routes of packages/contract: edit those.
import type * as schedules from '@moonbase/contract/jobs/schedules';
import type { Entry, RouteBody, RouteQuery, SuccessAnswer } from '../operation.ts';
import { entriesOf } from '../pages.ts';
import { call, type Hub } from '../request.ts';

export type ScheduledJob = SuccessAnswer<typeof schedules.createScheduledJob>;

/**
 * Create a scheduled job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function createScheduledJob(
  params: Hub & {
    readonly namespace: string;
    readonly jobSpec: RouteBody<typeof schedules.createScheduledJob>['jobSpec'];
    /** In UTC: `@hourly` and similar, or a cron expression of 5 to 7 fields, such as `0 9 * * 1`. */
    readonly schedule: string;
    readonly suspend?: boolean | undefined;
    /** Whether runs may overlap. */
    readonly concurrency?: boolean | undefined;
  },
): Promise<SuccessAnswer<typeof schedules.createScheduledJob>> {
  return call<typeof schedules.createScheduledJob>(params, {
    method: 'POST',
    path: '/api/scheduled-jobs/{namespace}',
    params: { namespace: params.namespace },
    body: {
      jobSpec: params.jobSpec,
      schedule: params.schedule,
      suspend: params.suspend,
      concurrency: params.concurrency,
    },
  });
}

/**
 * List scheduled jobs, newest first. Returns the entries of all pages, asking for `pageSize` at a time.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function listScheduledJobs(
  params: Hub & {
    readonly namespace: string;
    /** `name=value`; may be repeated, and all must match. */
    readonly label?: RouteQuery<typeof schedules.listScheduledJobs>['label'];
    readonly pageSize?: number | undefined;
  },
): AsyncGenerator<Entry<typeof schedules.listScheduledJobs>, void, undefined> {
  return entriesOf<typeof schedules.listScheduledJobs>(params, {
    method: 'GET',
    path: '/api/scheduled-jobs/{namespace}',
    params: { namespace: params.namespace },
    query: { label: params.label, limit: params.pageSize },
  });
}

/**
 * Get a scheduled job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function getScheduledJob(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
  },
): Promise<SuccessAnswer<typeof schedules.getScheduledJob>> {
  return call<typeof schedules.getScheduledJob>(params, {
    method: 'GET',
    path: '/api/scheduled-jobs/{namespace}/{jobId}',
    params: { namespace: params.namespace, jobId: params.jobId },
  });
}

/**
 * Delete a scheduled job. Running jobs of the schedule continue.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function deleteScheduledJob(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
  },
): Promise<SuccessAnswer<typeof schedules.deleteScheduledJob>> {
  return call<typeof schedules.deleteScheduledJob>(params, {
    method: 'DELETE',
    path: '/api/scheduled-jobs/{namespace}/{jobId}',
    params: { namespace: params.namespace, jobId: params.jobId },
  });
}

/**
 * Suspend a scheduled job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function suspendScheduledJob(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
  },
): Promise<SuccessAnswer<typeof schedules.suspendScheduledJob>> {
  return call<typeof schedules.suspendScheduledJob>(params, {
    method: 'POST',
    path: '/api/scheduled-jobs/{namespace}/{jobId}/suspend',
    params: { namespace: params.namespace, jobId: params.jobId },
  });
}

/**
 * Resume a scheduled job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404.
 */
export function resumeScheduledJob(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
  },
): Promise<SuccessAnswer<typeof schedules.resumeScheduledJob>> {
  return call<typeof schedules.resumeScheduledJob>(params, {
    method: 'POST',
    path: '/api/scheduled-jobs/{namespace}/{jobId}/resume',
    params: { namespace: params.namespace, jobId: params.jobId },
  });
}

/**
 * Run a scheduled job now. The next scheduled run is unaffected. 409 while a run is active, unless `concurrency`
 * is set.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function runScheduledJob(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
  },
): Promise<SuccessAnswer<typeof schedules.runScheduledJob>> {
  return call<typeof schedules.runScheduledJob>(params, {
    method: 'POST',
    path: '/api/scheduled-jobs/{namespace}/{jobId}/run',
    params: { namespace: params.namespace, jobId: params.jobId },
  });
}

/**
 * Change the schedule of a scheduled job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateJobSchedule(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
    /** In UTC: `@hourly` and similar, or a cron expression of 5 to 7 fields, such as `0 9 * * 1`. */
    readonly schedule: string;
  },
): Promise<SuccessAnswer<typeof schedules.updateJobSchedule>> {
  return call<typeof schedules.updateJobSchedule>(params, {
    method: 'POST',
    path: '/api/scheduled-jobs/{namespace}/{jobId}/schedule',
    params: { namespace: params.namespace, jobId: params.jobId },
    body: { schedule: params.schedule },
  });
}

/**
 * Replace the labels of a scheduled job.
 *
 * Throws a `HubApiError`: 400, 401, 403, 404, 409.
 */
export function updateScheduledJobLabels(
  params: Hub & {
    readonly namespace: string;
    readonly jobId: string;
    /** Labels of the job. Names and values: at most 100 letters, digits, dots, dashes and underscores. */
    readonly labels: RouteBody<typeof schedules.updateScheduledJobLabels>['labels'];
  },
): Promise<SuccessAnswer<typeof schedules.updateScheduledJobLabels>> {
  return call<typeof schedules.updateScheduledJobLabels>(params, {
    method: 'PUT',
    path: '/api/scheduled-jobs/{namespace}/{jobId}/labels',
    params: { namespace: params.namespace, jobId: params.jobId },
    body: { labels: params.labels },
  });
}
