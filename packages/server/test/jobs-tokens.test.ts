import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccessToken, deleteAccessToken } from '@moonbase/client/access-tokens';
import { listBucketTree } from '@moonbase/client/content';
import { cancelJob, getJob, listJobs, runJob } from '@moonbase/client/jobs';
import { denyMemberToken } from '@moonbase/client/member-tokens';
import { createBucket, createRepo } from '@moonbase/client/repositories';
import {
  createScheduledJob,
  resumeScheduledJob,
  runScheduledJob,
  suspendScheduledJob,
  updateJobSchedule,
} from '@moonbase/client/scheduled-jobs';
import { disableUser } from '@moonbase/client/users';
import { createWebhook, enableWebhook, listDeliveries, updateWebhook } from '@moonbase/client/webhooks';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { checkouts, JOB } from './checkouts-fixture.ts';
import { HOUR } from './clock.ts';
import { type Connection, collect, person, type TestHub } from './harness.ts';
import { withPassword } from './signed-in.ts';

/**
 * ada writes in acme, whose admin is bob, and launches jobs that mount the bucket acme/data, by access tokens that the tests
 * take from her.
 */
const DATA = { type: 'bucket' as const, source: 'acme/data', mountPath: '/data' };
const GONE = (what: string) => `The access token with which ${what} was set up may no longer run jobs here`;

let at: Awaited<ReturnType<typeof checkouts>>;
let hub: TestHub;
let ada: Connection & { readonly namespace: string };

beforeEach(async () => {
  at = await checkouts();
  onTestFinished(() => at[Symbol.asyncDispose]());
  [hub, ada] = [at.hub, at.ada];
  await hub.apply({
    users: ['ada', 'bob'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'bob', role: 'admin' },
          { user: 'ada', role: 'write' },
        ],
      },
    ],
  });
  await createBucket({ ...hub.as('bob'), repo: 'acme/data' });
});

type Token = Connection & { readonly id: string; readonly namespace: string };

/** Makes another access token for ada. */
async function furtherToken(displayName = 'further', expiresAt?: number): Promise<Token> {
  const until = expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt).toISOString() };
  const { id, token } = await createAccessToken({ ...ada, displayName, role: 'write', ...until });
  return { ...hub.with(token), id, namespace: 'ada' };
}

const revoke = ({ id }: Token) => deleteAccessToken({ ...ada, tokenId: id });
const paths = async () =>
  (await collect(listBucketTree({ ...hub.as('bob'), repo: 'acme/data', recursive: true }))).map(({ path }) => path);

/** Begins a job by a token, and writes `name` into its folder. */
async function begin(by: Connection & { readonly namespace: string }, name: string, more: object = {}) {
  const before = at.runner.launched.length;
  const { id } = await runJob({ ...by, job: { ...JOB, ...more, volumes: [DATA] } });
  const [folder = ''] = await at.begun(before);
  await writeFile(join(folder, name), name);
  return id;
}

const finish = async (id: string, exitCode = 0) => {
  at.runner.exit(exitCode);
  return at.ended(id);
};

describe('a job that runs gives a bucket nothing once', () => {
  const LOSSES: [string, (token: Token) => Promise<unknown>][] = [
    ['its access token is deleted', revoke],
    [
      'the organization of the bucket denies the access token',
      ({ id }) => denyMemberToken({ ...hub.as('bob'), name: 'acme', tokenId: id }),
    ],
    [
      'the access token covers the bucket no longer',
      ({ id }) =>
        hub.database.transaction((tx) => tx.updateTable('tokens').set({ role: 'read' }).where('id', '=', id).execute()),
    ],
  ];

  test.each(LOSSES)('%s', async (_, lose) => {
    const token = await furtherToken();
    const kept = await begin(token, 'before');
    expect(await finish(kept)).toMatchObject({ stage: 'COMPLETED' });
    const id = await begin(token, 'after');
    await lose(token);
    expect(await finish(id)).toMatchObject({
      stage: 'ERROR',
      message: expect.stringContaining('may no longer write to it with the access token that was used'),
    });
    expect([await paths(), await at.left()]).toEqual([['before'], []]);
    // Another token of hers goes on.
    expect(await finish(await begin(ada, 'other'))).toMatchObject({ stage: 'COMPLETED' });
    expect(await paths()).toEqual(['before', 'other']);
  });

  test('its user is disabled', async () => {
    await begin(await furtherToken(), 'late');
    await disableUser({ ...hub.admin, username: 'ada' });
    await expect.poll(at.leftAfterRound).toEqual([]);
    expect(await paths()).toEqual([]);
  });

  test('its access token is deleted, also when it is canceled', async () => {
    const token = await furtherToken();
    const id = await begin(token, 'late');
    await revoke(token);
    await cancelJob({ ...ada, jobId: id });
    await expect.poll(at.leftAfterRound).toEqual([]);
    expect(await paths()).toEqual([]);
  });
});

test('a job goes on when its access token expires, and when the browser session is over that launched it', async () => {
  const token = await furtherToken('short', hub.clock.now() + HOUR);
  const id = await begin(token, 'expired', { timeoutSeconds: null });
  hub.clock.advance(2 * HOUR);
  expect(await finish(id)).toMatchObject({ stage: 'COMPLETED' });
  const session = await withPassword(hub, 'ada');
  const before = at.runner.launched.length;
  expect((await session.ask('POST /api/jobs/ada', { ...JOB, volumes: [DATA] })).status).toBe(200);
  const [folder = ''] = await at.begun(before);
  await writeFile(join(folder, 'session'), '');
  await session.ask('POST /api/sign-out');
  at.runner.exit(0);
  await expect.poll(at.leftAfterRound).toEqual([]);
  expect(await paths()).toEqual(['expired', 'session']);
});

