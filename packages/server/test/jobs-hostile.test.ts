import { getJob, type JobSpecification, listJobs, runJob, updateJobLabels } from '@moonbase/client/jobs';
import { createBucket, createRepo } from '@moonbase/client/repositories';
import { createScheduledJob } from '@moonbase/client/scheduled-jobs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { type Connection, collect, startHub, type TestHub } from './harness.ts';
import { createTestRunner, type TestRunner } from './test-runner.ts';
import { refusal } from './webhooks-listen.ts';

const JOB: JobSpecification = { dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' };

let hub: TestHub;
let runner: TestRunner;
let alice: Connection;
beforeAll(async () => {
  runner = createTestRunner();
  hub = await startHub({ MOONBASE_MAX_RUNNING_JOBS: '1000', MOONBASE_MAX_RUNNING_JOBS_PER_OWNER: '1000' }, { runner });
  await hub.people('alice');
  alice = hub.as('alice');
});
afterAll(() => hub[Symbol.asyncDispose]());

const run = (change: object) => runJob({ ...alice, namespace: 'alice', job: { ...JOB, ...change } });
const jobs = () => collect(listJobs({ ...alice, namespace: 'alice' }));
const DIGEST = `sha256:${'0a'.repeat(32)}`;

describe('an image', () => {
  test.each([
    'python',
    'python:3.12',
    'library/python:3.12-slim_x.y',
    'ghcr.io/acme/train:v1',
    'localhost/train',
    'localhost:5000/acme/train:v1',
    'registry.example.com:65535/a/b/c',
    `python@${DIGEST}`,
    `ghcr.io/acme/train:v1@${DIGEST}`,
    'a__b/c--d.e',
  ])('%s is accepted', async (dockerImage) => {
    expect(await run({ dockerImage })).toMatchObject({ dockerImage });
  });

  test.each([
    '',
    ' python',
    'python ',
    'Python',
    'python:',
    'python:3.12:4',
    'python@sha256:0a',
    `python@${DIGEST}@${DIGEST}`,
    'python:3.12@latest',
    `python:${'x'.repeat(129)}`,
    'registry.example.com:99999/a',
    'registry.example.com:/a',
    '../etc/passwd',
    '/python',
    'python/',
    'a//b',
    '-v /:/host python',
    '--privileged',
    'python;rm -rf /',
    'python\nFROM scratch',
    'http://example.com/python',
    'user:password@example.com/python',
    `${'a/'.repeat(130)}b`,
    'x'.repeat(5000),
  ])('%j is refused', async (dockerImage) => {
    const before = (await jobs()).length;
    expect(await refusal(run({ dockerImage }))).toMatchObject({ status: 400, issues: [{ path: 'body.dockerImage' }] });
    expect(await jobs()).toHaveLength(before);
  });

  test('and a Space exclude each other, and one of them is required', async () => {
    for (const change of [{ spaceId: 'acme/space' }, { dockerImage: undefined }])
      expect(await refusal(run(change))).toMatchObject({ status: 400, issues: [{ path: 'body' }] });
    expect(await run({ dockerImage: undefined, spaceId: 'acme/space' })).toMatchObject({ spaceId: 'acme/space' });
    for (const spaceId of ['space', 'a/b/c', '../b', 'a/..', 'a b/c', ''])
      expect(await refusal(run({ dockerImage: undefined, spaceId }))).toMatchObject({ status: 400 });
  });
});

describe('the environment', () => {
  test.each(['LD_PRELOAD', 'LD_LIBRARY_PATH', 'PATH', 'IFS', 'BASH_ENV', 'NODE_OPTIONS', 'constructor', 'toString'])(
    '%s reaches the job and nothing else',
    async (name) => {
      const before = process.env[name];
      const { id } = await run({ environment: { [name]: '/evil' }, labels: { [name]: 'x' } });
      await hub.drain();
      const environment = runner.launched.find(({ key }) => key.startsWith(id))?.environment ?? {};
      expect(Object.entries(environment).filter(([, value]) => value === '/evil')).toEqual([[name, '/evil']]);
      expect(process.env[name]).toBe(before);
    },
  );

  test.each(['', '1A', 'A', '_AB', 'A-B', 'A B', 'A=B', 'AB\n', 'AB\u0000', 'ÄB', '__proto__', 'LD_PRELOAD\n'])(
    'the name %j is refused',
    async (name) => {
      const body = JSON.stringify({ ...JOB, environment: {} }).replace('{}', `{${JSON.stringify(name)}:"x"}`);
      expect((await ask(alice, 'POST /api/jobs/alice', body)).status).toBe(400);
    },
  );

  test.each([
    ['a value that no process accepts', { environment: { AB: 'x'.repeat(131_072) } }, 'body.environment.AB'],
    ['a command that is too long', { command: ['x'.repeat(131_072)] }, 'body.command.0'],
  ])('%s is refused', async (_, change, path) => {
    const error = await refusal(run(change));
    expect(error).toMatchObject({ status: 400, issues: [{ path }] });
    expect(error.message).not.toContain('xxxx');
  });
});

test.each([
  { environment: { AB: 'x\u0000y' } },
  { secrets: { A: '\u0000' } },
  { arguments: ['a', '\u0000'] },
  { dockerImage: 'python\u0000' },
])('NUL is refused: %j', async (change) => {
  expect((await refusal(run(change))).status).toBe(400);
});

describe('a volume', () => {
  const volume = { type: 'bucket', source: 'alice/data', mountPath: '/data' };
  const mount = (...changes: object[]) => run({ volumes: changes.map((change) => ({ ...volume, ...change })) });

  test('is accepted if the runner can mount it', async () => {
    await createBucket({ ...alice, repo: 'alice/data' });
    await createRepo({ ...alice, repo: 'alice/data' });
    const given = [
      { path: 'a/b', readOnly: true },
      { mountPath: '/models/', type: 'model', revision: 'refs/pr/1' },
    ];
    const { volumes } = await mount(...given);
    expect(volumes).toEqual(given.map((change) => ({ ...volume, ...change })));
  });

  test.each([
    '/..',
    '/../etc',
    '/data/../../etc',
    '/data/./x',
    '/data//x',
    '/proc',
    '/etc/',
    '/data:/host',
    '/data\u0000',
    '/da\nta',
    `/${'x'.repeat(2000)}`,
    'C:\\data',
    'data',
    '/',
  ])('at %j is refused', async (mountPath) => {
    expect((await refusal(mount({ mountPath }))).status).toBe(400);
  });

  test.each([
    { path: '../secrets' },
    { path: '/etc' },
    { path: '' },
    { source: '../x' },
    { source: 'a/b/c' },
    { source: 'a/..' },
    { source: './data' },
    { type: 'model', readOnly: false },
    { revision: 'main' },
    { type: 'kernel' },
  ])('with %j is refused', async (change) => {
    expect((await refusal(mount(change))).status).toBe(400);
  });

  test('is refused at the mount path of another', async () => {
    expect((await refusal(mount({}, { mountPath: '/data/' }))).status).toBe(400);
  });
});

describe('labels', () => {
  test.each([
    { 'a;b': 'x' },
    { 'a=b': 'x' },
    { a: 'x;team=admin' },
    { a: 'x=y' },
    { '': 'x' },
    { a: 'x\n' },
    { a: '%' },
    { [`a${'x'.repeat(100)}`]: 'x' },
    { a: 'x'.repeat(101) },
  ])('%j are refused', async (labels) => {
    expect((await refusal(run({ labels }))).status).toBe(400);
    const { id } = await run({});
    expect((await refusal(updateJobLabels({ ...alice, namespace: 'alice', jobId: id, labels }))).status).toBe(400);
    expect(await getJob({ ...alice, namespace: 'alice', jobId: id })).not.toHaveProperty('labels');
  });

  test('are matched exactly, not as patterns', async () => {
    const { id } = await run({ labels: { team_a: 'x.y' } });
    const found = async (label: string) =>
      (await collect(listJobs({ ...alice, namespace: 'alice', label }))).map((job) => job.id);
    expect(await found('team_a=x.y')).toEqual([id]);
    for (const label of ['teamXa=x.y', 'eam_a=x.y', 'team_a=x', 'team_a=xzy', 'team_a=x.', 'TEAM_A=x.y'])
      expect(await found(label)).toEqual([]);
    for (const label of ['%=%', 'a', 'a=b;c=d', "a=' or 1=1"])
      expect((await ask(alice, `GET /api/jobs/alice?label=${encodeURIComponent(label)}`)).status).toBe(400);
  });
});

test.each([
  ['ports', { expose: { ports: [80] } }, 'body.expose'],
  ['SSH', { ssh: { enabled: true } }, 'body.ssh'],
  ['a resource group', { resourceGroupId: '0'.repeat(24) }, 'body.resourceGroupId'],
  ['more time than the operator allows', { timeoutSeconds: 8 * 86_400 }, 'body.timeoutSeconds'],
  ['more attempts than the operator allows', { attempts: 11 }, 'body.attempts'],
])('%s: refused, not ignored', async (_, change, path) => {
  expect(await refusal(run(change))).toMatchObject({ status: 400, issues: [{ path }] });
  const schedule = { ...alice, namespace: 'alice', schedule: '@daily', jobSpec: { ...JOB, ...change } };
  expect(await refusal(createScheduledJob(schedule))).toMatchObject({
    status: 400,
    issues: [{ path: path.replace('body', 'body.jobSpec') }],
  });
});

test.each(['/logs?tail=-1', '/logs?tail=1e3', '/logs?tail=x', '/logs?tail=99999999999999999999'])(
  'the query of %s is refused',
  async (query) => {
    const { id } = await run({});
    expect((await ask(alice, `GET /api/jobs/alice/${id}${query}`)).status).toBe(400);
  },
);
