import { setTimeout } from 'node:timers/promises';
import { type JobInfo, listJobs } from '@moonbase/client/jobs';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook, listDeliveries } from '@moonbase/client/webhooks';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { collect } from '../../packages/server/test/harness.ts';
import { type DockerFixture, startDockerFixture } from './fixture.ts';
import { IMAGE } from './podman.ts';

const engine = inject('engine');
const MAX_START_MS = 15_000;
const EVENTS = 12;
const running = ({ status }: { status: { stage: string } }) => status.stage === 'RUNNING';
const numbers = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
const counting = (count: number, pause: number) =>
  `for i in $(seq ${count}); do echo line $i; sleep ${pause}; done; exit 0`;

describe.skipIf('reason' in engine)('containers outlive their hub', () => {
  let fixture: DockerFixture;
  beforeAll(async () => {
    if ('socket' in engine)
      fixture = await startDockerFixture(engine, {
        MOONBASE_MAX_RUNNING_JOBS: '50',
        MOONBASE_MAX_RUNNING_JOBS_PER_OWNER: '50',
      });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  const endsOnce = async (id: string, log: readonly string[]) => {
    expect((await fixture.ended(id)).status).toMatchObject({ stage: 'COMPLETED' });
    expect(await fixture.log(id)).toEqual(log);
    expect(await fixture.reasons(id)).toEqual(['Created', 'Starting', 'Started', 'Completed']);
    await expect.poll(() => fixture.container(id)).toBeUndefined();
  };

  test.each([
    ['is stopped and started', () => fixture.stop()],
    ['is killed and started', () => fixture.kill()],
  ])('a job continues while the hub %s', async (_, end) => {
    const id = await fixture.run(counting(30, 0.1));
    await fixture.until(id, running);
    await setTimeout(500);
    await end();
    await fixture.restart();
    await endsOnce(id, numbers(30));
  });

  test('a job that ends without a hub keeps its status and its whole log', async () => {
    const [good, bad] = [
      await fixture.run(counting(20, 0.05)),
      await fixture.run('echo begun; sleep 1; echo end; exit 7'),
    ];
    for (const id of [good, bad]) await fixture.until(id, running);
    await fixture.kill();
    await setTimeout(3000);
    await fixture.restart();
    await endsOnce(good, numbers(20));
    expect((await fixture.ended(bad)).status).toMatchObject({ stage: 'ERROR', message: 'Exit code 7' });
    expect(await fixture.log(bad)).toEqual(['begun', 'end']);
  });

  test('a job whose container is removed without a hub counts as lost', async () => {
    const id = await fixture.run('sleep 1000');
    await fixture.until(id, running);
    const container = (await fixture.container(id))?.Id ?? '';
    await fixture.kill();
    await fixture.podman('rm', '--force', '--time', '0', container);
    await fixture.restart();
    expect((await fixture.ended(id)).status).toMatchObject({
      stage: 'ERROR',
      message: expect.stringContaining('lost'),
    });
  });

  test('a container that is removed while the hub watches counts as killed or lost', async () => {
    const id = await fixture.run('sleep 1000');
    await fixture.until(id, running);
    await fixture.podman('rm', '--force', '--time', '0', (await fixture.container(id))?.Id ?? '');
    const message = expect.stringMatching(/lost|^Exit code 137$/u);
    expect((await fixture.ended(id)).status).toMatchObject({ stage: 'ERROR', message });
  });

  test('containers without a job are swept, and containers of others are not', async () => {
    const id = await fixture.run('sleep 1000', { timeoutSeconds: 600 });
    await fixture.until(id, running);
    const hub = (await fixture.container(id))?.Config.Labels['moonbase.hub'] ?? '';
    const left = async (label: string) => {
      const labels = ['--label', `moonbase.hub=${label}`, '--label', 'moonbase.attempt=0-1'];
      return (
        await fixture.podman(
          'run',
          '--detach',
          '--network',
          'none',
          ...labels,
          '--entrypoint',
          '["sleep","1000"]',
          IMAGE,
        )
      ).trim();
    };
    const [mine, foreign] = [await left(hub), await left('another')];
    const ids = async () => (await fixture.podman('ps', '--all', '--no-trunc', '--format', '{{.ID}}')).split('\n');
    await fixture.kill();
    await fixture.restart();
    await expect.poll(ids).not.toContain(mine);
    expect(await ids()).toEqual(expect.arrayContaining([foreign, (await fixture.container(id))?.Id]));
    await fixture.podman('rm', '--force', '--time', '0', foreign);
  });

  test('kills while jobs start and while they run: each attempt runs once, and no log is torn', async () => {
    const ids: string[] = [];
    for (let kill = 0; kill < 5; kill++) {
      for (let at = 0; at < 3; at++) ids.push(await fixture.run(`hostname; ${counting(40, 0.1)}`));
      await setTimeout([60, 150, 250, 400, 700][kill]);
      await fixture.kill();
      await fixture.restart();
    }
    for (const id of ids) {
      expect((await fixture.ended(id)).status).toMatchObject({ stage: 'COMPLETED', failureCount: 0 });
      const [host, ...log] = await fixture.log(id);
      expect(host).toMatch(/^[0-9a-f]{12}$/);
      expect(log).toEqual(numbers(40));
      expect(await fixture.reasons(id)).toEqual(['Created', 'Starting', 'Started', 'Completed']);
    }
    const names = (await fixture.podman('ps', '--all', '--format', '{{.Names}}')).split('\n');
    for (const id of ids) expect(names.filter((name) => name.includes(id))).toEqual([]);
  });

  test(`the median time from an event to the running process is at most ${MAX_START_MS} ms, with two jobs in parallel`, async () => {
    await fixture.stop();
    await fixture.restart({ MOONBASE_MAX_RUNNING_JOBS: '2' });
    const job = { dockerImage: IMAGE, command: ['true'], flavor: 'cpu-basic', environment: {} } as const;
    const { webhook } = await createWebhook({
      ...fixture.connection(),
      webhook: {
        ...{ watched: [{ type: 'user', name: 'admin' }], domains: ['repo'] },
        job: { ...job, command: ['true'], timeoutSeconds: 60 },
      },
    });
    let jobs: JobInfo[] = [];
    const launched = async (count: number) => {
      for (const deadline = Date.now() + 300_000; Date.now() < deadline; await setTimeout(50)) {
        jobs = (await collect(listJobs(fixture.connection()))).filter(({ initiator }) => initiator?.id === webhook.id);
        if (jobs.length === count && jobs.every(({ finishedAt }) => finishedAt)) return;
      }
    };
    for (let at = 0; at < EVENTS; at += 2) {
      await Promise.all([0, 1].map((of) => createRepo({ ...fixture.connection(), repo: `admin/repo-${at + of}` })));
      await launched(at + 2);
    }
    const deliveries = await collect(listDeliveries({ ...fixture.connection(), webhookId: webhook.id }));
    const happened = new Map(deliveries.map(({ jobId, createdAt }) => [jobId, createdAt]));
    const took = jobs
      .map(({ id, startedAt = '' }) => Date.parse(startedAt) - Date.parse(happened.get(id) ?? ''))
      .sort((a, b) => a - b);
    console.log(`from event to container: median ${took[EVENTS / 2]} ms, longest ${took.at(-1)} ms`);
    expect(took).toHaveLength(EVENTS);
    expect(took[EVENTS / 2]).toBeLessThanOrEqual(MAX_START_MS);
  });
});
