import { deleteAccessToken, listAccessTokens } from '@moonbase/client/access-tokens';
import { cancelJob, getJob, type JobSpecification, listJobs, runJob, streamJobLogs } from '@moonbase/client/jobs';
import { deleteOrganization, restoreOrganization } from '@moonbase/client/organizations';
import { createScheduledJob, getScheduledJob } from '@moonbase/client/scheduled-jobs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, SECOND } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';
import { refusal } from './webhooks-listen.ts';

/**
 * These tests cover jobs whose owner or creator leaves: alice is admin of acme, bob contributes to it. Two jobs of an
 * owner run at a time.
 */
const JOB: JobSpecification = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' };

let hub: TestHub;
let runner: TestRunner;
let alice: Connection;
let bob: Connection;
beforeEach(async () => {
  runner = createTestRunner();
  hub = await startHub({ MOONBASE_MAX_RUNNING_JOBS_PER_OWNER: '2' }, { runner });
  await hub.apply({
    users: ['alice', 'bob'].map(person),
    organizations: [
      {
        name: 'acme',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'bob', role: 'contributor' },
        ],
      },
    ],
  });
  [alice, bob] = [hub.as('alice'), hub.as('bob')];
});
afterEach(() => hub[Symbol.asyncDispose]());

const run = async (who: Connection, namespace: string, change: Partial<JobSpecification> = {}) =>
  (await runJob({ ...who, namespace, job: { ...JOB, ...change } })).id;
const schedule = async (who: Connection, namespace: string) =>
  (await createScheduledJob({ ...who, namespace, jobSpec: JOB, schedule: '@hourly', concurrency: true })).id;
const statusOf = async (jobId: string, namespace = 'acme') => (await getJob({ ...alice, namespace, jobId })).status;
const after = async (ms: number) => {
  hub.clock.advance(ms);
  await hub.drain();
};
const remove = (change: object) => hub.apply(change);
const bobLeaves = () => remove({ organizations: [{ name: 'acme', members: [{ user: 'bob', state: 'absent' }] }] });

async function rows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of ['jobs', 'job_logs', 'job_events', 'scheduled_jobs'] as const)
    counts[table] = (await hub.database.read.selectFrom(table).selectAll().execute()).length;
  return counts;
}
const NOTHING = { jobs: 0, job_logs: 0, job_events: 0, scheduled_jobs: 0 };

describe('with its owner', () => {
  test('jobs of a user end: running ones stop, waiting ones never start, and no more are launched', async () => {
    const ids = [await run(bob, 'bob'), await run(bob, 'bob'), await run(bob, 'bob')];
    await schedule(bob, 'bob');
    await hub.drain();
    runner.print('text\n');
    await hub.drain();
    expect(runner.running().toSorted()).toEqual([`${ids[0]}-1`, `${ids[1]}-1`]);
    // Ended jobs are deleted, too.
    runner.exit(0);
    await remove({ users: [{ name: 'bob', state: 'absent' }] });
    await hub.drain();
    expect(runner.running()).toEqual([]);
    expect(await rows()).toEqual(NOTHING);
    const launched = runner.launched.length;
    await after(2 * HOUR);
    expect(runner.launched).toHaveLength(launched);
  });

  test('jobs of an organization that a document removes end at once', async () => {
    await run(bob, 'acme');
    await schedule(bob, 'acme');
    const own = await run(bob, 'bob');
    await hub.drain();
    await remove({ organizations: [{ name: 'acme', state: 'absent' }] });
    await hub.drain();
    expect(runner.running()).toEqual([`${own}-1`]);
    expect(await rows()).toMatchObject({ jobs: 1, scheduled_jobs: 0 });
  });

  test('jobs of an organization that is deleted end, including waiting ones', async () => {
    const [ended, first, second, waiting] = [
      await run(alice, 'acme'),
      await run(bob, 'acme'),
      await run(bob, 'acme'),
      await run(bob, 'acme'),
    ];
    await hub.drain();
    runner.exit(0, `${ended}-1`);
    await hub.drain();
    runner.print('before the end\n', `${first}-1`);
    expect(runner.running()).toEqual([`${first}-1`, `${second}-1`]);
    await deleteOrganization({ ...alice, name: 'acme' });
    await hub.drain();
    expect(runner.running()).toEqual([]);
    expect(runner.launched).toHaveLength(3);

    await restoreOrganization({ ...alice, name: 'acme' });
    await hub.drain();
    expect((await statusOf(ended)).stage).toBe('COMPLETED');
    for (const id of [first, second, waiting])
      expect(await statusOf(id)).toMatchObject({
        stage: 'CANCELED',
        message: 'Canceled: the organization was deleted',
      });
    const log = await collect(streamJobLogs({ ...alice, namespace: 'acme', jobId: first }));
    expect(log.at(-1)?.data).toBe('before the end');
    expect(runner.launched).toHaveLength(3);
  });

  test('jobs that were canceled before keep that stage, however many there are', async () => {
    const ids = [];
    // The count exceeds one round of the relay.
    for (let at = 0; at < 301; at++) ids.push(await run(alice, 'acme'));
    await cancelJob({ ...alice, namespace: 'acme', jobId: ids[7] ?? '' });
    await deleteOrganization({ ...alice, name: 'acme' });
    await hub.drain();
    await restoreOrganization({ ...alice, name: 'acme' });
    const jobs = await collect(listJobs({ ...alice, namespace: 'acme' }));
    expect(new Set(jobs.map(({ status }) => status.stage))).toEqual(new Set(['CANCELED']));
    expect(jobs.filter(({ status }) => status.message === 'Canceled by alice').map(({ id }) => id)).toEqual([ids[7]]);
  });

  test('a scheduled job of a deleted organization pauses, and one run makes up for all missed ones', async () => {
    const jobId = await schedule(bob, 'acme');
    await deleteOrganization({ ...alice, name: 'acme' });
    await after(5 * HOUR);
    expect(runner.launched).toEqual([]);
    expect(await rows()).toMatchObject({ jobs: 0, scheduled_jobs: 1 });
    await restoreOrganization({ ...alice, name: 'acme' });
    await hub.drain();
    expect(runner.launched).toHaveLength(1);
    const { status } = await getScheduledJob({ ...alice, namespace: 'acme', jobId });
    expect(status.nextJobRunAt).toBe('2026-01-05T18:00:00.000Z');
  });

  test('all jobs are deleted once the organization is purged', async () => {
    await run(bob, 'acme');
    await schedule(bob, 'acme');
    await hub.drain();
    await deleteOrganization({ ...alice, name: 'acme' });
    await after(31 * DAY);
    await hub.drain();
    expect(await rows()).toEqual(NOTHING);
    expect(runner.running()).toEqual([]);
  });
});

