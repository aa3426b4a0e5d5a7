import { createAccessToken } from '@moonbase/client/access-tokens';
import { duplicateJob, getJob, listJobs, runJob } from '@moonbase/client/jobs';
import { createBucket, createRepo } from '@moonbase/client/repositories';
import { createScheduledJob, runScheduledJob } from '@moonbase/client/scheduled-jobs';
import { createWebhook, listDeliveries } from '@moonbase/client/webhooks';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR } from './clock.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';
import { createTestRunner } from './test-runner.ts';
import { refusal } from './webhooks-listen.ts';

const JOB = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' as const };

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub({}, { runner: createTestRunner() });
  const members = ['alice', 'rita', 'carl'].map((user, at) => ({
    user,
    role: (['write', 'read', 'contributor'] as const)[at] ?? 'read',
  }));
  await hub.apply({
    users: ['alice', 'rita', 'carl', 'zoe'].map(person),
    organizations: [{ name: 'acme', fullname: 'Acme', members }],
  });
  await createRepo({ ...hub.as('alice'), repo: 'acme/open' });
  await createRepo({ ...hub.as('alice'), repo: 'acme/hidden', private: true });
  await createBucket({ ...hub.as('alice'), repo: 'acme/data' });
});
afterEach(() => hub[Symbol.asyncDispose]());

const model = (source: string) => [{ type: 'model' as const, source, mountPath: '/model' }];
const bucket = (readOnly?: boolean) => [
  { type: 'bucket' as const, source: 'acme/data', mountPath: '/data', ...(readOnly !== undefined && { readOnly }) },
];
type Volumes = ReturnType<typeof model> | ReturnType<typeof bucket>;
const as = (user: string) => ({ ...hub.as(user), namespace: user });
const run = (user: string, volumes: Volumes) => runJob({ ...as(user), job: { ...JOB, volumes } });
const leave = () => hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'rita', state: 'absent' }] }] });

test('users who may read a repository may mount it, and nobody else learns that it exists', async () => {
  for (const user of ['alice', 'rita']) expect(await run(user, model('acme/hidden'))).toHaveProperty('id');
  expect(await run('zoe', model('acme/open'))).toHaveProperty('id');
  const [hidden, missing] = [
    await refusal(run('zoe', model('acme/hidden'))),
    await refusal(run('zoe', model('acme/none'))),
  ];
  expect(hidden).toMatchObject({ status: 400, issues: [{ path: 'body.volumes.0.source' }] });
  expect(hidden.message.replace('hidden', 'none')).toBe(missing.message);
  expect(await collect(listJobs(as('zoe')))).toHaveLength(1);
});

test('a bucket is writable for its writers and readable for its readers', async () => {
  expect(await run('alice', bucket())).toHaveProperty('id');
  for (const user of ['rita', 'carl', 'zoe']) {
    for (const volumes of [bucket(), bucket(false)])
      expect(await refusal(run(user, volumes))).toMatchObject({
        status: 400,
        issues: [{ path: 'body.volumes.0.readOnly' }],
      });
    expect(await run(user, bucket(true))).toHaveProperty('id');
  }
});

test('a token without access to a repository cannot mount it', async () => {
  const { id } = (await getJob({ ...as('alice'), jobId: (await run('alice', model('acme/hidden'))).id })).owner;
  const { token } = await createAccessToken({
    ...hub.as('alice'),
    displayName: 'jobs only',
    role: 'fineGrained',
    fineGrained: { scoped: [{ entity: { _id: id, type: 'user' }, permissions: ['job.write'] }] },
  });
  const narrow = { ...hub.with(token), namespace: 'alice' };
  const job = (volumes: Volumes) => runJob({ ...narrow, job: { ...JOB, volumes } });
  expect(await job(model('acme/open'))).toHaveProperty('id');
  expect(await refusal(job(model('acme/hidden')))).toMatchObject({ issues: [{ path: 'body.volumes.0.source' }] });
  expect(await refusal(job(bucket()))).toMatchObject({ issues: [{ path: 'body.volumes.0.readOnly' }] });
});

test('a user who lost access no longer mounts it: by hand, on a schedule, or by a webhook', async () => {
  const volumes = model('acme/hidden');
  const first = await run('rita', volumes);
  const jobSpec = { ...JOB, volumes };
  const scheduled = await createScheduledJob({ ...as('rita'), jobSpec, schedule: '@hourly' });
  const { webhook } = await createWebhook({
    ...hub.as('rita'),
    webhook: {
      watched: [{ type: 'user', name: 'rita' }],
      domains: ['repo'],
      job: { ...JOB, environment: {}, volumes },
    },
  } as never);
  await leave();
  expect(await refusal(duplicateJob({ ...as('rita'), jobId: first.id }))).toMatchObject({ status: 400 });
  expect(await refusal(runScheduledJob({ ...as('rita'), jobId: scheduled.id }))).toMatchObject({ status: 400 });
  hub.clock.advance(HOUR);
  await createRepo({ ...hub.as('rita'), repo: 'rita/own' });
  await hub.drain();
  const jobs = await collect(listJobs(as('rita')));
  const scheduledRun = jobs.find(({ initiator }) => initiator?.type === 'scheduled-job');
  expect(scheduledRun?.status).toMatchObject({ stage: 'ERROR', message: expect.stringContaining('acme/hidden') });
  expect(jobs.filter(({ initiator }) => initiator?.type === 'webhook')).toEqual([]);
  const [delivery] = await collect(listDeliveries({ ...hub.as('rita'), webhookId: webhook.id }));
  expect(JSON.stringify(delivery)).toContain('there is no model acme/hidden for you');
});
