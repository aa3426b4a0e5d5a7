import * as contract from '@moonbase/contract/jobs/jobs';
import * as scheduledContract from '@moonbase/contract/jobs/schedules';
import { answerPage } from '../platform/http/pagination.ts';
import type { Routes } from '../platform/http/route.ts';
import type { JobStreams } from './logs/streams.ts';
import type { Jobs } from './runs/service.ts';
import type { ScheduledJobs } from './schedules/service.ts';

const SUCCESS = { success: true } as const;

/** Returns the values of a query parameter that may occur in a URL any number of times. */
const listOf = <T extends string>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

interface Services {
  readonly jobs: Jobs;
  readonly scheduledJobs: ScheduledJobs;
  readonly streams: JobStreams;
}

export function jobRoutes(routes: Routes, services: Services): void {
  const { jobs } = services;
  routes.add(contract.listJobHardware, () => jobs.hardware());
  routes.add(contract.listJobs, async ({ caller, params, query: { stage, label, ...page } }) =>
    answerPage(
      await jobs.list(caller, params.namespace, { ...page, stages: listOf(stage), labels: listOf(label) }),
      caller.url,
    ),
  );
  routes.add(contract.runJob, ({ caller, params, body }) => jobs.run(caller, params.namespace, body));
  routes.add(contract.countJobs, ({ caller, params, query }) =>
    jobs.count(caller, params.namespace, listOf(query.stage)),
  );
  routes.add(contract.getJob, ({ caller, params }) => jobs.get(caller, params.namespace, params.jobId));
  routes.add(contract.cancelJob, ({ caller, params }) => jobs.cancel(caller, params.namespace, params.jobId));
  routes.add(contract.duplicateJob, ({ caller, params }) => jobs.duplicate(caller, params.namespace, params.jobId));
  routes.add(contract.updateJobLabels, ({ caller, params, body }) =>
    jobs.setLabels(caller, params.namespace, params.jobId, body.labels),
  );
  routes.add(contract.updateJobExpose, ({ caller, params, body }) =>
    jobs.expose(caller, params.namespace, params.jobId, [...body.ports, ...(body.portsPublic ?? [])]),
  );
  routes.add(contract.checkJobsAccess, ({ caller, params }) =>
    jobs.checkAccess(caller, params.namespace, params.perms),
  );
  routes.add(contract.checkJobAccess, ({ caller, params }) =>
    jobs.checkAccess(caller, params.namespace, params.perms, params.jobId),
  );
  streamRoutes(routes, services);
  scheduledJobRoutes(routes, services.scheduledJobs);
}

function streamRoutes(routes: Routes, { jobs, streams }: Services): void {
  routes.add(contract.streamJobLogs, async (request) => {
    const { caller, params, query } = request;
    const job = await jobs.require(caller, params.namespace, params.jobId);
    const from = query.tail === undefined ? 0 : Math.max(0, job.log_lines - query.tail);
    const allowed = async () => jobs.require(await routes.callerOf(request), params.namespace, params.jobId);
    return routes.stream(request, streams.logs(caller, job.id, from, allowed));
  });
  routes.add(contract.streamJobMetrics, async (request) => {
    const { caller, params } = request;
    const job = await jobs.require(caller, params.namespace, params.jobId);
    const allowed = async () => jobs.require(await routes.callerOf(request), params.namespace, params.jobId);
    return routes.stream(request, streams.metrics(caller, job, allowed));
  });
  routes.add(contract.streamJobEvents, async (request) => {
    const { caller, params } = request;
    const job = await jobs.require(caller, params.namespace, params.jobId);
    const allowed = async () => jobs.require(await routes.callerOf(request), params.namespace, params.jobId);
    return routes.stream(request, streams.events(caller, job.id, allowed));
  });
}

function scheduledJobRoutes(routes: Routes, jobs: ScheduledJobs): void {
  routes.add(scheduledContract.createScheduledJob, ({ caller, params, body }) =>
    jobs.create(caller, params.namespace, body),
  );
  routes.add(scheduledContract.listScheduledJobs, async ({ caller, params, query: { label, ...page } }) =>
    answerPage(await jobs.list(caller, params.namespace, { ...page, labels: listOf(label) }), caller.url),
  );
  routes.add(scheduledContract.getScheduledJob, ({ caller, params }) =>
    jobs.get(caller, params.namespace, params.jobId),
  );
  routes.add(scheduledContract.deleteScheduledJob, async ({ caller, params }) => {
    await jobs.delete(caller, params.namespace, params.jobId);
    return SUCCESS;
  });
  for (const [route, suspended] of [
    [scheduledContract.suspendScheduledJob, true],
    [scheduledContract.resumeScheduledJob, false],
  ] as const)
    routes.add(route, async ({ caller, params }) => {
      await jobs.setSuspended(caller, params.namespace, params.jobId, suspended);
      return SUCCESS;
    });
  routes.add(scheduledContract.runScheduledJob, ({ caller, params }) =>
    jobs.run(caller, params.namespace, params.jobId),
  );
  routes.add(scheduledContract.updateJobSchedule, ({ caller, params, body }) =>
    jobs.setSchedule(caller, params.namespace, params.jobId, body.schedule),
  );
  routes.add(scheduledContract.updateScheduledJobLabels, ({ caller, params, body }) =>
    jobs.setLabels(caller, params.namespace, params.jobId, body.labels),
  );
}
