import {
  cancelJob,
  countJobs,
  duplicateJob,
  getJob,
  type JobSpecification,
  listJobs,
  runJob,
  streamJobEvents,
  streamJobLogs,
  streamJobMetrics,
  updateJobLabels,
} from '@moonbase/client/jobs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { DAY, HOUR, MINUTE, SECOND } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';
import { refusal } from './webhooks-listen.ts';

const JOB: JobSpecification = {
  dockerImage: 'python:3.12',
  command: ['python', '-c', 'print(1)'],
  flavor: 'cpu-basic',
};

let hub: TestHub;
let runner: TestRunner;
let alice: Connection;
let bob: Connection;
beforeEach(async () => {
  runner = createTestRunner();
  hub = await startHub({}, { runner });
  await hub.apply({
    users: ['alice', 'bob', 'carol'].map(person),
    organizations: [
      {
        name: 'acme',
        fullname: 'Acme',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'bob', role: 'read' },
        ],
      },
    ],
  });
  [alice, bob] = [hub.as('alice'), hub.as('bob')];
});
afterEach(() => hub[Symbol.asyncDispose]());

const run = (job: Partial<JobSpecification> = {}, who = alice, namespace = 'alice') =>
  runJob({ ...who, namespace, job: { ...JOB, ...job } });
const look = async (jobId: string, who = alice, namespace = 'alice') => getJob({ ...who, namespace, jobId });
const stageOf = async (jobId: string) => (await look(jobId)).status.stage;
const logOf = async (jobId: string, tail?: number) =>
  (await collect(streamJobLogs({ ...alice, namespace: 'alice', jobId, tail }))).map(({ data }) => data);

