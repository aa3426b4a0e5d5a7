import * as z from 'zod';
import { ObjectId, Page, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { Arch, Expose, Flavor, JobFlavor, JobSpecification, Labels } from './specification.ts';

export const JOB_STAGES = ['COMPLETED', 'CANCELED', 'ERROR', 'DELETED', 'RUNNING', 'SCHEDULING'] as const;

/** The stage of a job, which only moves forward: SCHEDULING, RUNNING, then COMPLETED, CANCELED or ERROR, then DELETED. */
export const JobStage = z.enum(JOB_STAGES);
export type JobStage = z.infer<typeof JobStage>;

const Named = z.strictObject({ id: z.string(), name: z.string() });
const Texts = z.record(z.string(), z.string());

/** A user or an organization that owns or has started a job. */
const JobAccount = z.strictObject({
  id: ObjectId,
  name: z.string(),
  type: z.enum(['user', 'org']),
  avatarUrl: z.string(),
});

/** The initiator of a job: a user, an organization, or the id of a schedule, job or webhook. */
export const JobInitiator = z.union([
  JobAccount,
  ...(['scheduled-job', 'duplicated-job', 'webhook'] as const).map((type) =>
    z.strictObject({ type: z.literal(type), id: z.string() }),
  ),
]);
export type JobInitiator =
  | z.infer<typeof JobAccount>
  | { readonly type: 'scheduled-job' | 'duplicated-job' | 'webhook'; readonly id: string };

const JobVolume = z.strictObject({
  type: z.string(),
  source: z.string(),
  mountPath: z.string(),
  revision: z.string().optional(),
  readOnly: z.boolean().optional(),
  path: z.string().optional(),
});

const JobStatus = z.strictObject({
  stage: JobStage,
  message: z.string().nullable(),
  failureCount: z.number().optional().meta({ description: 'Number of failed attempts.' }),
});

/** The specification of a job in responses: secrets by name only. */
export const ShownSpecification = z.strictObject({
  spaceId: z.string().optional(),
  dockerImage: z.string().optional(),
  timeout: z
    .number()
    .optional()
    .meta({ description: 'Time limit of an attempt in seconds; absent: no limit of its own.' }),
  environment: Texts,
  command: z.array(z.string()).optional(),
  arguments: z.array(z.string()).optional(),
  arch: Arch.optional(),
  flavor: JobFlavor,
  retry: z.number().optional().meta({ description: 'Retries after a failed attempt.' }),
  volumes: z.array(JobVolume).optional(),
  secrets: z.array(z.string()).optional().meta({ description: 'Names only.' }),
  labels: Texts.optional(),
});
export type ShownSpecification = z.infer<typeof ShownSpecification>;

/** A job as clients read it (W§5). Durations in seconds. */
export const JobInfo = ShownSpecification.extend({
  type: z.literal('job'),
  id: ObjectId,
  createdAt: Timestamp,
  startedAt: Timestamp.optional(),
  finishedAt: Timestamp.optional(),
  durations: z
    .strictObject({
      schedulingSecs: z.number().optional(),
      runningSecs: z.number().optional(),
      totalSecs: z.number().optional(),
    })
    .optional(),
  createdBy: Named,
  owner: JobAccount,
  initiator: JobInitiator.optional(),
  status: JobStatus,
}).meta({ id: 'JobInfo' });
export type JobInfo = z.infer<typeof JobInfo>;

/** The schema Job of the specification, which no operation returns; clients read `JobInfo`. */
export const Job = z
  .object({
    id: z.string(),
    createdAt: Timestamp,
    owner: z.object({ id: z.string(), name: z.string() }),
    spaceId: z.string().optional(),
    dockerImage: z.string().optional(),
    timeout: z.number().optional(),
    environment: Texts,
    secrets: z.record(z.string(), z.null()).optional(),
    command: z.array(z.string()).optional(),
    arguments: z.array(z.string()).optional(),
    arch: Arch.optional(),
    flavor: Flavor,
    status: z.object({
      stage: JobStage,
      message: z.string().nullable(),
      cancelReason: z.union([z.enum(['NO_CREDITS', 'NO_SUBSCRIPTION']), z.string()]).optional(),
      failureCount: z.number().optional(),
    }),
    createdBy: z.object({ id: z.string(), name: z.string() }),
    tags: z.array(z.string()).optional(),
    retry: z.number().optional(),
    volumes: z.array(JobVolume).optional(),
  })
  .meta({ id: 'Job' });

const Hardware = z.strictObject({
  name: z.string(),
  prettyName: z.string(),
  cpu: z.string(),
  ram: z.string(),
  ephemeralStorage: z.string(),
  accelerator: z
    .strictObject({
      type: z.enum(['gpu', 'neuron']),
      model: z.string(),
      quantity: z.string(),
      vram: z.string(),
      manufacturer: z.enum(['Nvidia', 'AWS']),
    })
    .nullable(),
  unitCostMicroUSD: z.number(),
  unitCostUSD: z.number(),
  unitLabel: z.string(),
});
export type Hardware = z.infer<typeof Hardware>;

/** One line of a job's log: `data:` of a server-sent event. */
export interface JobLogLine {
  readonly data: string;
  readonly timestamp: string;
}

/** The current resource usage of a job: `data:` of a server-sent event `metric` (W§1.2). Bytes, and bytes a second. */
export interface JobMetrics {
  /** Percent of one core: 250 means two and a half cores. */
  readonly cpu_usage_pct: number;
  readonly cpu_millicores: number;
  readonly memory_used_bytes: number;
  readonly memory_total_bytes: number;
  readonly rx_bps: number;
  readonly tx_bps: number;
  readonly gpus: Readonly<Record<string, never>>;
  readonly replica: string;
}

/** An event of a job: `data:` of a server-sent event. */
export interface JobEvent {
  readonly timestamp: string;
  readonly reason:
    | 'Created'
    | 'Starting'
    | 'Waiting'
    | 'Started'
    | 'Failed'
    | 'Completed'
    | 'Canceled'
    | 'TimedOut'
    | 'Lost';
  readonly message: string;
}

const stages = z.union([JobStage, z.array(JobStage)]).optional();
const Label = z.string().regex(/^[a-zA-Z0-9._-]+=[a-zA-Z0-9._-]*$/, 'must be a name, an equals sign and a value');
export const labelQuery = z
  .union([Label, z.array(Label)])
  .optional()
  .meta({ description: '`name=value`; may be repeated, and all must match.' });
const tail = z
  .string()
  .regex(/^(0|[1-9]\d*)$/, 'must be a whole number')
  .transform(Number)
  .pipe(z.int().min(0))
  .optional()
  .meta({ jsonSchema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } });

