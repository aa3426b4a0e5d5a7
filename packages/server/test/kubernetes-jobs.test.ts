import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { applyHub } from '@moonbase/client/admin';
import {
  cancelJob,
  getJob,
  type JobSpecification,
  runJob,
  streamJobEvents,
  streamJobLogs,
} from '@moonbase/client/jobs';
import { createRepo } from '@moonbase/client/repositories';
import { createWebhook } from '@moonbase/client/webhooks';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { createHub } from '../src/hub.ts';
import { NotYet } from '../src/jobs/runners/runner.ts';
import { openDatabase } from '../src/platform/database/transaction.ts';
import { MINUTE, SECOND } from './clock.ts';
import { contractFetch } from './contract-fetch.ts';
import { type Connection, collect, person, startHub, type TestHub, tokenOf } from './harness.ts';
import { eventually, type KubernetesFixture, openKubernetesFixture } from './kubernetes/fixture.ts';
import { createTestDatabase } from './test-database.ts';
import { refusal } from './webhooks-listen.ts';

const JOB: JobSpecification = { dockerImage: 'python:3.12', command: ['python'], flavor: 'cpu-basic' };
const VOLUMES = { claim: 'hub-data', bucket: 'buckets/{source}', dataset: 'datasets/{source}/{revision}' };

let fixture: KubernetesFixture;
let hub: TestHub;
let alice: Connection;
beforeEach(async () => {
  fixture = await openKubernetesFixture(undefined, { volumes: VOLUMES });
  hub = await startHub({}, { runner: fixture.runner(), clock: fixture.clock });
  await hub.people('alice');
  alice = hub.as('alice');
});
afterEach(async () => {
  const { violations } = fixture;
  await hub[Symbol.asyncDispose]();
  await fixture[Symbol.asyncDispose]();
  expect(violations).toEqual([]);
});

const run = (job: Partial<JobSpecification> = {}) => runJob({ ...alice, namespace: 'alice', job: { ...JOB, ...job } });
const look = (jobId: string) => getJob({ ...alice, namespace: 'alice', jobId });
const logOf = async (jobId: string) =>
  (await collect(streamJobLogs({ ...alice, namespace: 'alice', jobId })))
    .map(({ data }) => data)
    .filter((line) => !line.startsWith('====='));

/** Runs background work until a job satisfies a condition. */
const until = (jobId: string, is: (status: Awaited<ReturnType<typeof look>>['status']) => boolean, who = hub) =>
  eventually(async () => {
    await who.drain();
    const job = await look(jobId);
    return is(job.status) ? job : undefined;
  });
const stage = (jobId: string, wanted: string) => until(jobId, (status) => status.stage === wanted);

/** Starts a job and waits until its container runs. */
async function running(job?: Partial<JobSpecification>): Promise<{ id: string; key: string }> {
  const { id } = await run(job);
  const key = `${id}-1`;
  await until(id, ({ message }) => message !== null);
  fixture.cluster.run(key);
  await stage(id, 'RUNNING');
  return { id, key };
}