test('a further attempt, and a job that waits, do not begin without the access token', async () => {
  const token = await furtherToken();
  const retried = await begin(token, 'first', { attempts: 2 });
  const launched = at.runner.launched.length;
  const waiting = await runJob({ ...token, job: JOB });
  await revoke(token);
  at.runner.exit(1);
  expect(await at.ended(retried)).toMatchObject({ stage: 'ERROR', message: GONE('this job') });
  expect(await at.ended(waiting.id)).toMatchObject({ stage: 'ERROR', message: GONE('this job') });
  expect([at.runner.launched.length, await paths()]).toEqual([launched, []]);
});

test('a run of the duplicated job has the access token of whoever duplicated it', async () => {
  const token = await furtherToken();
  const id = await begin(token, 'first');
  await finish(id);
  await revoke(token);
  const session = await withPassword(hub, 'ada');
  const before = at.runner.launched.length;
  expect((await session.ask(`POST /api/jobs/ada/${id}/duplicate`)).status).toBe(200);
  const [folder = ''] = await at.begun(before);
  expect(await readdir(folder)).toEqual(['first']);
  at.runner.exit(0);
  await expect.poll(at.leftAfterRound).toEqual([]);
});

describe('a scheduled job', () => {
  const schedule = (by: Token) =>
    createScheduledJob({ ...by, jobSpec: { ...JOB, volumes: [DATA] }, schedule: '@hourly' });
  const newest = async () => (await collect(listJobs(ada)))[0];
  const afterAnHour = async () => {
    const launched = at.runner.launched.length;
    hub.clock.advance(HOUR);
    await expect
      .poll(async () => {
        await hub.drain();
        const job = await newest();
        return at.runner.launched.length > launched || job?.status.stage === 'ERROR';
      })
      .toBe(true);
    const job = await newest();
    if (job?.status.stage !== 'ERROR') await finish(job?.id ?? '');
    return getJob({ ...ada, jobId: job?.id ?? '' });
  };

  test('fails without its access token, until its creator sets it again', async () => {
    const token = await furtherToken();
    const { id } = await schedule(token);
    expect((await afterAnHour()).status.stage).toBe('COMPLETED');
    await revoke(token);
    const refused = { stage: 'ERROR', message: GONE('the scheduled job') };
    expect((await afterAnHour()).status).toMatchObject(refused);
    const second = await furtherToken('second');
    await updateJobSchedule({ ...second, jobId: id, schedule: '@hourly' });
    expect((await afterAnHour()).status.stage).toBe('COMPLETED');
    await revoke(second);
    expect((await afterAnHour()).status).toMatchObject(refused);
    await suspendScheduledJob({ ...ada, jobId: id });
    await resumeScheduledJob({ ...ada, jobId: id });
    expect((await afterAnHour()).status.stage).toBe('COMPLETED');
  });

  test('does not outlive its access token, nor does what it launched outlast a revoked one', async () => {
    const short = await furtherToken('short', hub.clock.now() + 90 * 60_000);
    const { id } = await schedule(short);
    expect((await afterAnHour()).status.stage).toBe('COMPLETED');
    expect((await afterAnHour()).status).toMatchObject({ stage: 'ERROR', message: GONE('the scheduled job') });
    // What its creator runs by hand has the token of that request.
    const other = await furtherToken('other');
    const before = at.runner.launched.length;
    const run = await runScheduledJob({ ...other, jobId: id });
    const [folder = ''] = await at.begun(before);
    await writeFile(join(folder, 'late'), '');
    await revoke(other);
    expect(await finish(run.id)).toMatchObject({ stage: 'ERROR' });
    expect(await paths()).toEqual([]);
  });
});

describe('a webhook that launches jobs', () => {
  const WEBHOOK = { watched: [{ type: 'user' as const, name: 'ada' }], domains: ['repo' as const] };
  const job = { ...JOB, volumes: [DATA] };
  const create = (by: Token) => createWebhook({ ...by, webhook: { ...WEBHOOK, job } });
  let repos = 0;
  /** Makes an event; returns the newest delivery. */
  const deliver = async (webhookId: string) => {
    repos += 1;
    await createRepo({ ...ada, repo: `ada/r${repos}` });
    await hub.drain();
    return (await collect(listDeliveries({ ...ada, webhookId })))[0];
  };

  test('launches none without the access token that gave it the job, until its owner changes or enables it', async () => {
    const token = await furtherToken();
    const { id } = (await create(token)).webhook;
    expect(await deliver(id)).toMatchObject({ status: 'delivered' });
    await revoke(token);
    expect(await deliver(id)).toMatchObject({ error: GONE('the webhook') });
    const second = await furtherToken('second');
    await updateWebhook({ ...second, webhookId: id, webhook: { ...WEBHOOK } as never });
    expect(await deliver(id)).toMatchObject({ status: 'delivered' });
    await revoke(second);
    expect(await deliver(id)).toMatchObject({ error: GONE('the webhook') });
    await enableWebhook({ ...ada, webhookId: id });
    expect(await deliver(id)).toMatchObject({ status: 'delivered' });
  });

  test('launches none that mounts what an organization has closed to the access token', async () => {
    const token = await furtherToken();
    const { id } = (await create(token)).webhook;
    await denyMemberToken({ ...hub.as('bob'), name: 'acme', tokenId: token.id });
    expect(await deliver(id)).toMatchObject({ error: expect.stringContaining('there is no bucket acme/data for you') });
  });
});