export const NamespaceParams = z.object({ namespace: z.string() });
export const JobParams = NamespaceParams.extend({ jobId: z.string() });
const perms = z.enum(['read', 'write']);
const AccessAnswer = z.strictObject({ namespace: Named, user: Named });
const tags = ['jobs'];

export const listJobHardware = defineRoute({
  id: 'listJobHardware',
  method: 'GET',
  path: '/api/jobs/hardware',
  summary: 'List hardware for jobs',
  description: 'Returns the flavors that a job may request. Jobs on this hub are free.',
  tags,
  authority: 'signed-in',
  answers: { 200: z.array(Hardware) },
});

export const listJobs = defineRoute({
  id: 'listJobs',
  method: 'GET',
  path: '/api/jobs/{namespace}',
  summary: 'List jobs, newest first',
  description: 'Without `stage`, all jobs that are not deleted.',
  tags,
  authority: 'job.read',
  params: NamespaceParams,
  query: Page.extend({ stage: stages, label: labelQuery }),
  answers: { 200: z.array(JobInfo) },
});

export const runJob = defineRoute({
  id: 'runJob',
  client: { body: 'job' },
  method: 'POST',
  path: '/api/jobs/{namespace}',
  summary: 'Run a job',
  tags,
  authority: 'job.write',
  params: NamespaceParams,
  body: JobSpecification,
  answers: { 200: JobInfo },
});

export const countJobs = defineRoute({
  id: 'countJobs',
  method: 'GET',
  path: '/api/jobs/{namespace}/count',
  summary: 'Count jobs',
  tags,
  authority: 'job.read',
  params: NamespaceParams,
  query: z.object({ stage: stages }),
  answers: { 200: z.strictObject({ count: z.number() }) },
});

export const getJob = defineRoute({
  id: 'getJob',
  method: 'GET',
  path: '/api/jobs/{namespace}/{jobId}',
  summary: 'Get a job',
  tags,
  authority: 'job.read',
  params: JobParams,
  answers: { 200: JobInfo },
});