describe('a job on Kubernetes', () => {
  test('waits for its machine, runs, writes its log and completes, and leaves nothing behind', async () => {
    const { id } = await run({ secrets: { KEY: 'hush hush' }, labels: { team: 'a' } });
    const key = `${id}-1`;
    await until(id, ({ message }) => message === 'Its container is being made');
    const message = '0/3 nodes are available: 3 Insufficient cpu.';
    fixture.cluster.setPod(key, 'Pending', undefined, {
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
    });
    const waits = await until(id, (status) => status.message?.includes('Insufficient') ?? false);
    expect(waits.status).toMatchObject({
      stage: 'SCHEDULING',
      message: `No machine of the cluster can take it: ${message}`,
    });
    fixture.clock.advance(5 * SECOND);
    fixture.cluster.run(key);
    expect(await stage(id, 'RUNNING')).toMatchObject({ status: { message: null }, durations: { schedulingSecs: 5 } });
    fixture.cluster.print(key, 'one\nthe key is hush hush\n');
    await eventually(async () => {
      await hub.drain();
      return (await hub.database.read.selectFrom('job_logs').select('line').execute()).length > 1;
    });
    fixture.cluster.print(key, 'three');
    fixture.cluster.exit(key, 0);
    await stage(id, 'COMPLETED');
    expect(await logOf(id)).toEqual(['one', 'the key is ***', 'three']);
    const events = await collect(streamJobEvents({ ...alice, namespace: 'alice', jobId: id }));
    expect(events.map(({ reason }) => reason)).toEqual([
      ...['Created', 'Starting', 'Waiting', 'Waiting', 'Started', 'Completed'],
    ]);
    expect([fixture.cluster.keys(), fixture.cluster.all('pods'), fixture.cluster.all('secrets')]).toEqual([[], [], []]);
  });

  test('is retried in a Job of its own, and ends with its exit code', async () => {
    const { id, key } = await running({ attempts: 2 });
    fixture.cluster.print(key, 'first\n');
    fixture.cluster.exit(key, 1);
    await eventually(async () => {
      await hub.drain();
      return fixture.cluster.ofKey('pods', `${id}-2`) !== undefined;
    });
    expect((await look(id)).status).toMatchObject({ stage: 'RUNNING', failureCount: 1 });
    fixture.cluster.run(`${id}-2`);
    fixture.cluster.print(`${id}-2`, 'second\n');
    fixture.cluster.exit(`${id}-2`, 3);
    expect((await stage(id, 'ERROR')).status).toEqual({ stage: 'ERROR', message: 'Exit code 3', failureCount: 2 });
    expect(await logOf(id)).toEqual(['first', 'second']);
  });

  test('that has too little memory fails with that reason', async () => {
    const { id, key } = await running();
    fixture.cluster.exit(key, 137, 'OOMKilled');
    expect((await stage(id, 'ERROR')).status.message).toBe('Exit code 137: it used more memory than its flavor has');
  });

  test('whose image cannot be pulled fails with that reason', async () => {
    const { id } = await run();
    await until(id, ({ message }) => message !== null);
    const waiting = { reason: 'ImagePullBackOff', message: 'Back-off pulling image "python:3.12": not found' };
    fixture.cluster.setPod(`${id}-1`, 'Pending', { waiting });
    expect((await stage(id, 'ERROR')).status.message).toBe(`The image could not be pulled: ${waiting.message}`);
    expect(fixture.cluster.keys()).toEqual([]);
  });

  test('ends at its timeout, with its whole log', async () => {
    const { id, key } = await running({ timeoutSeconds: 60, attempts: 3 });
    fixture.cluster.print(key, 'busy\n');
    fixture.clock.advance(MINUTE);
    expect((await stage(id, 'ERROR')).status).toEqual({ stage: 'ERROR', message: 'Job timeout', failureCount: 1 });
    await eventually(async () => {
      await hub.drain();
      return fixture.cluster.keys().length === 0;
    });
    expect(await logOf(id)).toEqual(['busy']);
    expect(fixture.cluster.began).toHaveLength(1);
  });

  test('that the deadline of the cluster ended while no hub was running has timed out, too', async () => {
    const { id, key } = await running({ attempts: 3 });
    fixture.cluster.print(key, 'busy\n');
    fixture.cluster.exit(key, 137, 'Error', { reason: 'DeadlineExceeded' });
    expect((await stage(id, 'ERROR')).status).toEqual({ stage: 'ERROR', message: 'Job timeout', failureCount: 1 });
    expect(await logOf(id)).toEqual(['busy']);
  });

  test('is canceled while it runs, with its whole log, and while it waits, so that it never runs', async () => {
    const { id, key } = await running();
    const { id: waiting } = await run();
    await until(waiting, ({ message }) => message !== null);
    fixture.cluster.print(key, 'last words\n');
    for (const jobId of [id, waiting]) await cancelJob({ ...alice, namespace: 'alice', jobId });
    await eventually(async () => {
      await hub.drain();
      return fixture.cluster.keys().length === 0;
    });
    expect(await logOf(id)).toEqual(['last words']);
    expect((await look(waiting)).status.stage).toBe('CANCELED');
    expect(fixture.cluster.began).toEqual([`moonbase-${key}-x7k2p`]);
  });
});

