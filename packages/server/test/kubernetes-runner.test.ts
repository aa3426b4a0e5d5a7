import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Launch, LaunchFailure, NotYet, type Runner } from '../src/jobs/runners/runner.ts';
import type { StoredSpecification } from '../src/jobs/runs/specification.ts';
import { MINUTE } from './clock.ts';
import type { StoredObject } from './kubernetes/cluster.ts';
import { eventually, type KubernetesFixture, openKubernetesFixture } from './kubernetes/fixture.ts';
import { operationOf, queryFaults, schemaFaults } from './kubernetes/published.ts';

const KEY = `${'0a'.repeat(12)}-1`;
const JOBS = '/apis/batch/v1/namespaces/moonbase-jobs/jobs';
const PODS = '/api/v1/namespaces/moonbase-jobs/pods';
const MAX_BYTES = 512 * 1024;

let fixture: KubernetesFixture;
let runner: Runner;
beforeEach(async () => {
  fixture = await openKubernetesFixture();
  runner = fixture.runner();
});
afterEach(async () => {
  const { violations } = fixture;
  await fixture[Symbol.asyncDispose]();
  expect(violations).toEqual([]);
});

const specification = (change: Partial<StoredSpecification> = {}): StoredSpecification => ({
  dockerImage: 'python:3.12',
  command: ['python', '-c', 'print("$(HOME) $$ $X")'],
  flavor: 'cpu-basic',
  environment: { LEVEL: 'high' },
  timeoutSeconds: 600,
  attempts: 1,
  secretNames: ['KEY'],
  ...change,
});

const launch = (change: Partial<StoredSpecification> = {}, more = {}, key = KEY) => ({
  key,
  specification: specification(change),
  environment: { LEVEL: 'high', KEY: 'hush hush', JOB_ID: '0a' },
  labels: {},
  ...more,
});
/** Starts an attempt; returns the reason why it waits, or undefined. */
const begin = (what: Launch, who = runner): Promise<string | undefined> =>
  who.start(what).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof NotYet) return error.message;
      throw error;
    },
  );
const start = (change?: Partial<StoredSpecification>, who = runner) => begin(launch(change), who);

/** Starts an attempt and waits until its container runs. */
async function running(who = runner, key = KEY): Promise<void> {
  expect(await begin(launch({}, {}, key), who)).toEqual(expect.any(String));
  fixture.cluster.run(key);
  await eventually(async () => (await begin(launch({}, {}, key), who)) === undefined);
}
const stateOf = async (who = runner, key = KEY) => who.inspect(key);
const ended = (who = runner) =>
  eventually(async () => {
    const state = await who.inspect(KEY);
    return state.state === 'ended' ? state : undefined;
  });

/** Reads as the hub does: repeatedly from its stored position, until there is enough. */
async function reading(until: (text: string) => boolean, who = runner, from = '', already = '') {
  let [position, text] = [from, already];
  await eventually(async () => {
    const output = await who.read(KEY, position, MAX_BYTES);
    [position, text] = [output.position, text + output.bytes.toString()];
    return until(text) || undefined;
  });
  return { position, text };
}
const all = async (who = runner, from = '') => {
  const parts: string[] = [];
  for (let position = from; ; ) {
    const output = await who.read(KEY, position, MAX_BYTES);
    parts.push(output.bytes.toString());
    position = output.position;
    if (output.bytes.length < MAX_BYTES) return parts.join('');
  }
};
const asked = (method: string, path: RegExp) =>
  fixture.requests.filter((one) => one.method === method && path.test(one.url));