const EVENTS = 'as `text/event-stream`, from the beginning, until the job has ended';

export const streamJobLogs = defineRoute({
  id: 'streamJobLogs',
  method: 'GET',
  path: '/api/jobs/{namespace}/{jobId}/logs',
  summary: 'Read the log of a job as it is written',
  description:
    'Server-sent events, one per line: `{data, timestamp}`, until the job ends. `tail` limits the number of existing lines.',
  tags,
  authority: 'job.read',
  params: JobParams,
  query: z.object({ tail }),
  answers: {},
  otherAnswers: { 200: `Lines ${EVENTS}.`, 429: 'Too many streams of this user.' },
});

export const streamJobEvents = defineRoute({
  id: 'streamJobEvents',
  method: 'GET',
  path: '/api/jobs/{namespace}/{jobId}/events',
  summary: 'Follow the events of a job',
  description: 'Server-sent events: `{timestamp, reason, message}`.',
  tags,
  authority: 'job.read',
  params: JobParams,
  answers: {},
  otherAnswers: { 200: `Events ${EVENTS}.`, 429: 'Too many streams of this user.' },
});

export const streamJobMetrics = defineRoute({
  id: 'streamJobMetrics',
  method: 'GET',
  path: '/api/jobs/{namespace}/{jobId}/metrics',
  summary: 'Follow the resource usage of a job',
  description: 'Server-sent events `metric`, one per second, without history.',
  tags,
  authority: 'job.read',
  params: JobParams,
  answers: {},
  otherAnswers: {
    200: 'Measures as `text/event-stream`, while the job runs and until it has ended.',
    429: 'Too many streams of this user.',
  },
});

export const cancelJob = defineRoute({
  id: 'cancelJob',
  method: 'POST',
  path: '/api/jobs/{namespace}/{jobId}/cancel',
  summary: 'Cancel a job',
  description: 'Stops the running attempt. A job that has ended is unchanged.',
  tags,
  authority: 'job.write',
  params: JobParams,
  answers: { 200: JobInfo },
});

export const duplicateJob = defineRoute({
  id: 'duplicateJob',
  method: 'POST',
  path: '/api/jobs/{namespace}/{jobId}/duplicate',
  summary: 'Run a job again',
  description: 'Creates a job with the same specification, including its secrets if the caller created the original.',
  tags,
  authority: 'job.write',
  params: JobParams,
  answers: { 200: JobInfo },
});

export const updateJobLabels = defineRoute({
  id: 'updateJobLabels',
  method: 'PUT',
  path: '/api/jobs/{namespace}/{jobId}/labels',
  summary: 'Replace the labels of a job',
  tags,
  authority: 'job.write',
  params: JobParams,
  body: z.object({ labels: Labels }),
  answers: { 200: JobInfo },
});

export const updateJobExpose = defineRoute({
  id: 'updateJobExpose',
  method: 'PUT',
  path: '/api/jobs/{namespace}/{jobId}/expose',
  summary: 'Replace the exposed ports of a job',
  description: 'No runner of this hub exposes ports: any port is refused.',
  tags,
  authority: 'job.write',
  params: JobParams,
  body: Expose,
  answers: { 200: JobInfo },
});

export const checkJobsAccess = defineRoute({
  id: 'checkJobsAccess',
  method: 'POST',
  path: '/api/jobs/{namespace}/auth-check/{perms}',
  summary: 'Check access to the jobs of a namespace',
  tags,
  authority: 'job.read',
  params: NamespaceParams.extend({ perms }),
  answers: { 200: AccessAnswer },
});

export const checkJobAccess = defineRoute({
  id: 'checkJobAccess',
  method: 'POST',
  path: '/api/jobs/{namespace}/{jobId}/auth-check/{perms}',
  summary: 'Check access to a job',
  tags,
  authority: 'job.read',
  params: JobParams.extend({ perms }),
  answers: { 200: AccessAnswer },
});

export const jobRoutes = [
  listJobHardware,
  listJobs,
  runJob,
  countJobs,
  checkJobsAccess,
  getJob,
  streamJobLogs,
  streamJobEvents,
  streamJobMetrics,
  cancelJob,
  duplicateJob,
  updateJobLabels,
  updateJobExpose,
  checkJobAccess,
] as const;