describe('what a user sends', () => {
  test('as a secret, in the environment or as the payload of a webhook is only in the Secret', async () => {
    const webhook = {
      job: {
        ...JOB,
        flavor: 'cpu-basic' as const,
        environment: { LD_PRELOAD: '/evil.so' },
        secrets: { KEY: 'hush hush' },
      },
      watched: [{ type: 'user' as const, name: 'alice' }],
      domains: ['repo' as const],
      secret: 'mum is the word',
    };
    await createWebhook({ ...alice, webhook });
    await createRepo({ ...alice, repo: 'alice/very-telling-name' });
    await eventually(async () => {
      await hub.drain();
      return fixture.cluster.all('secrets').length === 1;
    });
    const { data = {} } = fixture.cluster.all('secrets')[0]!;
    expect(atob(data.WEBHOOK_PAYLOAD!)).toContain('alice/very-telling-name');
    expect(Object.entries(data).map(([name, text]) => [name, atob(text)])).toEqual(
      expect.arrayContaining([
        ['KEY', 'hush hush'],
        ['WEBHOOK_SECRET', 'mum is the word'],
        ['LD_PRELOAD', '/evil.so'],
      ]),
    );
    const readable = JSON.stringify([
      ...fixture.requests.filter(({ url }) => !url.endsWith('/secrets')),
      ...fixture.cluster.all('jobs'),
      ...fixture.cluster.all('pods'),
    ]);
    for (const text of ['hush hush', 'mum is the word', 'very-telling-name', '/evil.so', 'LD_PRELOAD']) {
      expect(readable).not.toContain(text);
      expect(readable).not.toContain(btoa(text));
    }
  });

  test('as a label becomes a label or a quoted one, never a name', async () => {
    const { id } = await run({ labels: { '-.-': '..', [`a${'.'.repeat(90)}b`]: '-'.repeat(100), team: 'x_y' } });
    await until(id, ({ message }) => message !== null);
    const { name, labels } = fixture.cluster.ofKey('jobs', `${id}-1`)!.metadata;
    expect(name).toBe(`moonbase-${id}-1`);
    expect(labels['job.moonbase/team']).toBe('x_y');
    expect(Object.keys(labels).filter((label) => label.startsWith('job.moonbase/'))).toHaveLength(3);
  });

  test.each<[string, Partial<JobSpecification>, RegExp]>([
    [
      'a flavor that is not in the table',
      { flavor: 'h200' },
      /flavor: must be a flavor of this hub: cpu-basic, t4-small/,
    ],
    ['a Space', { dockerImage: undefined, spaceId: 'alice/app' }, /spaceId: cannot be run/],
    ['an image that is not allowed', { dockerImage: 'ghcr.io/evil/miner' }, /dockerImage: is not among the images/],
    ['a type without a folder', { volumes: [{ type: 'model', source: 'alice/a', mountPath: '/m' }] }, /volumes.0.type/],
    [
      'a revision that is not a valid name of a folder',
      { volumes: [{ type: 'dataset', source: 'alice/a', mountPath: '/m', revision: 'refs/pr/1' }] },
      /volumes.0.revision/,
    ],
    [
      'a folder in a volume, which may be a link',
      { volumes: [{ type: 'bucket', source: 'alice/a', mountPath: '/m', path: 'x' }] },
      /volumes.0.path/,
    ],
    [
      'a source with dots for names',
      { volumes: [{ type: 'bucket', source: './alice', mountPath: '/m' }] },
      /volumes.0.source/,
    ],
    [
      'a mount path that leads upwards',
      { volumes: [{ type: 'bucket', source: 'alice/a', mountPath: '/a/../etc' }] },
      /volumes.0.mountPath/,
    ],
  ])('is refused at creation: %s', async (_, change, message) => {
    expect(await refusal(run(change))).toMatchObject({ status: 400, message: expect.stringMatching(message) });
    expect(fixture.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

test('volumes are folders of the claim, repositories read only', async () => {
  const runner = fixture.runner();
  const volumes = [
    { type: 'bucket' as const, source: 'alice/scratch', mountPath: '/scratch' },
    { type: 'dataset' as const, source: 'alice/letters', mountPath: '/data', revision: 'v1.0' },
    { type: 'dataset' as const, source: 'alice/letters', mountPath: '/main' },
  ];
  const rest = { environment: {}, attempts: 1, timeoutSeconds: 60, secretNames: [] };
  const specification = { dockerImage: 'python:3.12', flavor: 'cpu-basic' as const, ...rest, volumes };
  expect(runner.refusal(specification)).toBeUndefined();
  const key = `${'0c'.repeat(12)}-1`;
  await expect(runner.start({ key, specification, environment: {}, labels: {} })).rejects.toThrow(NotYet);
  expect(fixture.cluster.ofKey('jobs', key)!.spec!.template!.spec).toMatchObject({
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'hub-data' } }],
    containers: [
      {
        volumeMounts: [
          { mountPath: '/scratch', subPath: 'buckets/alice/scratch', readOnly: false },
          { mountPath: '/data', subPath: 'datasets/alice/letters/v1.0', readOnly: true },
          { mountPath: '/main', subPath: 'datasets/alice/letters/main', readOnly: true },
        ],
      },
    ],
  });
});

/** Opens hubs on one database, which run one after the other or at once. */
async function openShared() {
  const made = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-kubernetes-'));
  const { MOONBASE_DATABASE_URL: url } = made.environment;
  const config = readConfig({
    ...(url === undefined ? { MOONBASE_DATA_DIR: folder } : made.environment),
    ...{ MOONBASE_PORT: '0', MOONBASE_ADMIN_TOKEN: 'hf_administratorOfTests', MOONBASE_LOG_LEVEL: 'error' },
  });
  return {
    shares: url !== undefined,
    async start() {
      const database = openDatabase(url === undefined ? { folder } : { url });
      const logger = pino({ level: 'silent' });
      const overrides = { database, background: false, logger, clock: fixture.clock, runner: fixture.runner() };
      const started = await createHub(config, overrides);
      await started.prepare();
      const hubUrl = await started.start();
      return {
        ...started,
        connection: { hubUrl, accessToken: tokenOf('alice'), fetch: contractFetch },
        admin: { hubUrl, accessToken: 'hf_administratorOfTests', fetch: contractFetch },
      };
    },
    async [Symbol.asyncDispose]() {
      await made[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

describe('hubs on one database', () => {
  const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => `line ${from + at}`);

  test('continue where one stopped: each attempt once, each line once', async () => {
    await using shared = await openShared();
    let current = await shared.start();
    await applyHub({ ...current.admin, document: { users: [person('alice')] } });
    const { id } = await runJob({ ...current.connection, namespace: 'alice', job: JOB });
    const key = `${id}-1`;
    await eventually(async () => {
      await current.drain();
      return fixture.cluster.ofKey('pods', key) !== undefined;
    });
    await current.stop();
    fixture.cluster.run(key);
    for (let turn = 0; turn < 5; turn++) {
      current = await shared.start();
      fixture.cluster.print(key, `${numbers(turn * 10, turn * 10 + 10).join('\n')}\nunfin`);
      // Some hubs are stopped before they have read anything.
      for (let rounds = 0; rounds < turn * 3; rounds++) {
        await current.drain();
        await setTimeout(3);
      }
      await current.stop();
      fixture.cluster.print(key, `ished ${turn}\n`);
    }
    fixture.cluster.exit(key, 0);
    current = await shared.start();
    const seen = { ...current.connection, namespace: 'alice', jobId: id };
    await eventually(async () => {
      await current.drain();
      return (await getJob(seen)).status.stage === 'COMPLETED';
    });
    const lines = (await collect(streamJobLogs(seen))).map(({ data }) => data).slice(1);
    expect(lines).toEqual(
      [0, 1, 2, 3, 4].flatMap((turn) => [...numbers(turn * 10, turn * 10 + 10), `unfinished ${turn}`]),
    );
    expect(fixture.cluster.began).toEqual([`moonbase-${key}-x7k2p`]);
    await current.stop();
  });

  test('at once start each attempt once, and the other takes over if one hangs', async () => {
    await using shared = await openShared();
    // SQLite allows only one process.
    if (!shared.shares) return;
    const [one, other] = [await shared.start(), await shared.start()];
    await applyHub({ ...one.admin, document: { users: [person('alice')] } });
    const ids: string[] = [];
    for (let at = 0; at < 6; at++) ids.push((await runJob({ ...one.connection, namespace: 'alice', job: JOB })).id);
    await eventually(async () => {
      await Promise.all([one.drain(), other.drain()]);
      return fixture.cluster.all('pods').length === 6;
    });
    for (const id of ids) {
      fixture.cluster.run(`${id}-1`);
      fixture.cluster.print(`${id}-1`, 'done\n');
    }
    // The former holder of the lease is no longer active.
    fixture.clock.advance(11 * SECOND);
    for (const id of ids) fixture.cluster.exit(`${id}-1`, 0);
    for (const jobId of ids) {
      const seen = { ...other.connection, namespace: 'alice', jobId };
      await eventually(async () => {
        await other.drain();
        return (await getJob(seen)).status.stage === 'COMPLETED';
      });
      expect((await collect(streamJobLogs(seen))).map(({ data }) => data).slice(1)).toEqual(['done']);
    }
    await other.drain();
    expect(fixture.cluster.began).toHaveLength(6);
    expect(fixture.cluster.keys()).toEqual([]);
    for (const each of [one, other]) await each.stop();
  });
});

describe('the setting MOONBASE_KUBERNETES', () => {
  const startWith = (setting: string) => startHub({ MOONBASE_JOBS_RUNNER: 'kubernetes', MOONBASE_KUBERNETES: setting });

  test('leads to a cluster by a kubeconfig file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'moonbase-kubeconfig-'));
    const { server, token } = fixture.connection;
    const path = join(folder, 'config');
    const config = {
      'current-context': 'test',
      contexts: [{ name: 'test', context: { cluster: 'c', user: 'u', namespace: 'moonbase-jobs' } }],
      clusters: [{ name: 'c', cluster: { server } }],
      users: [{ name: 'u', user: { tokenFile: 'token' } }],
    };
    // JSON is valid YAML.
    await writeFile(path, JSON.stringify(config));
    await writeFile(join(folder, 'token'), `${await token()}\n`);
    const setting = join(folder, 'kubernetes.json');
    await writeFile(setting, JSON.stringify({ kubeconfig: path, flavors: { 'cpu-basic': {} } }));
    {
      await using real = await startWith(setting);
      await real.people('bob');
      const { id } = await runJob({ ...real.as('bob'), namespace: 'bob', job: JOB });
      await eventually(async () => {
        await real.drain();
        return fixture.cluster.ofKey('secrets', `${id}-1`) !== undefined;
      });
    }
    await rm(folder, { recursive: true });
  });

  test.each([
    ['/nowhere/kubernetes.json', /MOONBASE_KUBERNETES: \/nowhere\/kubernetes.json cannot be read: ENOENT/],
    ['{', /MOONBASE_KUBERNETES: is no JSON/],
    ['{"flavors": {}}', /flavors: must have at least one flavor/],
    ['{"flavors": {"huge": {}}}', /flavors/],
    ['{"flavors": {"cpu-basic": {"requests": {"cpu": "two"}}}}', /flavors.cpu-basic.requests.cpu: must be a quantity/],
    ['{"flavors": {"cpu-basic": {}}, "nodes": 3}', /nodes/],
    ['{"flavors": {"cpu-basic": {}}, "hub": "Hub_1"}', /hub: must be lower-case letters/],
    [
      '{"flavors": {"cpu-basic": {}}, "volumes": {"claim": "c", "model": "../{source}"}}',
      /volumes.model: must be a relative folder/,
    ],
    ['{"flavors": {"cpu-basic": {}}, "kubeconfig": "/nowhere"}', /MOONBASE_KUBERNETES: \/nowhere cannot be read/],
  ])('prevents the start if it is invalid: %s', async (setting, message) => {
    await expect(startWith(setting)).rejects.toThrow(message);
  });

  test('is required for the runner kubernetes', async () => {
    await expect(startHub({ MOONBASE_JOBS_RUNNER: 'kubernetes' })).rejects.toThrow(/MOONBASE_KUBERNETES: must be set/);
  });
});
