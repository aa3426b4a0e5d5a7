import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { getJob, type JobSpecification, listJobs, runJob } from '@moonbase/client/jobs';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import {
  createWebhook,
  getDelivery,
  getWebhook,
  listDeliveries,
  replayDelivery,
  testWebhook,
} from '@moonbase/client/webhooks';
import type { WebhookPayload } from '@moonbase/contract/webhooks/payload';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, MINUTE } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';
import { refusal } from './webhooks-listen.ts';

const ALICE = { type: 'user', name: 'alice' } as const;
const JOB = { dockerImage: 'python:3.12', command: ['python', 'train.py'], flavor: 't4-small' } as const;

let hub: TestHub;
let runner: TestRunner;
let alice: Connection;
let refused: string | undefined;
beforeEach(async () => {
  refused = undefined;
  runner = createTestRunner(() => (refused === undefined ? undefined : { path: undefined, message: refused }));
  hub = await startHub({ MOONBASE_WEBHOOK_RETRY_SCHEDULE: '1' }, { runner });
  await hub.apply({
    users: ['alice', 'bob'].map(person),
    organizations: [
      {
        name: 'acme',
        fullname: 'Acme',
        members: [
          { user: 'alice', role: 'write' },
          { user: 'bob', role: 'write' },
        ],
      },
    ],
  });
  alice = hub.as('alice');
});
afterEach(() => hub[Symbol.asyncDispose]());

type Options = { readonly job?: object; readonly jobSourceId?: string; readonly secret?: string };
const webhookTo = async (target: Options, owner = alice) =>
  (
    await createWebhook({
      ...owner,
      webhook: { watched: [ALICE], domains: ['repo', 'discussion'], ...target } as never,
    })
  ).webhook;
const log = (webhookId: string) => collect(listDeliveries({ ...alice, webhookId }));

describe('a delivery to a job', () => {
  test('launches the job with the payload, and names it in the log', async () => {
    const webhook = await webhookTo({
      job: { ...JOB, secrets: { KEY: 'hush hush' }, labels: { on: 'push' } },
      secret: 'mum',
    });
    await createRepo({ ...alice, type: 'dataset', repo: 'alice/letters' });
    await hub.drain();

    const [job, ...more] = await collect(listJobs({ ...alice, namespace: 'alice' }));
    expect(more).toEqual([]);
    expect(job).toMatchObject({
      initiator: { type: 'webhook', id: webhook.id },
      owner: { name: 'alice' },
      status: { stage: 'RUNNING' },
      secrets: ['KEY'],
      labels: { on: 'push' },
    });
    const { WEBHOOK_PAYLOAD = '', ...environment } = runner.launched[0]?.environment ?? {};
    expect(environment).toEqual({
      WEBHOOK_REPO_ID: 'alice/letters',
      WEBHOOK_REPO_TYPE: 'dataset',
      WEBHOOK_SECRET: 'mum',
      KEY: 'hush hush',
      JOB_ID: job!.id,
      ACCELERATOR: 't4',
      CPU_CORES: '4',
      MEMORY: '15Gi',
    });
    expect(JSON.parse(WEBHOOK_PAYLOAD)).toMatchObject({
      event: { action: 'create', scope: 'repo' },
      webhook: { id: webhook.id, version: 3 },
    });

    const [entry] = await log(webhook.id);
    expect(entry).toMatchObject({ status: 'delivered', attempts: 1, jobId: job!.id });
    expect(entry).not.toHaveProperty('responseStatus');
    const { deliveryAttempts } = await getDelivery({ ...alice, webhookId: webhook.id, logId: entry!.id });
    expect(deliveryAttempts).toMatchObject([{ url: `job:${job!.id}` }]);
    // The specification of the job does not contain its trigger.
    expect(job!.environment).toEqual({});
  });

  test('launches the job again for a replay and for a sample', async () => {
    const { id: webhookId } = await webhookTo({ job: JOB });
    await createRepo({ ...alice, repo: 'alice/letters' });
    await hub.drain();
    const [entry] = await log(webhookId);
    expect(await replayDelivery({ ...alice, webhookId, logId: entry!.id })).toMatchObject({ status: 200 });
    expect(await testWebhook({ ...alice, webhookId })).toMatchObject({ status: 200 });
    await hub.drain();
    const jobs = await collect(listJobs({ ...alice, namespace: 'alice' }));
    expect(jobs).toHaveLength(3);
    expect(new Set((await log(webhookId)).map(({ jobId }) => jobId))).toEqual(new Set(jobs.map(({ id }) => id)));
  });

  test('launches one job, even if the hub died before recording the attempt', async () => {
    const { id: webhookId } = await webhookTo({ job: JOB });
    await createRepo({ ...alice, repo: 'alice/letters' });
    await hub.drain();
    const [entry] = await log(webhookId);
    await hub.database.transaction((tx) => tx.deleteFrom('delivery_attempts').execute());
    await hub.database.transaction((tx) =>
      tx.updateTable('deliveries').set({ status: 'pending', attempts: 0, job_id: null }).execute(),
    );
    await hub.drain();
    expect(await log(webhookId)).toEqual([{ ...entry, durationMs: expect.any(Number) }]);
    expect(await collect(listJobs({ ...alice, namespace: 'alice' }))).toHaveLength(1);
  });

  test('that cannot launch the job is retried, fails with the reason, and ten of them suspend the webhook', async () => {
    refused = 'No place for jobs';
    const { id: webhookId } = await webhookTo({ job: JOB });
    await createRepo({ ...alice, repo: 'alice/letters' });
    await hub.drain();
    expect(await log(webhookId)).toMatchObject([{ status: 'retrying', attempts: 1, error: 'No place for jobs' }]);
    hub.clock.advance(MINUTE);
    await hub.drain();
    const [entry] = await log(webhookId);
    expect(entry).toMatchObject({ status: 'failed', attempts: 2, error: 'No place for jobs' });
    expect(await replayDelivery({ ...alice, webhookId, logId: entry!.id })).toMatchObject({
      status: 0,
      error: refused,
    });

    for (let at = 0; at < 9; at++) {
      await updateRepoSettings({ ...alice, type: 'model', repo: 'alice/letters', settings: { private: at % 2 === 0 } });
      await hub.drain();
      hub.clock.advance(MINUTE);
      await hub.drain();
    }
    expect((await getWebhook({ ...alice, webhookId })).webhook.disabled).toBe('suspended-after-failure');
    expect(await collect(listJobs({ ...alice, namespace: 'alice' }))).toEqual([]);
  });

  test('launches nothing if its owner may no longer read the repository', async () => {
    const { id: webhookId } = await webhookTo({ job: JOB }, hub.as('bob'));
    await createRepo({ ...alice, repo: 'alice/letters', private: true });
    await hub.drain();
    expect(runner.launched).toEqual([]);
    expect(webhookId).toBeDefined();
  });

  test('passes a long comment on in a shortened form, and says so', async () => {
    await webhookTo({ job: JOB });
    await createRepo({ ...alice, repo: 'alice/letters' });
    const { num } = await createDiscussion({
      ...alice,
      type: 'model',
      repo: 'alice/letters',
      title: 'A long one',
      description: 'y',
    });
    await commentDiscussion({ ...alice, type: 'model', repo: 'alice/letters', num, comment: '😀"\n'.repeat(15_000) });
    await hub.drain();
    const sizes = runner.launched.map(({ environment }) => Buffer.byteLength(environment.WEBHOOK_PAYLOAD ?? ''));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100 * 1024);
    const long = runner.launched.find((_, at) => sizes[at]! > 90 * 1024);
    const payload = JSON.parse(long?.environment.WEBHOOK_PAYLOAD ?? '{}') as WebhookPayload & { truncated?: boolean };
    expect(payload).toMatchObject({ truncated: true, event: { scope: 'discussion.comment', action: 'create' } });
    const whole = runner.launched.filter((one) => one !== long).map(({ environment }) => environment.WEBHOOK_PAYLOAD);
    expect(whole.length).toBeGreaterThan(0);
    expect(whole.join()).not.toContain('truncated');
  });
});

