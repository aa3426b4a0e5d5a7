import {
  cancelJob,
  getJob,
  type JobInfo,
  listJobHardware,
  listJobs,
  runJob,
  streamJobLogs,
} from '@moonbase/client/jobs';
import { type Columns, command, following, group, listing } from '../../program/command.ts';
import { FailedError } from '../../program/failure.ts';
import { argument, choicesOf, flag, number, pairs, restArguments } from '../../program/parameter.ts';
import { namespace, namespaceOr, when } from '../parameters.ts';
import { scheduled } from './schedules.ts';
import { job, jobIds, jobOf, specification } from './specification.ts';

const run = command({
  name: 'run',
  summary: 'run a job and print its log until it ends',
  details:
    'Everything after the image is the command of the job, including options. The exit status is 1 if the job fails.',
  args: {
    image: argument('reference of the image, such as python:3.12'),
    command: restArguments('command to run in it'),
  },
  options: { ...specification, detach: flag('print the id of the job and do not wait', { short: 'd' }) },
  passThrough: true,
  async run({ hub, args, options, terminal, json, end }) {
    const inside = await namespaceOr(hub, options.namespace);
    const job = await runJob({
      ...{ ...hub, namespace: inside },
      job: jobOf(args.image, args.command ?? [], options, terminal),
    });
    if (options.detach) return job;
    terminal.err(`Job ${inside}/${job.id}\n`);
    const ids = { ...hub, namespace: inside, jobId: job.id };
    for await (const { data } of streamJobLogs(ids)) if (!json) terminal.out(`${data}\n`);
    const ended = await getJob(ids);
    if (ended.status.stage === 'COMPLETED') return json ? ended : undefined;
    if (!json) throw new FailedError(`The job ended as ${ended.status.stage}: ${ended.status.message ?? 'no reason'}.`);
    end(1);
    return ended;
  },
  say: (job) => (job ? `${job.owner.name}/${job.id}\n` : ''),
});

const columns: Columns<JobInfo> = {
  id: ({ id }) => id,
  stage: ({ status }) => status.stage,
  image: ({ dockerImage, spaceId }) => dockerImage ?? spaceId,
  command: ({ command: words }) => words?.join(' ').slice(0, 40),
  flavor: ({ flavor }) => flavor,
  created: ({ createdAt }) => when(createdAt),
  seconds: ({ durations }) => durations?.totalSecs,
};

const list = listing({
  name: 'list',
  summary: 'list jobs, newest first',
  options: {
    namespace,
    stage: choicesOf(['SCHEDULING', 'RUNNING', 'COMPLETED', 'CANCELED', 'ERROR', 'DELETED'], 'only this stage'),
    label: pairs('name=value', 'only jobs with this label', { short: 'l' }),
  },
  async *run({ hub, options: { namespace: inside, stage, label = {} } }) {
    yield* listJobs({
      ...{ ...hub, namespace: await namespaceOr(hub, inside), stage: stage && [...stage] },
      label: Object.entries(label).map(([name, value]) => `${name}=${value}`),
    });
  },
  columns,
});

const inspect = command({
  name: 'inspect',
  summary: 'show a job',
  args: { job },
  options: { namespace },
  run: async ({ hub, args, options }) => getJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  columns: {
    ...columns,
    message: ({ status }) => status.message,
    command: ({ command: words }) => words?.join(' '),
    labels: ({ labels = {} }) =>
      Object.entries(labels)
        .map((pair) => pair.join('='))
        .join(', '),
    environment: ({ environment }) =>
      Object.entries(environment)
        .map((pair) => pair.join('='))
        .join(', '),
    secrets: ({ secrets }) => secrets?.join(', '),
    'started by': ({ createdBy }) => createdBy.name,
  },
});

const logs = following({
  name: 'logs',
  summary: 'print the log of a job and follow it until the job ends',
  args: { job },
  options: { namespace, tail: number('count', 'only this many of the existing lines') },
  async *run({ hub, args, options }) {
    yield* streamJobLogs({ ...hub, ...(await jobIds(hub, args.job, options.namespace)), tail: options.tail });
  },
  line: ({ data }) => data,
});

const cancel = command({
  name: 'cancel',
  summary: 'cancel a job',
  args: { job },
  options: { namespace },
  run: async ({ hub, args, options }) => cancelJob({ ...hub, ...(await jobIds(hub, args.job, options.namespace)) }),
  say: ({ id, status }) => `The job ${id} is ${status.stage}.\n`,
});

const hardware = listing({
  name: 'hardware',
  summary: 'list the hardware that jobs may request',
  run: ({ hub }) => listJobHardware(hub),
  columns: {
    name: ({ name }) => name,
    cpu: ({ cpu }) => cpu,
    memory: ({ ram }) => ram,
    accelerator: ({ accelerator }) => accelerator && `${accelerator.quantity} × ${accelerator.model}`,
  },
});

export const jobs = group('jobs', 'jobs and scheduled jobs', [
  ...[run, list, inspect, logs, cancel, hardware],
  scheduled,
]);