describe('a job', () => {
  test('waits, runs and completes, with its log and events', async () => {
    const job = await run({ environment: { LEVEL: 'high' }, labels: { team: 'a', name: 'x' }, arguments: ['-v'] });
    expect(job).toMatchObject({
      type: 'job',
      owner: { name: 'alice', type: 'user' },
      createdBy: { name: 'alice' },
      initiator: { name: 'alice', type: 'user' },
      status: { stage: 'SCHEDULING', message: null, failureCount: 0 },
      environment: { LEVEL: 'high' },
      labels: { team: 'a', name: 'x' },
      timeout: 1800,
      retry: 0,
    });
    hub.clock.advance(3 * SECOND);
    await hub.drain();
    expect(await look(job.id)).toMatchObject({
      status: { stage: 'RUNNING', message: 'Runs in a test' },
      durations: { schedulingSecs: 3, runningSecs: 0, totalSecs: 3 },
    });
    expect(runner.launched[0]?.environment).toEqual({
      LEVEL: 'high',
      JOB_ID: job.id,
      ACCELERATOR: 'none',
      CPU_CORES: '2',
      MEMORY: '16Gi',
    });
    runner.print('one\ntw');
    await hub.drain();
    runner.print('o\r\nthree');
    runner.exit(0);
    hub.clock.advance(4 * SECOND);
    await hub.drain();

    expect(await look(job.id)).toMatchObject({
      status: { stage: 'COMPLETED' },
      durations: { schedulingSecs: 3, runningSecs: 4, totalSecs: 7 },
    });
    expect(await logOf(job.id)).toEqual(['===== Job started at 2026-01-05T12:00:03.000Z =====', 'one', 'two', 'three']);
    expect(await logOf(job.id, 2)).toEqual(['two', 'three']);
    expect(await logOf(job.id, 0)).toEqual([]);
    const events = await collect(streamJobEvents({ ...alice, namespace: 'alice', jobId: job.id }));
    expect(events.map(({ reason }) => reason)).toEqual(['Created', 'Starting', 'Started', 'Completed']);
  });

  test('is retried at once when it fails, as often as it requested', async () => {
    const { id } = await run({ attempts: 3 });
    await hub.drain();
    for (const failure of [1, 2]) {
      runner.print(`attempt ${failure}\n`);
      runner.exit(failure);
      await hub.drain();
      expect(await look(id)).toMatchObject({ status: { stage: 'RUNNING', failureCount: failure }, retry: 2 });
    }
    runner.exit(7);
    await hub.drain();
    expect((await look(id)).status).toEqual({ stage: 'ERROR', message: 'Exit code 7', failureCount: 3 });
    expect(runner.launched.map(({ key }) => key)).toEqual([`${id}-1`, `${id}-2`, `${id}-3`]);
    expect((await logOf(id)).filter((line) => !line.startsWith('====='))).toEqual(['attempt 1', 'attempt 2']);
  });

  test('succeeds at a later attempt', async () => {
    const { id } = await run({ attempts: 2 });
    await hub.drain();
    runner.exit(1);
    await hub.drain();
    runner.exit(0);
    await hub.drain();
    expect((await look(id)).status).toMatchObject({ stage: 'COMPLETED', failureCount: 1 });
  });

  test('ends at its timeout and is not retried', async () => {
    const { id } = await run({ attempts: 3, timeoutSeconds: 60 });
    await hub.drain();
    hub.clock.advance(MINUTE - 1);
    await hub.drain();
    expect(await stageOf(id)).toBe('RUNNING');
    hub.clock.advance(1);
    await hub.drain();
    expect((await look(id)).status).toEqual({ stage: 'ERROR', message: 'Job timeout', failureCount: 1 });
    expect(runner.killed).toEqual([`${id}-1`]);
    expect(runner.launched).toHaveLength(1);
  });

  test('has 30 minutes by default, and with null the maximum of the operator', async () => {
    const [usual, unlimited] = [await run(), await run({ timeoutSeconds: null })];
    expect(unlimited.timeout).toBeUndefined();
    await hub.drain();
    hub.clock.advance(HOUR);
    await hub.drain();
    expect([await stageOf(usual.id), await stageOf(unlimited.id)]).toEqual(['ERROR', 'RUNNING']);
    hub.clock.advance(7 * DAY);
    await hub.drain();
    expect(await stageOf(unlimited.id)).toBe('ERROR');
  });

  test('can be canceled while waiting and while running, once', async () => {
    const waiting = await run();
    const canceled = await cancelJob({ ...alice, namespace: 'alice', jobId: waiting.id });
    expect(canceled.status).toEqual({ stage: 'CANCELED', message: 'Canceled by alice', failureCount: 0 });
    await hub.drain();
    expect(runner.launched).toEqual([]);

    const { id } = await run();
    await hub.drain();
    runner.print('before the end');
    await cancelJob({ ...alice, namespace: 'alice', jobId: id });
    await hub.drain();
    expect(runner.killed).toEqual([`${id}-1`]);
    expect((await logOf(id)).at(-1)).toBe('before the end');
    await cancelJob({ ...alice, namespace: 'alice', jobId: id });
    const events = await collect(streamJobEvents({ ...alice, namespace: 'alice', jobId: id }));
    expect(events.filter(({ reason }) => reason === 'Canceled')).toHaveLength(1);
  });

  test('that has completed cannot be canceled', async () => {
    const { id } = await run();
    await hub.drain();
    runner.exit(0);
    await hub.drain();
    await cancelJob({ ...alice, namespace: 'alice', jobId: id });
    expect(await stageOf(id)).toBe('COMPLETED');
  });

  test('fails with the reason if it cannot be started, attempt by attempt', async () => {
    runner.fail('The engine is full');
    const { id } = await run({ attempts: 2 });
    await hub.drain();
    expect((await look(id)).status).toEqual({ stage: 'ERROR', message: 'The engine is full', failureCount: 2 });
  });

  test('that its runner no longer knows has failed', async () => {
    const { id } = await run();
    await hub.drain();
    runner.exit(null);
    await hub.drain();
    expect((await look(id)).status).toMatchObject({ stage: 'ERROR', message: expect.stringContaining('lost') });
  });

  test('becomes DELETED without its log, and is deleted later', async () => {
    const { id } = await run({ secrets: { KEY: 'hush hush' } });
    await hub.drain();
    runner.print('text\n');
    runner.exit(0);
    await hub.drain();
    hub.clock.advance(30 * DAY + HOUR);
    await hub.drain();
    expect(await stageOf(id)).toBe('DELETED');
    expect(await logOf(id)).toEqual([]);
    expect(await collect(listJobs({ ...alice, namespace: 'alice' }))).toEqual([]);
    expect(await collect(listJobs({ ...alice, namespace: 'alice', stage: 'DELETED' }))).toMatchObject([{ id }]);
    const row = await hub.database.read.selectFrom('jobs').selectAll().executeTakeFirst();
    expect(row?.secrets).toBeNull();
    hub.clock.advance(30 * DAY);
    await hub.drain();
    expect((await refusal(look(id))).status).toBe(404);
  });
});