describe('an attempt', () => {
  test('is a Job that starts once its Secret exists', async () => {
    expect(await start()).toEqual(expect.any(String));
    const writes = fixture.requests.filter(({ method }) => method !== 'GET');
    expect(writes.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${JOBS}`,
      'POST /api/v1/namespaces/moonbase-jobs/secrets',
      `PATCH ${JOBS}/moonbase-${KEY}`,
    ]);
    expect(writes[0]?.body).toMatchObject({
      metadata: { name: `moonbase-${KEY}`, labels: { 'moonbase/hub': 'moonbase', 'moonbase/key': KEY } },
      spec: {
        suspend: true,
        backoffLimit: 0,
        activeDeadlineSeconds: 600 + 900 + 60,
        ttlSecondsAfterFinished: 604_800,
        template: {
          spec: {
            restartPolicy: 'Never',
            activeDeadlineSeconds: 600 + 900,
            automountServiceAccountToken: false,
            enableServiceLinks: false,
            serviceAccountName: 'default',
            securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
            containers: [
              {
                image: 'python:3.12',
                command: ['python', '-c', 'print("$$(HOME) $$$$ $$X")'],
                resources: { requests: { cpu: '2', memory: '16Gi' }, limits: { cpu: '2', memory: '16Gi' } },
                securityContext: {
                  privileged: false,
                  allowPrivilegeEscalation: false,
                  capabilities: { drop: ['ALL'] },
                },
              },
            ],
          },
        },
      },
    });
    const job = fixture.cluster.ofKey('jobs', KEY)!;
    const secret = fixture.cluster.ofKey('secrets', KEY)!;
    expect(secret.metadata.ownerReferences).toMatchObject([{ kind: 'Job', uid: job.metadata.uid }]);
    expect(Object.fromEntries(Object.entries(secret.data!).map(([name, text]) => [name, atob(text)]))).toEqual({
      LEVEL: 'high',
      KEY: 'hush hush',
      JOB_ID: '0a',
    });
    // The readable Jobs and Pods contain nothing of the environment.
    const readable = JSON.stringify([fixture.cluster.all('jobs'), fixture.cluster.all('pods')]);
    for (const text of ['hush hush', btoa('hush hush'), '"high"', 'LEVEL']) expect(readable).not.toContain(text);
  });

  test('gets the resources of its flavor from the table, and the architecture that it names', async () => {
    await start({ flavor: 't4-small', arch: 'arm64' });
    const spec = fixture.cluster.ofKey('jobs', KEY)!.spec!.template!.spec;
    expect(spec).toMatchObject({
      nodeSelector: { 'cloud.example.com/pool': 't4', 'kubernetes.io/arch': 'arm64' },
      tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }],
      runtimeClassName: 'nvidia',
      containers: [
        { resources: { requests: { cpu: '2', memory: '8Gi' }, limits: { memory: '8Gi', 'nvidia.com/gpu': '1' } } },
      ],
    });
  });

  test('runs as the user of the settings, with their service account and credentials of registries', async () => {
    const strict = { runAsUser: 1000, readOnlyRoot: true, serviceAccount: 'job', imagePullSecrets: ['registry'] };
    await start({}, fixture.runner(strict));
    expect(fixture.cluster.ofKey('jobs', KEY)!.spec!.template!.spec).toMatchObject({
      serviceAccountName: 'job',
      imagePullSecrets: [{ name: 'registry' }],
      securityContext: { fsGroup: 1000 },
      containers: [{ securityContext: { runAsNonRoot: true, runAsUser: 1000, readOnlyRootFilesystem: true } }],
    });
  });

  test('runs, writes its log and ends with its exit code', async () => {
    await running();
    expect(await stateOf()).toEqual({ state: 'running' });
    fixture.cluster.print(KEY, 'one\ntwo\n');
    const { position } = await reading((text) => text === 'one\ntwo\n');
    fixture.cluster.print(KEY, 'three');
    fixture.cluster.exit(KEY, 3);
    expect(await ended()).toEqual({ state: 'ended', exitCode: 3 });
    await runner.stop(KEY);
    expect(await all(runner, position)).toBe('three');
    await runner.forget(KEY);
    expect([fixture.cluster.keys(), fixture.cluster.all('pods'), fixture.cluster.all('secrets')]).toEqual([[], [], []]);
    await eventually(async () => (await ended()).exitCode === null);
  });

  test('starts once, however many hubs start it', async () => {
    await Promise.all([runner, fixture.runner(), fixture.runner(), fixture.runner()].map((who) => start({}, who)));
    expect(fixture.cluster.keys()).toEqual([KEY]);
    expect(fixture.cluster.all('pods')).toHaveLength(1);
  });

  test('starts once even if another hub started it a moment ago without this one knowing yet', async () => {
    for (let turn = 0; turn < 1000; turn++)
      fixture.faults.push({ on: ({ url }) => url.includes('watch=true'), status: 500 });
    const other = fixture.runner();
    await other.inspect(KEY);
    await start();
    fixture.faults.push({ on: ({ method, url }) => method === 'GET' && url.endsWith(KEY), status: 404 });
    await start({}, other);
    expect(asked('POST', /jobs$/)).toHaveLength(2);
    expect(fixture.cluster.all('pods')).toHaveLength(1);
  });

  test.each(['before', 'after'] as const)('starts once if the connection breaks %s it is created', async (reset) => {
    fixture.faults.push({ on: ({ method, url }) => method === 'POST' && url === JOBS, reset });
    await expect(start()).rejects.toThrow();
    await start();
    expect(fixture.cluster.all('pods')).toHaveLength(1);
  });

  test.each(['POST /api/v1/namespaces/moonbase-jobs/secrets', `PATCH ${JOBS}/moonbase-${KEY}`])(
    'starts although a hub died at %s: another one continues',
    async (request) => {
      fixture.faults.push({ on: ({ method, url }) => `${method} ${url}` === request, reset: 'after' });
      await expect(start()).rejects.toThrow();
      await start({}, fixture.runner());
      expect(fixture.cluster.all('pods')).toHaveLength(1);
      expect(fixture.cluster.all('secrets')).toHaveLength(1);
    },
  );

  test('cannot start with a larger environment than a Secret can hold', async () => {
    const environment = { KEY: 'x'.repeat(1_000_001) };
    await expect(runner.start(launch({}, { environment }))).rejects.toThrow(LaunchFailure);
    expect(fixture.cluster.keys()).toEqual([]);
  });

  test('cannot start if the cluster refuses it, and says why', async () => {
    const message = 'jobs.batch is forbidden: exceeded quota: jobs';
    fixture.faults.push({ on: ({ method }) => method === 'POST', status: 403, message });
    await expect(start()).rejects.toThrow(new LaunchFailure(`Kubernetes does not take the job: ${message}`));
  });
});

describe('what keeps an attempt from running', () => {
  const pull = (reason: string, message: string) =>
    fixture.cluster.setPod(KEY, 'Pending', { waiting: { reason, message } });
  const refused = () =>
    eventually(async () =>
      start().then(
        () => undefined,
        (error: Error) => error,
      ),
    );

  test('is reported while it waits: no machine, then no image', async () => {
    await start();
    const message = '0/3 nodes are available: 3 Insufficient nvidia.com/gpu.';
    fixture.cluster.setPod(KEY, 'Pending', undefined, {
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
    });
    await eventually(async () => (await start()) === `No machine of the cluster can take it: ${message}`);
    pull('ErrImagePull', 'connection refused');
    await eventually(async () => (await start()) === 'The image could not be pulled yet: connection refused');
  });

  test.each([
    ['ImagePullBackOff', 'Back-off pulling image', 'The image could not be pulled: Back-off pulling image'],
    ['InvalidImageName', 'invalid reference', 'The image could not be pulled: invalid reference'],
    ['CreateContainerConfigError', 'runs as\n root', 'The container could not be made: runs as root'],
  ])('%s ends it', async (reason, message, expected) => {
    await start();
    pull(reason, message);
    expect(await refused()).toEqual(new LaunchFailure(expected));
    expect(fixture.cluster.keys()).toEqual([]);
  });

  test('a missing command ends it', async () => {
    await start();
    fixture.cluster.setPod(KEY, 'Failed', {
      terminated: { exitCode: 128, reason: 'StartError', message: 'exec: "pyton": not found' },
    });
    expect(await refused()).toEqual(new LaunchFailure('The command could not be started: exec: "pyton": not found'));
  });

  test('waiting for too long ends it, and the reason names what it waited for', async () => {
    await start();
    fixture.cluster.setPod(KEY, 'Pending', undefined, {
      conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no machine' }],
    });
    await eventually(async () => (await start())?.endsWith('no machine'));
    fixture.clock.advance(15 * MINUTE + 1);
    expect(await refused()).toEqual(
      new LaunchFailure('It did not begin within 900 seconds: No machine of the cluster can take it: no machine'),
    );
  });
});

describe('an end that the cluster caused', () => {
  test('for lack of memory says so', async () => {
    await running();
    fixture.cluster.exit(KEY, 137, 'OOMKilled');
    expect(await ended()).toEqual({
      state: 'ended',
      exitCode: 137,
      reason: 'Exit code 137: it used more memory than its flavor has',
    });
  });

  test('by eviction says why', async () => {
    await running();
    fixture.cluster.exit(KEY, 137, 'Error', { reason: 'Evicted', message: 'The node was low on disk' });
    expect(await ended()).toMatchObject({ reason: 'Exit code 137, Evicted: The node was low on disk' });
  });

  test('at the deadline is a timeout', async () => {
    await running();
    fixture.cluster.exit(KEY, 137, 'Error', { reason: 'DeadlineExceeded' });
    expect(await ended()).toEqual({ state: 'ended', exitCode: null, timedOut: true });
  });

  test('by deletion of its pod or its Job has no known exit code', async () => {
    await running();
    fixture.cluster.remove(fixture.cluster.ofKey('pods', KEY)!);
    await eventually(async () => (await stateOf()).state === 'running');
    fixture.cluster.endJob(KEY, 'Failed', 'BackoffLimitExceeded', 'Job has reached the specified backoff limit');
    expect(await ended()).toEqual({
      state: 'ended',
      exitCode: null,
      reason: 'The cluster ended it: Job has reached the specified backoff limit',
    });
    fixture.cluster.remove(fixture.cluster.ofKey('jobs', KEY)!);
    await eventually(async () => !('reason' in (await stateOf())));
  });
});

describe('stopping', () => {
  test('ends what runs and leaves its log', async () => {
    await running();
    fixture.cluster.print(KEY, 'last words\n');
    await runner.stop(KEY);
    expect(fixture.cluster.ofKey('pods', KEY)?.status?.phase).toBe('Failed');
    // The attempt is found even after the hub was killed in between.
    expect(await all(fixture.runner())).toBe('last words\n');
  });

  test('prevents a pending start, and is done when nothing of the attempt is left', async () => {
    await start();
    await runner.stop(KEY);
    expect([fixture.cluster.keys(), fixture.cluster.all('pods')]).toEqual([[], []]);
    expect(asked('DELETE', /./).map(({ body }) => body)).toMatchObject([{ propagationPolicy: 'Foreground' }]);
    await runner.stop(KEY);
    expect(fixture.cluster.began).toEqual([]);
  });
});

describe('stopping what does not end at its deadline', () => {
  test('deletes it', async () => {
    await running();
    fixture.faults.push({ on: ({ method, url }) => method === 'PATCH' && url.startsWith(PODS), status: 200 });
    await runner.stop(KEY);
    expect([fixture.cluster.keys(), fixture.cluster.all('pods')]).toEqual([[], []]);
  });
});

describe('sweeping', () => {
  test('deletes unwanted objects when they are seen a second time, and nothing of other hubs', async () => {
    await running();
    await begin(launch({}, {}, `${'0b'.repeat(12)}-1`), fixture.runner({ hub: 'other' }));
    await runner.sweep(new Set());
    expect(fixture.cluster.keys()).toHaveLength(2);
    await runner.sweep(new Set([KEY]));
    await runner.sweep(new Set());
    expect(fixture.cluster.keys()).toHaveLength(2);
    await runner.sweep(new Set());
    expect(fixture.cluster.keys()).toEqual([`${'0b'.repeat(12)}-1`]);
  });
});

describe('a watch', () => {
  const watches = () => asked('GET', /watch=true/);
  const versionsOf = (path: string) =>
    watches()
      .filter(({ url }) => url.startsWith(path))
      .map(({ url }) => Number(new URL(url, 'http://x').searchParams.get('resourceVersion')));

  test.each(['cutWatches', 'endWatches'] as const)('continues where it broke (%s)', async (breakThem) => {
    await running();
    for (let turn = 0; turn < 5; turn++) {
      await eventually(() => fixture.watching() === 2);
      fixture[breakThem]();
    }
    fixture.cluster.exit(KEY, 0);
    expect(await ended()).toEqual({ state: 'ended', exitCode: 0 });
    expect(asked('GET', /labelSelector=[^&]*&limit=/)).toHaveLength(2);
    const versions = versionsOf(PODS);
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(versions.at(-1)).toBeGreaterThan(versions[0]!);
  });

  test('continues from the last bookmark if nothing happened to its own objects', async () => {
    await running();
    await eventually(() => fixture.watching() === 2);
    for (let turn = 0; turn < 10; turn++) fixture.cluster.stir();
    fixture.bookmark();
    fixture.cluster.compact();
    fixture.endWatches();
    fixture.cluster.exit(KEY, 4);
    expect(await ended()).toMatchObject({ exitCode: 4 });
    expect(asked('GET', /labelSelector=[^&]*&limit=/)).toHaveLength(2);
  });

  test.each(['answered', 'said in the watch'])('lists everything again after 410 Gone (%s)', async (how) => {
    await running();
    await eventually(() => fixture.watching() === 2);
    fixture.cluster.stir();
    fixture.cluster.compact();
    if (how === 'answered') fixture.cutWatches();
    else fixture.expireWatches();
    // The exit happens between two watches.
    fixture.cluster.exit(KEY, 5);
    expect(await ended()).toMatchObject({ exitCode: 5 });
    expect(asked('GET', /labelSelector=[^&]*&limit=/).length).toBeGreaterThan(2);
  });

  test('learns what was deleted while it was disconnected', async () => {
    await running();
    await eventually(() => fixture.watching() === 2);
    fixture.cluster.compact();
    fixture.cutWatches();
    fixture.cluster.remove(fixture.cluster.ofKey('jobs', KEY)!);
    fixture.cluster.compact();
    expect(await ended()).toEqual({ state: 'ended', exitCode: null });
  });

  test('reads long lists page by page', async () => {
    fixture.pageBy(2);
    for (const at of [1, 2, 3, 4, 5]) await begin(launch({}, {}, `${'0a'.repeat(12)}-${at}`), runner);
    const other = fixture.runner();
    for (const at of [1, 2, 3, 4, 5]) fixture.cluster.run(`${'0a'.repeat(12)}-${at}`);
    for (const at of [1, 2, 3, 4, 5])
      expect(await other.inspect(`${'0a'.repeat(12)}-${at}`)).toEqual({ state: 'running' });
    expect(asked('GET', /continue=4/).length).toBeGreaterThan(0);
  });
});

describe('an overloaded server', () => {
  test('is left alone for as long as it demands', async () => {
    for (const status of [429, 503])
      fixture.faults.push({ on: ({ method }) => method === 'POST', status, retryAfter: 7 });
    await start();
    expect(fixture.pauses.filter((ms) => ms === 7000)).toHaveLength(2);
    expect(fixture.cluster.all('pods')).toHaveLength(1);
  });

  test('that keeps saying so gets no more requests of this step', async () => {
    for (let turn = 0; turn < 5; turn++) fixture.faults.push({ on: ({ method }) => method === 'POST', status: 429 });
    await expect(start()).rejects.toThrow('a fault of the test');
    expect(asked('POST', /./)).toHaveLength(5);
    await start();
    expect(fixture.cluster.all('pods')).toHaveLength(1);
  });

  test('delays a watch and a log, and nothing is lost', async () => {
    await running();
    fixture.cluster.print(KEY, 'one\n');
    const { position, text } = await reading((read) => read === 'one\n');
    fixture.faults.push({ on: ({ url }) => url.includes('/log'), status: 429, retryAfter: 3 });
    fixture.faults.push({ on: ({ url }) => url.includes('watch=true'), status: 429, retryAfter: 4 });
    fixture.cutLogs();
    fixture.cutWatches();
    fixture.cluster.print(KEY, 'two\n');
    await reading((read) => read === 'one\ntwo\n', runner, position, text);
    fixture.cluster.exit(KEY, 0);
    await ended();
    expect(fixture.pauses).toEqual(expect.arrayContaining([3000, 4000]));
  });
});

describe('a log', () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => `line ${from + at} of the log\n`).join('');

  test('has each line once, whatever fails while it is followed', async () => {
    await running();
    let read = { position: '', text: '' };
    for (let turn = 0; turn < 20; turn++) {
      // Several lines have the same second and even the same nanosecond, and some are unfinished.
      fixture.cluster.print(KEY, numbers(turn * 10, turn * 10 + 10), turn % 3 === 0 ? 0n : 40_000_000n);
      fixture.cluster.print(KEY, `unfinished ${turn}`);
      if (turn % 2 === 0)
        await reading((text) => text.endsWith(`unfinished ${turn}`), runner, read.position, read.text).then(
          (now) => (read = now),
        );
      fixture.cutLogs();
      fixture.cluster.print(KEY, ' and finished\n');
    }
    fixture.cluster.exit(KEY, 0);
    await ended();
    const text = read.text + (await all(runner, read.position));
    const expected = Array.from(
      { length: 20 },
      (_, turn) => `${numbers(turn * 10, turn * 10 + 10)}unfinished ${turn} and finished\n`,
    );
    expect(text).toBe(expected.join(''));
  });

  test('has each line once even if the hub restarts at any position', async () => {
    await running();
    fixture.cluster.print(KEY, numbers(0, 30), 90_000_000n);
    fixture.cluster.print(KEY, 'the last one, unfinished');
    fixture.cluster.exit(KEY, 0);
    await ended();
    const whole = `${numbers(0, 30)}the last one, unfinished`;
    for (let cut = 0; cut <= whole.length; cut += 31) {
      const { position } = await fixture.runner().read(KEY, '', cut);
      expect(await all(fixture.runner(), position)).toBe(whole.slice(cut));
    }
  });

  test('can be read again from an earlier position', async () => {
    await running();
    fixture.cluster.print(KEY, numbers(0, 5));
    fixture.cluster.exit(KEY, 0);
    await ended();
    const first = await runner.read(KEY, '', 30);
    await runner.read(KEY, first.position, MAX_BYTES);
    expect(await all()).toBe(numbers(0, 5));
  });

  test('is requested from the last second on, not from its beginning', async () => {
    await running();
    fixture.cluster.print(KEY, numbers(0, 100), 1_000_000_000n);
    await reading((text) => text === numbers(0, 100));
    fixture.cutLogs();
    await eventually(() => asked('GET', /sinceTime/).length > 0);
    expect(new URL(asked('GET', /sinceTime/)[0]!.url, 'http://x').searchParams.get('sinceTime')).toBe(
      '2026-01-05T12:01:39Z',
    );
  });

  test('continues with what remains if a machine has discarded lines', async () => {
    await running();
    fixture.cluster.print(KEY, numbers(0, 10));
    const { position, text } = await reading((read) => read === numbers(0, 10));
    fixture.cluster.rotate(KEY, 5);
    fixture.cutLogs();
    fixture.cluster.print(KEY, numbers(10, 12));
    await reading((read) => read === numbers(0, 12), fixture.runner(), position, text);
  });

  test('slows its sender down when nobody reads it', async () => {
    await running();
    await runner.read(KEY, '', MAX_BYTES);
    const line = `${'x'.repeat(1000)}\n`;
    fixture.cluster.print(KEY, line.repeat(20_000));
    await eventually(() => fixture.sentOfLogs() > 1024 * 1024);
    let before = -1;
    await eventually(async () => {
      const now = fixture.sentOfLogs();
      const same = now === before;
      before = now;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return same;
    });
    expect(before).toBeLessThan(12 * 1024 * 1024);
    fixture.cluster.exit(KEY, 0);
    await ended();
    expect((await all()).length).toBe(line.length * 20_000);
  });

  test('contains what was received before its pod was deleted', async () => {
    await running();
    fixture.cluster.print(KEY, numbers(0, 10));
    await reading((text) => text.startsWith(numbers(0, 10)));
    fixture.cluster.remove(fixture.cluster.ofKey('pods', KEY)!);
    fixture.cluster.endJob(KEY, 'Failed', 'BackoffLimitExceeded');
    await ended();
    expect(await all()).toBe(numbers(0, 10));
  });

  test('of a pod that never started is empty', async () => {
    await start();
    fixture.cluster.setPod(KEY, 'Failed', undefined, { reason: 'Preempted', message: 'for a more important one' });
    expect(await ended()).toMatchObject({ reason: 'The cluster ended it (Preempted): for a more important one' });
    expect(await all()).toBe('');
  });

  test('that is no longer available says so', async () => {
    await running();
    fixture.cluster.exit(KEY, 0);
    for (let turn = 0; turn < 8; turn++) fixture.faults.push({ on: ({ url }) => url.includes('/log'), status: 500 });
    await ended();
    expect(await all()).toBe('===== The cluster does not give the rest of the log =====\n');
  });
});

test('the stand-in accepts nothing that Kubernetes does not publish', () => {
  const metadata = { name: 'x' };
  const faulty = [
    { spec: { template: { spec: { containers: [{ image: 'x' }] } } } },
    { spec: { template: {}, backofLimit: 0 } },
    { spec: { template: {}, backoffLimit: '0' } },
  ];
  for (const job of faulty)
    expect(schemaFaults('Job', { apiVersion: 'batch/v1', kind: 'Job', metadata, ...job })).not.toEqual([]);
  const list = operationOf('GET', JOBS)!;
  expect(queryFaults(list, new URLSearchParams('limit=5&watch=true'))).toEqual([]);
  expect(queryFaults(list, new URLSearchParams('limit=x&watched=true'))).toHaveLength(2);
  expect(operationOf('GET', '/api/v1/namespaces/moonbase-jobs/secrets')).toBeUndefined();
});

describe('no value that a user sent', () => {
  test('becomes a name, and labels are quoted under a prefix of their own', async () => {
    const labels = {
      team: 'research',
      'moonbase.hub': 'other',
      '-a-': '..',
      [`x${'.'.repeat(98)}x`]: 'y'.repeat(100),
      _: '',
      __proto__: 'x',
    };
    await begin(launch({ dockerImage: 'registry.example.com:5000/a/b@sha256:00' }, { labels }));
    const { name, labels: given } = fixture.cluster.ofKey('jobs', KEY)!.metadata as StoredObject['metadata'];
    expect(name).toBe(`moonbase-${KEY}`);
    const { 'moonbase/hub': hub, 'moonbase/key': key, ...others } = given;
    expect([hub, key]).toEqual(['moonbase', KEY]);
    expect(others).toMatchObject({ 'job.moonbase/team': 'research', 'job.moonbase/moonbase.hub': 'other' });
    for (const label of Object.keys(others))
      expect(label).toMatch(/^(job\.moonbase\/.+|moonbase\/flavor|app\.kubernetes\.io\/managed-by)$/);
    expect(new Set(Object.keys(others)).size).toBe(7);
  });
});