describe('once its creator may no longer run jobs there', () => {
  test('a running job continues, and the organization may cancel it', async () => {
    const id = await run(bob, 'acme');
    await hub.drain();
    await bobLeaves();
    await after(SECOND);
    expect(runner.running()).toEqual([`${id}-1`]);
    expect((await refusal(getJob({ ...bob, namespace: 'acme', jobId: id }))).status).toBe(403);
    await cancelJob({ ...alice, namespace: 'acme', jobId: id });
    await hub.drain();
    expect(runner.running()).toEqual([]);
  });

  const NO_RIGHTS = 'Whoever created this job may no longer run jobs here';

  test.each([
    ['left', () => bobLeaves(), { stage: 'ERROR', message: NO_RIGHTS }],
    [
      'only reads',
      () => remove({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'read' }] }] }),
      { stage: 'ERROR', message: NO_RIGHTS },
    ],
    [
      'is gone',
      () => remove({ users: [{ name: 'bob', state: 'absent' }] }),
      { stage: 'CANCELED', message: 'Canceled: the user who created it was deleted' },
    ],
  ])('a waiting job is not started: its creator %s', async (_, change, end) => {
    const id = await run(bob, 'acme');
    await change();
    await hub.drain();
    expect(runner.launched).toEqual([]);
    expect(await statusOf(id)).toMatchObject(end);
  });

  test('no further attempt is started', async () => {
    const id = await run(bob, 'acme', { attempts: 3 });
    await hub.drain();
    await bobLeaves();
    runner.exit(1);
    await hub.drain();
    expect(runner.launched).toHaveLength(1);
    expect(await statusOf(id)).toMatchObject({ stage: 'ERROR', message: NO_RIGHTS });
  });

  test('a scheduled job fails with the reason at each run, and runs again once the permission is back', async () => {
    await schedule(bob, 'acme');
    await bobLeaves();
    await after(HOUR);
    expect(runner.launched).toEqual([]);
    const [job] = await collect(listJobs({ ...alice, namespace: 'acme' }));
    expect(job?.status).toMatchObject({ stage: 'ERROR', message: expect.stringContaining('may no longer run jobs') });
    await remove({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'write' }] }] });
    await after(HOUR);
    expect(runner.launched).toHaveLength(1);
  });
});

test('a running job outlives the token that launched it', async () => {
  const id = await run(bob, 'bob');
  await hub.drain();
  const [token] = await collect(listAccessTokens(bob));
  await deleteAccessToken({ ...bob, tokenId: token?.id ?? '' });
  expect((await refusal(getJob({ ...bob, namespace: 'bob', jobId: id }))).status).toBe(401);
  await hub.drain();
  expect(runner.running()).toEqual([`${id}-1`]);
});
