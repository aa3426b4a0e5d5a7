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
  summary: 'run a job by the clock',
  args: {
    schedule: argument('five fields of cron, or @hourly, @daily, @weekly, @monthly, @yearly'),
    image: argument('a reference, as python:3.12'),
    command: restArguments('what it runs'),
  },
  options: { ...specification, suspend: flag('not yet'), concurrency: flag('runs may overlap') },
  passThrough: true,
  run: async ({ hub, args, options, terminal }) =>
    createScheduledJob({
      ...{ ...hub, namespace: await namespaceOr(hub, options.namespace), schedule: args.schedule },
      ...{ suspend: options.suspend, concurrency: options.concurrency },
      jobSpec: jobOf(args.image, args.command ?? [], options, terminal),
    }),
  say: ({ id, status }) => `Created the scheduled job ${id}. It runs next at ${when(status.nextJobRunAt)}.\n`,
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
  summary: 'run it now',
  run: async ({ hub, args, options }) =>
    runScheduledJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  say: () => 'It runs.\n',
});

const suspend = command({
  ...one,
  name: 'suspend',
  summary: 'let the clock pass',
  run: async ({ hub, args, options }) =>
    suspendScheduledJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  say: () => 'Suspended.\n',
});

const resume = command({
  ...one,
  name: 'resume',
  summary: 'run it by the clock again',
  run: async ({ hub, args, options }) =>
    resumeScheduledJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  say: () => 'Resumed.\n',
});

const remove = command({
  ...one,
  name: 'delete',
  summary: 'delete a scheduled job; what it has begun runs on',
  run: async ({ hub, args, options }) =>
    deleteScheduledJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  say: () => 'Deleted the scheduled job.\n',
});

export const scheduled = group('scheduled', 'jobs by the clock', [
  ...[create, list, inspect, run],
  ...[suspend, resume, remove],
]);
