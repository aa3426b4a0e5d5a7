import { getJob, type JobSpecification, listJobs } from '@moonbase/client/jobs';
import {
  createScheduledJob,
  deleteScheduledJob,
  getScheduledJob,
  listScheduledJobs,
  resumeScheduledJob,
  runScheduledJob,
  suspendScheduledJob,
  updateJobSchedule,
  updateScheduledJobLabels,
} from '@moonbase/client/scheduled-jobs';
import { ALREADY_RUNNING } from '@moonbase/contract/jobs/schedules';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';
import { refusal } from './webhooks-listen.ts';

const JOB: JobSpecification = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' };

let hub: TestHub;
let runner: TestRunner;
let alice: Connection & { namespace: string };
beforeEach(async () => {
  runner = createTestRunner();
  hub = await startHub({}, { runner });
  await hub.apply({
    users: ['alice', 'bob'].map(person),
    organizations: [
      {
        name: 'acme',
        fullname: 'Acme',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'bob', role: 'contributor' },
        ],
      },
    ],
  });
  alice = { ...hub.as('alice'), namespace: 'alice' };
});
afterEach(() => hub[Symbol.asyncDispose]());

const schedule = (change: object = {}) =>
  createScheduledJob({ ...alice, jobSpec: JOB, schedule: '@hourly', ...change });
const get = (jobId: string) => getScheduledJob({ ...alice, jobId });
const after = async (ms: number) => {
  hub.clock.advance(ms);
  await hub.drain();
};

test('runs by the clock, each time as a new job, with its secrets', async () => {
  const made = await schedule({ jobSpec: { ...JOB, secrets: { KEY: 'hush hush' }, labels: { a: 'b' } } });
  expect(made).toMatchObject({
    type: 'scheduled-job',
    schedule: '@hourly',
    suspend: false,
    concurrency: false,
    status: { lastJob: null, nextJobRunAt: '2026-01-05T13:00:00.000Z' },
    owner: { name: 'alice', type: 'user' },
    initiator: { name: 'alice' },
    jobSpec: { dockerImage: 'python:3.12', secrets: ['KEY'], labels: { a: 'b' }, timeout: 1800 },
  });
  await after(HOUR - 1);
  expect(runner.launched).toEqual([]);
  await after(1);
  runner.exit(0);
  await hub.drain();
  await after(HOUR);
  expect(runner.launched.map(({ environment }) => environment.KEY)).toEqual(['hush hush', 'hush hush']);
  const jobs = await collect(listJobs(alice));
  expect(jobs.map(({ initiator }) => initiator)).toEqual(Array(2).fill({ type: 'scheduled-job', id: made.id }));
  expect(jobs[0]).toMatchObject({ secrets: ['KEY'], labels: { a: 'b' } });
  expect((await get(made.id)).status).toEqual({
    lastJob: { id: jobs[0]!.id, at: '2026-01-05T14:00:00.000Z' },
    nextJobRunAt: '2026-01-05T15:00:00.000Z',
  });
});

test('missed runs are made up for by one run', async () => {
  await schedule();
  await after(5 * HOUR + MINUTE);
  expect(await collect(listJobs(alice))).toHaveLength(1);
});

test('a run is skipped while another one is running, unless runs may overlap', async () => {
  await schedule();
  const { id } = await schedule({ concurrency: true });
  await after(HOUR);
  await after(HOUR);
  const ofBoth = (await collect(listJobs(alice))).map(({ initiator }) => initiator?.id === id);
  expect(ofBoth.filter(Boolean)).toHaveLength(2);
  expect(ofBoth).toHaveLength(3);
});

test('can be run by hand beside its schedule, one run at a time', async () => {
  const { id } = await schedule();
  const job = await runScheduledJob({ ...alice, jobId: id });
  expect(job).toMatchObject({ initiator: { type: 'scheduled-job', id }, status: { stage: 'SCHEDULING' } });
  expect((await get(id)).status).toMatchObject({ lastJob: { id: job.id }, nextJobRunAt: '2026-01-05T13:00:00.000Z' });
  const again = await refusal(runScheduledJob({ ...alice, jobId: id }));
  expect([again.status, again.message]).toEqual([409, ALREADY_RUNNING]);
  await hub.drain();
  runner.exit(0);
  await hub.drain();
  await runScheduledJob({ ...alice, jobId: id });
});