test('the resource usage of a job is streamed while it runs', async () => {
  const { id } = await run({ flavor: 't4-small' });
  const measures = () => streamJobMetrics({ ...alice, namespace: 'alice', jobId: id });
  await hub.drain();
  const stream = measures();
  expect((await stream.next()).value).toEqual({
    ...{ cpu_usage_pct: 0, cpu_millicores: 4000, memory_used_bytes: 1000, memory_total_bytes: 5000 },
    ...{ rx_bps: 0, tx_bps: 0, gpus: {}, replica: '0' },
  });
  await stream.return();
  runner.exit(0);
  await hub.drain();
  expect(await collect(measures())).toEqual([]);
});

describe('secrets', () => {
  test('reach the job, but appear by name only and not in its log', async () => {
    const secrets = { TOKEN: 'swordfish-1', PEM: '-----BEGIN-----\nabcdefgh\n' };
    const job = await run({ secrets, environment: { TOKEN: 'not this' } });
    expect(job.secrets).toEqual(['TOKEN', 'PEM']);
    expect(JSON.stringify(job)).not.toContain('swordfish');
    await hub.drain();
    expect(runner.launched[0]?.environment).toMatchObject(secrets);
    runner.print('the token is swordfish-1, twice swordfish-1\nkey abcdefgh\n');
    runner.exit(0);
    await hub.drain();
    expect((await logOf(job.id)).slice(1)).toEqual(['the token is ***, twice ***', 'key ***']);
    const rows = await hub.database.read.selectFrom('jobs').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('swordfish');
  });

  test('cannot have the name of a built-in variable', async () => {
    const job = await run({ environment: { JOB_ID: 'forged', MEMORY: '1Ti' } });
    await hub.drain();
    expect(runner.launched[0]?.environment).toMatchObject({ JOB_ID: job.id, MEMORY: '16Gi' });
  });
});

