import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getJob, type JobInfo, listJobs, runJob, streamJobLogs } from '@moonbase/client/jobs';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, listDeliveries } from '@moonbase/client/webhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect } from '../../packages/server/test/harness.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { pause } from './pace.ts';

const ACCESS_TOKEN = 'hf_tokenOfTheFaultTestsWithEnoughLetters';
const LIMIT_MIB = 10;
const MAX_MEMORY_MIB = 300;

let folder: string;
let hub: HubProcess;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-jobs-output-'));
  hub = await startHubProcess({
    MOONBASE_DATA_DIR: folder,
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_JOBS_RUNNER: 'process',
    MOONBASE_JOB_LOG_MIB: String(LIMIT_MIB),
  });
});
afterAll(async () => {
  await hub.stop();
  await rm(folder, { recursive: true, force: true });
});

const as = () => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN, namespace: 'admin' });
const JOB = { dockerImage: 'python:3.12', flavor: 'cpu-basic', environment: {} } as const;

async function untilEnd(jobId: string): Promise<JobInfo> {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; ) {
    const job = await getJob({ ...as(), jobId });
    if (job.finishedAt !== undefined) return job;
    await pause(50);
  }
  throw new Error('It never ended');
}

/** Returns the peak memory of the hub in MiB. */
const peakMemory = () => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${hub.pid}/status`, 'utf8'))?.[1]) / 1024;

test.each([
  ['in lines', 'yes "0123456789 the quick brown fox" | head -c 1000000000'],
  ['in one line', 'tr "\\\\0" x < /dev/zero | head -c 1000000000'],
])(`the log of a job that prints 1 GB ${'%s'} is cut with a note; the hub stays small`, async (_, script) => {
  const { id } = await runJob({
    ...as(),
    job: { ...JOB, command: ['/bin/sh', '-c', script], secrets: { K: 'a-secret' } },
  });
  expect((await untilEnd(id)).status.stage).toBe('COMPLETED');
  let bytes = 0;
  let last = '';
  for await (const { data } of streamJobLogs({ ...as(), jobId: id })) {
    bytes += data.length + 1;
    last = data;
  }
  console.log(`${(bytes / 1024 / 1024).toFixed(1)} MiB kept, peak memory ${peakMemory().toFixed(0)} MiB`);
  expect(last).toBe(`===== The log ends here: of one job ${LIMIT_MIB} MiB are kept =====`);
  expect(bytes).toBeGreaterThan((LIMIT_MIB - 1) * 1024 * 1024);
  expect(bytes).toBeLessThan((LIMIT_MIB + 1) * 1024 * 1024);
  expect(peakMemory()).toBeLessThan(MAX_MEMORY_MIB);
});

test('the median time from an event to its running process is a few seconds at most', async () => {
  const { webhook } = await createWebhook({
    ...as(),
    webhook: {
      watched: [{ type: 'user', name: 'admin' }],
      domains: ['repo'],
      job: { ...JOB, command: ['true'], timeoutSeconds: 60 },
    },
  });
  for (let at = 0; at < 21; at++) {
    await createRepo({ ...as(), repo: `admin/repo-${at}` });
    await pause(100);
  }
  let jobs: JobInfo[] = [];
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; await pause(100)) {
    jobs = (await collect(listJobs(as()))).filter(({ initiator }) => initiator?.id === webhook.id);
    if (jobs.length === 21 && jobs.every(({ finishedAt }) => finishedAt)) break;
  }
  const happened = new Map(
    (await collect(listDeliveries({ ...as(), webhookId: webhook.id }))).map(({ jobId, createdAt }) => [
      jobId,
      createdAt,
    ]),
  );
  const took = jobs
    .map(({ id, startedAt = '' }) => Date.parse(startedAt) - Date.parse(happened.get(id) ?? ''))
    .sort((a, b) => a - b);
  console.log(`from event to process: median ${took[10]} ms, longest ${took.at(-1)} ms`);
  expect(took).toHaveLength(21);
  expect(took[10]).toBeLessThanOrEqual(5000);
});
