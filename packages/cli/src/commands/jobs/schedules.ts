import {
  createScheduledJob,
  deleteScheduledJob,
  getScheduledJob,
  listScheduledJobs,
  resumeScheduledJob,
  runScheduledJob,
  type ScheduledJob,
  suspendScheduledJob,
} from '@moonbase/client/scheduled-jobs';
import { type Columns, command, group, listing } from '../../program/command.ts';
import { argument, flag, restArguments } from '../../program/parameter.ts';
import { namespace, namespaceOr, when } from '../parameters.ts';
import { job, jobIds, jobOf, specification } from './specification.ts';

const columns: Columns<ScheduledJob> = {
  id: ({ id }) => id,
  schedule: ({ schedule }) => schedule,
  state: ({ suspend }) => (suspend ? 'suspended' : 'active'),
  image: ({ jobSpec }) => jobSpec.dockerImage ?? jobSpec.spaceId,
  command: ({ jobSpec }) => jobSpec.command?.join(' ').slice(0, 40),
  next: ({ suspend, status }) => (suspend ? '' : when(status.nextJobRunAt)),
  'last job': ({ status }) => status.lastJob?.id,
};

const create = command({
  name: 'create',
  summary: 'schedule a job',
  args: {
    schedule: argument('five cron fields, or @hourly, @daily, @weekly, @monthly, @yearly'),
    image: argument('reference of the image, such as python:3.12'),
    command: restArguments('command to run in it'),
  },
  options: { ...specification, suspend: flag('create it suspended'), concurrency: flag('runs may overlap') },
  passThrough: true,
  run: async ({ hub, args, options, terminal }) =>
    createScheduledJob({
      ...{ ...hub, namespace: await namespaceOr(hub, options.namespace), schedule: args.schedule },
      ...{ suspend: options.suspend, concurrency: options.concurrency },
      jobSpec: jobOf(args.image, args.command ?? [], options, terminal),
    }),
  say: ({ id, status }) => `Created the scheduled job ${id}. Its next run is at ${when(status.nextJobRunAt)}.\n`,
});

const list = listing({
  name: 'list',
  summary: 'list scheduled jobs, newest first',
  options: { namespace },
  async *run({ hub, options }) {
    yield* listScheduledJobs({ ...hub, namespace: await namespaceOr(hub, options.namespace) });
  },
  columns,
});

const one = { args: { job }, options: { namespace } };

const inspect = command({
  ...one,
  name: 'inspect',
  summary: 'show a scheduled job',
  run: async ({ hub, args, options }) =>
    getScheduledJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  columns,
});

const run = command({
  ...one,
  name: 'run',
  summary: 'run a scheduled job now',
  run: async ({ hub, args, options }) =>
    runScheduledJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  say: () => 'Started the job.\n',
});

const suspend = command({
  ...one,
  name: 'suspend',
  summary: 'suspend a scheduled job',
  run: async ({ hub, args, options }) =>
    suspendScheduledJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  say: () => 'Suspended.\n',
});

const resume = command({
  ...one,
  name: 'resume',
  summary: 'resume a suspended scheduled job',
  run: async ({ hub, args, options }) =>
    resumeScheduledJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  say: () => 'Resumed.\n',
});

const remove = command({
  ...one,
  name: 'delete',
  summary: 'delete a scheduled job; its running jobs continue',
  run: async ({ hub, args, options }) =>
    deleteScheduledJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  say: () => 'Deleted the scheduled job.\n',
});

export const scheduled = group('scheduled', 'scheduled jobs', [
  ...[create, list, inspect, run],
  ...[suspend, resume, remove],
]);