describe('a webhook created from a job', () => {
  const source = (job: Partial<JobSpecification>, who: Connection, namespace: string) =>
    runJob({ ...who, namespace, job: { ...JOB, ...job } as JobSpecification });

  test('copies the present specification of the job, with the secrets of its creator', async () => {
    const { id } = await source(
      { secrets: { KEY: 'hush hush' }, attempts: 2, environment: { LEVEL: '1' } },
      alice,
      'alice',
    );
    const webhook = await webhookTo({ jobSourceId: id });
    expect(webhook).toMatchObject({
      jobSourceId: id,
      job: { command: ['python', 'train.py'], environment: { LEVEL: '1' }, secrets: ['KEY'], timeoutSeconds: 1800 },
    });
    await hub.database.transaction((tx) => tx.deleteFrom('jobs').execute());
    await createRepo({ ...alice, repo: 'alice/letters' });
    await hub.drain();
    expect(runner.launched.at(-1)?.environment).toMatchObject({ KEY: 'hush hush', LEVEL: '1' });
    runner.exit(1);
    await hub.drain();
    expect(runner.launched.at(-1)?.key).toMatch(/-2$/);
  });

  test('gets no secrets of a colleague', async () => {
    const { id } = await source({ secrets: { KEY: 'hush hush' } }, alice, 'acme');
    const bob = hub.as('bob');
    const webhook = await webhookTo({ jobSourceId: id }, bob);
    expect(webhook.job).not.toHaveProperty('secrets');
    await createRepo({ ...alice, repo: 'alice/letters' });
    await hub.drain();
    const [job] = await collect(listJobs({ ...bob, namespace: 'bob' }));
    expect(runner.launched.find(({ key }) => key.startsWith(job!.id))?.environment).not.toHaveProperty('KEY');
  });

  test('requires a job that its owner may read, on hardware that a webhook may name', async () => {
    const { id } = await source({}, alice, 'alice');
    const other = await source({ flavor: 'rtx-pro-6000' }, alice, 'alice');
    for (const unknown of [id, 'a-job', '0'.repeat(24)])
      expect((await refusal(webhookTo({ jobSourceId: unknown }, hub.as('bob')))).status).toBe(404);
    expect(await refusal(webhookTo({ jobSourceId: other.id }))).toMatchObject({ status: 400 });
  });
});

test('a job that a webhook launched ends like any other', async () => {
  await webhookTo({ job: { ...JOB, timeoutSeconds: 60 } });
  await createRepo({ ...alice, repo: 'alice/letters' });
  await hub.drain();
  hub.clock.advance(DAY);
  await hub.drain();
  const [job] = await collect(listJobs({ ...alice, namespace: 'alice' }));
  const { status } = await getJob({ ...alice, namespace: 'alice', jobId: job!.id });
  expect(status).toMatchObject({ stage: 'ERROR', message: 'Job timeout' });
});
