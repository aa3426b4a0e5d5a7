import * as z from 'zod';
import { Page, Success, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { JobInfo, JobParams, labelQuery, NamespaceParams, ShownSpecification } from './jobs.ts';
import { JobSpecification, Labels } from './specification.ts';

/** The pattern that the public hub declares (W§5). The hub checks the grammar of cron instead, because matching this pattern can take years for long texts. */
const PATTERN =
  '^(?:(@(annually|yearly|monthly|weekly|daily|hourly))|((((\\d+,)+\\d+|((\\*|\\d+)(\\/|-)\\d+)|\\d+|\\*) ?){5,7}))$';

const Schedule = z.string().meta({
  pattern: PATTERN,
  description: 'In UTC: `@hourly` and similar, or a cron expression of 5 to 7 fields, such as `0 9 * * 1`.',
});

/** A scheduled job. */
export const ScheduledJob = z
  .strictObject({
    type: z.literal('scheduled-job'),
    id: z.string(),
    createdAt: Timestamp,
    schedule: z.string(),
    suspend: z.boolean(),
    concurrency: z.boolean(),
    status: z.strictObject({
      lastJob: z.strictObject({ id: z.string(), at: Timestamp }).nullable(),
      nextJobRunAt: Timestamp,
    }),
    owner: JobInfo.shape.owner,
    initiator: JobInfo.shape.owner.optional(),
    jobSpec: ShownSpecification,
  })
  .meta({ id: 'ScheduledJob' });
export type ScheduledJob = z.infer<typeof ScheduledJob>;

export const ALREADY_RUNNING =
  'Another job is already running at the same time, set `concurrency` to allow multiple instances of scheduled jobs to run concurrently';

const tags = ['jobs'];
const path = '/api/scheduled-jobs/{namespace}/{jobId}';

export const createScheduledJob = defineRoute({
  id: 'createScheduledJob',
  method: 'POST',
  path: '/api/scheduled-jobs/{namespace}',
  summary: 'Create a scheduled job',
  tags,
  authority: 'job.write',
  params: NamespaceParams,
  body: z.object({
    jobSpec: JobSpecification,
    schedule: Schedule,
    suspend: z.boolean().default(false),
    concurrency: z.boolean().default(false).meta({ description: 'Whether runs may overlap.' }),
  }),
  answers: { 200: ScheduledJob },
});

export const listScheduledJobs = defineRoute({
  id: 'listScheduledJobs',
  method: 'GET',
  path: '/api/scheduled-jobs/{namespace}',
  summary: 'List scheduled jobs, newest first',
  tags,
  authority: 'job.read',
  params: NamespaceParams,
  query: Page.extend({ label: labelQuery }),
  answers: { 200: z.array(ScheduledJob) },
});

export const getScheduledJob = defineRoute({
  id: 'getScheduledJob',
  method: 'GET',
  path,
  summary: 'Get a scheduled job',
  tags,
  authority: 'job.read',
  params: JobParams,
  answers: { 200: ScheduledJob },
});

export const deleteScheduledJob = defineRoute({
  id: 'deleteScheduledJob',
  method: 'DELETE',
  path,
  summary: 'Delete a scheduled job',
  description: 'Running jobs of the schedule continue.',
  tags,
  authority: 'job.write',
  params: JobParams,
  answers: { 200: Success },
});

export const suspendScheduledJob = defineRoute({
  id: 'suspendScheduledJob',
  method: 'POST',
  path: `${path}/suspend`,
  summary: 'Suspend a scheduled job',
  tags,
  authority: 'job.write',
  params: JobParams,
  answers: { 200: Success },
});

export const resumeScheduledJob = defineRoute({
  id: 'resumeScheduledJob',
  method: 'POST',
  path: `${path}/resume`,
  summary: 'Resume a scheduled job',
  tags,
  authority: 'job.write',
  params: JobParams,
  answers: { 200: Success },
});

export const runScheduledJob = defineRoute({
  id: 'runScheduledJob',
  method: 'POST',
  path: `${path}/run`,
  summary: 'Run a scheduled job now',
  description: 'The next scheduled run is unaffected. 409 while a run is active, unless `concurrency` is set.',
  tags,
  authority: 'job.write',
  params: JobParams,
  answers: { 200: JobInfo, 409: z.strictObject({ error: z.literal(ALREADY_RUNNING) }) },
});

export const updateJobSchedule = defineRoute({
  id: 'updateJobSchedule',
  method: 'POST',
  path: `${path}/schedule`,
  summary: 'Change the schedule of a scheduled job',
  tags,
  authority: 'job.write',
  params: JobParams,
  body: z.object({ schedule: Schedule }),
  answers: { 200: ScheduledJob },
});

export const updateScheduledJobLabels = defineRoute({
  id: 'updateScheduledJobLabels',
  method: 'PUT',
  path: `${path}/labels`,
  summary: 'Replace the labels of a scheduled job',
  tags,
  authority: 'job.write',
  params: JobParams,
  body: z.object({ labels: Labels }),
  answers: { 200: ScheduledJob },
});

export const scheduledJobRoutes = [
  createScheduledJob,
  listScheduledJobs,
  getScheduledJob,
  deleteScheduledJob,
  suspendScheduledJob,
  resumeScheduledJob,
  runScheduledJob,
  updateJobSchedule,
  updateScheduledJobLabels,
] as const;
