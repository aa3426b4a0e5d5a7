import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getJob, type JobSpecification, runJob, streamJobLogs } from '@moonbase/client/jobs';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { watchedRepos } from './deliveries.ts';
import { ACCESS_TOKEN, type BenchHub, startBenchHub } from './hub.ts';
import { Arrivals, changeAtPace } from './latency.ts';
import { load, requestBytes } from './load.ts';
import { peakMegabytes } from './memory.ts';
import { startReceiver } from './receivers.ts';
import type { Scale } from './scale.ts';
import { type Figure, median, percentile, ratio } from './stats.ts';

const JOB = { dockerImage: 'python:3.12', flavor: 'cpu-basic', environment: {} } as const;
/** The slots of one owner, all of which are taken while other jobs wait. */
const PLACES = 8;
const CHANGES_PER_SECOND = 100;

/** Measures the time from events to processes, the cost of a queue to other clients, and a job with much output. */
export async function benchJobs(scale: Scale): Promise<Figure[]> {
  return [...(await launches(scale)), ...(await besideAQueue(scale)), ...(await output(scale))];
}

/**
 * Measures the time from the request that changes a repository to the first command of the job, which writes the time.
 */
async function launches({ jobs }: Scale): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-bench-jobs-'));
  await using hub = await startBenchHub({ MOONBASE_JOBS_RUNNER: 'process' });
  try {
    const command = ['/bin/sh', '-c', 'date +%s%3N > "$DIR/$JOB_ID.part"; mv "$DIR/$JOB_ID.part" "$DIR/$JOB_ID"'];
    await createWebhook({
      ...hub.connection,
      webhook: {
        watched: [{ type: 'user', name: 'admin' }],
        domains: ['repo'],
        job: { ...JOB, command, environment: { DIR: folder }, timeoutSeconds: 60 },
      },
    });
    const began = async () => (await readdir(folder)).filter((name) => !name.endsWith('.part'));
    const known = new Set<string>();
    const taken: number[] = [];
    for (let at = 0; at < jobs + 1; at++) {
      const changedAt = Date.now();
      await createRepo({ ...hub.connection, type: 'model', repo: `admin/model-${at}` });
      let id: string | undefined;
      for (const deadline = changedAt + 30_000; id === undefined; await pause(10)) {
        if (Date.now() > deadline) throw new Error('A job did not begin');
        id = (await began()).find((name) => !known.has(name));
      }
      known.add(id);
      // The first job runs before any code is compiled, so it is not counted.
      if (at > 0) taken.push(Number(await readFile(join(folder, id), 'utf8')) - changedAt);
      await pause(100 * Math.random());
    }
    const name = 'jobs: from an event to the running process';
    return [
      { name: `${name}, median`, value: median(taken), unit: 'ms', bound: { atMost: 1000 } },
      { name: `${name}, longest of ${jobs}`, value: Math.max(...taken), unit: 'ms' },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Compares a hub with waiting jobs to one without: a page of the inbox, and deliveries. */
async function besideAQueue({ waitingJobs, rounds, requests, latencySeconds }: Scale): Promise<Figure[]> {
  await using queued = await besides();
  await using plain = await besides();
  await fillQueue(queued.hub, waitingJobs);
  const pages: [number[], number[]][] = [];
  const deliveries: [number[], number[]][] = [];
  const each = Math.ceil(requests / rounds);
  for (let round = 0; round < rounds; round++) {
    pages.push([await queued.pages(each), await plain.pages(each)]);
    deliveries.push([await queued.deliveries(latencySeconds), await plain.deliveries(latencySeconds)]);
  }
  const left = await queued.hub.side.number("select count(*) from jobs where stage = 'SCHEDULING'");
  if (left !== waitingJobs) throw new Error(`${left} jobs wait, not ${waitingJobs}`);
  await emptyQueue(queued.hub);
  return [
    ...besideFigures(
      `jobs: a page of the inbox beside ${waitingJobs.toLocaleString('en')} waiting jobs, to without`,
      pages,
    ),
    ...besideFigures(
      `jobs: deliveries beside ${waitingJobs.toLocaleString('en')} waiting jobs, to without`,
      deliveries,
    ),
  ];
}

function besideFigures(name: string, rounds: readonly [number[], number[]][]): Figure[] {
  const at = (share: number): [number, number][] =>
    rounds.map(([beside, without]) => [percentile(beside, share), percentile(without, share)]);
  const [medians, tails] = [at(0.5), at(0.99)];
  return [
    { name: `${name}, median`, value: ratio(medians), unit: 'ratio', bound: { atMost: 1.3 }, rounds: medians },
    { name: `${name}, p99`, value: ratio(tails), unit: 'ratio', bound: { atMost: 1.5 }, rounds: tails },
  ];
}

/** Starts a hub with repositories and a receiver of their events. */
async function besides() {
  const arrivals = new Arrivals();
  const receiver = await startReceiver('answers', arrivals.arrive);
  const hub = await startBenchHub({ MOONBASE_JOBS_RUNNER: 'process' });
  await watchedRepos(hub, [receiver.url]);
  const next = () => requestBytes(hub.url, 'GET', '/api/notifications', { authorization: `Bearer ${ACCESS_TOKEN}` });
  return {
    hub,
    async pages(requests: number): Promise<number[]> {
      const taken: number[] = [];
      await load({ url: hub.url, connections: 1, requests, next, onAnswer: (ms) => taken.push(ms) });
      return taken;
    },
    async deliveries(seconds: number): Promise<number[]> {
      arrivals.clear();
      await changeAtPace(hub, CHANGES_PER_SECOND * seconds, CHANGES_PER_SECOND, arrivals);
      // Deliveries in flight end within this wait.
      await pause(500);
      return arrivals.latencies();
    },
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

/** Fills all slots with idle jobs, and the queue with waiting jobs. */
async function fillQueue(hub: BenchHub, waiting: number): Promise<void> {
  const job: JobSpecification = { ...JOB, command: ['sleep', '600'], timeoutSeconds: 600 };
  const headers = { authorization: `Bearer ${ACCESS_TOKEN}`, 'content-type': 'application/json' };
  const next = () => requestBytes(hub.url, 'POST', '/api/jobs/admin', headers, JSON.stringify(job));
  await load({ url: hub.url, connections: 4, requests: waiting + PLACES, next });
  const running = "select count(*) from jobs where stage = 'RUNNING'";
  for (const deadline = Date.now() + 30_000; (await hub.side.number(running)) < PLACES; await pause(50))
    if (Date.now() > deadline) throw new Error('Jobs do not begin');
}

/** Deletes the jobs, because a stopping hub leaves them running. */
async function emptyQueue(hub: BenchHub): Promise<void> {
  await hub.side.run('delete from jobs');
  for (const deadline = Date.now() + 30_000; (await hub.attempts()).length > 0; await pause(50))
    if (Date.now() > deadline) throw new Error('Jobs do not end');
}

/**
 * Measures a job with much output: the time until its log is complete, cut with a note, and the resources of the hub
 * meanwhile.
 */
async function output({ jobOutputMegabytes }: Scale): Promise<Figure[]> {
  await using hub = await startBenchHub({ MOONBASE_JOBS_RUNNER: 'process' });
  const as = { ...hub.connection, namespace: 'admin' };
  const script = `yes '0123456789 the quick brown fox' | head -c ${jobOutputMegabytes}000000`;
  const startedAt = performance.now();
  const { id: jobId } = await runJob({ ...as, job: { ...JOB, command: ['/bin/sh', '-c', script] } });
  for (const deadline = Date.now() + 120_000; (await getJob({ ...as, jobId })).finishedAt === undefined; )
    if (Date.now() > deadline) throw new Error('The job did not end');
    else await pause(20);
  const taken = performance.now() - startedAt;
  const peak = await peakMegabytes(hub.pid);
  let last = '';
  for await (const { data } of streamJobLogs({ ...as, jobId, tail: 1 })) last = data;
  if (!last.startsWith('===== The log ends here')) throw new Error(`The log ends with ${last}`);
  const name = `jobs: a job that prints ${jobOutputMegabytes.toLocaleString('en')} MB`;
  return [
    { name: `${name}, until it has ended`, value: taken, unit: 'ms' },
    { name: `${name}, most memory of the hub`, value: peak, unit: 'MB', bound: { atMost: 300 } },
  ];
}