test('can be suspended, resumed, given another schedule and other labels, and deleted', async () => {
  const { id } = await schedule();
  await suspendScheduledJob({ ...alice, jobId: id });
  await after(DAY);
  expect(runner.launched).toEqual([]);
  expect((await get(id)).suspend).toBe(true);
  await resumeScheduledJob({ ...alice, jobId: id });
  await hub.drain();
  expect(runner.launched).toEqual([]);
  const changed = await updateJobSchedule({ ...alice, jobId: id, schedule: '*/15 * * * *' });
  expect(changed).toMatchObject({ suspend: false, status: { nextJobRunAt: '2026-01-06T12:15:00.000Z' } });
  await after(15 * MINUTE);
  expect(runner.launched).toHaveLength(1);
  expect(await updateScheduledJobLabels({ ...alice, jobId: id, labels: { team: 'a' } })).toMatchObject({
    jobSpec: { labels: { team: 'a' } },
  });
  expect((await collect(listScheduledJobs({ ...alice, label: 'team=a' }))).map((job) => job.id)).toEqual([id]);
  expect(await collect(listScheduledJobs({ ...alice, label: 'team=b' }))).toEqual([]);
  await deleteScheduledJob({ ...alice, jobId: id });
  expect((await refusal(get(id))).status).toBe(404);
  await after(DAY);
  expect(runner.launched).toHaveLength(1);
});

test('waits if it is created suspended', async () => {
  await schedule({ suspend: true });
  await after(2 * HOUR);
  expect(runner.launched).toEqual([]);
});

test.each([
  '',
  '* * * *',
  '@reboot',
  '@every 1s',
  '99 * * * *',
  '0 0 30 2 *',
  '*/0 * * * *',
  '0 0 * * MON',
  `${'1'.repeat(600)} * * * *`,
  `${'1,'.repeat(5000)}x`,
  '* * * * * * * *',
])('the schedule %j is refused', async (text) => {
  const began = performance.now();
  expect(await refusal(schedule({ schedule: text }))).toMatchObject({
    status: 400,
    issues: [{ path: 'body.schedule' }],
  });
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('in an organization: writers create them, change their own, and are recorded in the audit log; runs fail after their creator left', async () => {
  const bob = { ...hub.as('bob'), namespace: 'acme' };
  const { id } = await createScheduledJob({ ...bob, jobSpec: JOB, schedule: '@hourly' });
  const ours = await createScheduledJob({ ...alice, namespace: 'acme', jobSpec: JOB, schedule: '@daily' });
  expect((await refusal(deleteScheduledJob({ ...bob, jobId: ours.id }))).status).toBe(403);
  await suspendScheduledJob({ ...alice, namespace: 'acme', jobId: id });
  await resumeScheduledJob({ ...bob, jobId: id });
  await updateJobSchedule({ ...bob, jobId: id, schedule: '@hourly' });
  const run = await runScheduledJob({ ...bob, jobId: id });
  await hub.drain();
  runner.exit(0);
  await hub.drain();
  expect(await getJob({ ...bob, jobId: run.id })).toMatchObject({ status: { stage: 'COMPLETED' } });
  await hub.apply({
    organizations: [{ name: 'acme', fullname: 'Acme', members: [{ user: 'bob', state: 'absent' }] }],
  } as never);
  await after(HOUR);
  const [failed] = await collect(listJobs({ ...alice, namespace: 'acme' }));
  expect(failed).toMatchObject({ status: { stage: 'ERROR', message: expect.stringContaining('may no longer') } });
  await deleteScheduledJob({ ...alice, namespace: 'acme', jobId: id });
  const rows = await hub.database.read.selectFrom('audit_events').select('type').orderBy('seq').execute();
  expect(rows.map(({ type }) => type).filter((type) => type.startsWith('scheduled'))).toEqual([
    'scheduled_job.create',
    'scheduled_job.create',
    'scheduled_job.suspend',
    'scheduled_job.resume',
    'scheduled_job.update_schedule',
    'scheduled_job.run',
    'scheduled_job.delete',
  ]);
});

test('if the hub runs no jobs, they are refused with the reason, and so are earlier scheduled runs', async () => {
  await hub[Symbol.asyncDispose]();
  hub = await startHub({ MOONBASE_JOBS_RUNNER: 'none' });
  await hub.people('alice');
  const withoutRunner = { ...hub.as('alice'), namespace: 'alice' };
  const error = await refusal(createScheduledJob({ ...withoutRunner, jobSpec: JOB, schedule: '@daily' }));
  expect([error.status, error.message]).toEqual([409, expect.stringContaining('MOONBASE_JOBS_RUNNER')]);
});