describe('jobs of a namespace', () => {
  test('are listed by stage and label, in pages, and counted', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 12; at++) ids.unshift((await run({ labels: { half: at < 6 ? 'a' : 'b', n: `${at}` } })).id);
    const list = async (options: object) =>
      (await collect(listJobs({ ...alice, namespace: 'alice', ...options }))).map(({ id }) => id);
    expect(await list({ pageSize: 10 })).toEqual(ids);
    expect(await list({ label: 'half=a' })).toEqual(ids.slice(6));
    expect(await list({ label: ['half=a', 'n=3'] })).toEqual([ids[8]]);
    expect(await list({ label: ['half=b', 'n=3'] })).toEqual([]);
    expect(await list({ label: 'half=A' })).toEqual([]);
    await cancelJob({ ...alice, namespace: 'alice', jobId: ids[0]! });
    expect(await list({ stage: 'CANCELED' })).toEqual([ids[0]]);
    expect(await list({ stage: ['CANCELED', 'SCHEDULING'], pageSize: 10 })).toEqual(ids);
    expect(await countJobs({ ...alice, namespace: 'alice' })).toEqual({ count: 12 });
    expect(await countJobs({ ...alice, namespace: 'alice', stage: 'SCHEDULING' })).toEqual({ count: 11 });
    const labelled = await updateJobLabels({ ...alice, namespace: 'alice', jobId: ids[1]!, labels: { only: '' } });
    expect(labelled.labels).toEqual({ only: '' });
    expect(await list({ label: 'only=' })).toEqual([ids[1]]);
  });

  test('are run again by duplicating them', async () => {
    const { id } = await run({ secrets: { KEY: 'hush hush' }, attempts: 2, labels: { a: 'b' } });
    const again = await duplicateJob({ ...alice, namespace: 'alice', jobId: id });
    expect(again).toMatchObject({
      initiator: { type: 'duplicated-job', id },
      secrets: ['KEY'],
      retry: 1,
      labels: { a: 'b' },
    });
    await hub.drain();
    expect(runner.launched.map(({ environment }) => environment.KEY)).toEqual(['hush hush', 'hush hush']);
  });

  test('are visible to members and can be run by writers, by nobody else', async () => {
    const job = await run({ secrets: { KEY: 'hush hush' } }, alice, 'acme');
    expect(job.owner).toMatchObject({ name: 'acme', type: 'org' });
    expect(await look(job.id, bob, 'acme')).toMatchObject({ id: job.id });
    const carol = hub.as('carol');
    const refusals = [
      () => look(job.id, carol, 'acme'),
      () => run({}, bob, 'acme'),
      () => cancelJob({ ...bob, namespace: 'acme', jobId: job.id }),
      () => run({}, bob, 'alice'),
      () => look(job.id, bob, 'alice'),
    ];
    for (const each of refusals) expect((await refusal(each())).status).toBe(403);
    // The job is not found in another namespace.
    expect((await refusal(look(job.id, alice, 'alice'))).status).toBe(404);
    expect((await refusal(look('x', alice, 'nobody'))).status).toBe(404);
    expect((await ask(bob, `POST /api/jobs/acme/${job.id}/auth-check/read`)).status).toBe(200);
    expect((await ask(bob, `POST /api/jobs/acme/${job.id}/auth-check/write`)).status).toBe(403);
  });

  test('record actions in the audit log of their organization', async () => {
    const { id } = await run({}, alice, 'acme');
    await cancelJob({ ...alice, namespace: 'acme', jobId: id });
    const rows = await hub.database.read
      .selectFrom('audit_events')
      .select('type')
      .where('org_id', '<>', 'site')
      .orderBy('seq')
      .execute();
    expect(rows.map(({ type }) => type).slice(-2)).toEqual(['jobs.create', 'jobs.cancel']);
  });
});

describe('places', () => {
  test('go to owners in turn, and to the jobs of one owner in their order', async () => {
    await hub[Symbol.asyncDispose]();
    runner = createTestRunner();
    hub = await startHub({ MOONBASE_MAX_RUNNING_JOBS: '4', MOONBASE_MAX_RUNNING_JOBS_PER_OWNER: '3' }, { runner });
    await hub.people('alice', 'bob');
    [alice, bob] = [hub.as('alice'), hub.as('bob')];
    const ours: string[] = [];
    for (let at = 0; at < 6; at++) ours.push((await run()).id);
    await hub.drain();
    // Jobs that start at the same time have no order.
    const began = (from = 0) => runner.launched.slice(from).map(({ key }) => key.split('-')[0] ?? '');
    expect(new Set(began())).toEqual(new Set(ours.slice(0, 3)));
    const theirs = [(await run({}, bob, 'bob')).id, (await run({}, bob, 'bob')).id];
    await hub.drain();
    expect(began(3)).toEqual([theirs[0]]);
    runner.exit(0, `${ours[0]}-1`);
    await hub.drain();
    // bob has fewer running jobs, so his is next, although alice has waited longer.
    expect(began().at(-1)).toBe(theirs[1]);
    runner.exit(0, `${theirs[0]}-1`);
    await hub.drain();
    expect(began().at(-1)).toBe(ours[3]);
    expect(runner.running()).toHaveLength(4);
  });
});

test('without waiting or running jobs, nothing is written', async () => {
  await hub.drain();
  const lease = async () =>
    (await hub.database.read.selectFrom('lane_leases').selectAll().where('lane', '=', 'jobs').execute())[0];
  const before = await lease();
  for (let seconds = 0; seconds < 50; seconds += 10) {
    hub.clock.advance(10 * SECOND);
    await hub.drain();
  }
  expect(await lease()).toEqual(before);
  await run();
  await hub.drain();
  expect(runner.running()).toHaveLength(1);
  expect(await lease()).not.toEqual(before);
});
