import { readFileSync } from 'node:fs';
import { cancelJob, listJobs, streamJobEvents } from '@moonbase/client/jobs';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { collect } from '../../packages/server/test/harness.ts';
import { refusal } from '../../packages/server/test/webhooks-listen.ts';
import { type DockerFixture, startDockerFixture } from './fixture.ts';

const engine = inject('engine');
const GIB = 1024 ** 3;
const running = ({ status }: { status: { stage: string } }) => status.stage === 'RUNNING';

describe.skipIf('reason' in engine)('jobs as containers', () => {
  let fixture: DockerFixture;
  beforeAll(async () => {
    if ('socket' in engine) fixture = await startDockerFixture(engine, { MOONBASE_LOG_LEVEL: 'trace' });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('the log of a job has both outputs in order, and its container is removed', async () => {
    const script = 'for i in 1 2 3; do echo out $i; sleep 0.1; echo err $i >&2; sleep 0.1; done; printf end';
    const id = await fixture.run(script);
    expect(await fixture.ended(id)).toMatchObject({ status: { stage: 'COMPLETED', message: null } });
    expect(await fixture.log(id)).toEqual(['out 1', 'err 1', 'out 2', 'err 2', 'out 3', 'err 3', 'end']);
    expect(await fixture.container(id)).toBeUndefined();
  });

  test.each([
    ['a status', { command: ['sh', '-c', 'exit 3'] }, 'Exit code 3'],
    ['a signal', { command: ['sh', '-c', "sh -c 'kill -9 $$'; exit $?"] }, 'Exit code 137'],
    ['a missing program', { command: ['/no/such/program'] }, /^The container could not be started: .*no such/],
  ])('%s ends the job as an error', async (_, change, message) => {
    const { status } = await fixture.ended(await fixture.run('', change));
    expect(status).toMatchObject({ stage: 'ERROR', failureCount: 1 });
    expect(status.message).toMatch(message);
  });

  test('the next attempt runs in another container', async () => {
    const id = await fixture.run('hostname; exit 1', { attempts: 3 });
    expect((await fixture.ended(id)).status).toMatchObject({ stage: 'ERROR', failureCount: 3 });
    expect(new Set(await fixture.log(id)).size).toBe(3);
    expect(await fixture.container(id)).toBeUndefined();
  });

  test.each([
    [{ command: undefined }, ['entry point: of the image']],
    [{ command: undefined, arguments: ['of the job'] }, ['entry point: of the job']],
    [{ command: ['echo', 'a'], arguments: ['b c', '$HOME'] }, ['a b c $HOME']],
    [{ command: ['echo'] }, ['']],
  ])('%j replaces the command of the image', async (change, log) => {
    const id = await fixture.run('', change as object);
    await fixture.ended(id);
    expect(await fixture.log(id)).toEqual(log);
  });

  test('a job that takes too long is killed with all of its processes', async () => {
    const id = await fixture.run('sleep 1000 & echo begun; sleep 1000', { timeoutSeconds: 5, attempts: 2 });
    expect((await fixture.ended(id)).status).toMatchObject({ stage: 'ERROR', message: 'Job timeout' });
    expect(await fixture.log(id)).toEqual(['begun']);
    expect(await fixture.container(id)).toBeUndefined();
  });

  test('a job that is canceled is killed', async () => {
    const id = await fixture.run('echo begun; trap "" TERM; sleep 1000');
    await fixture.until(id, running);
    await cancelJob({ ...fixture.connection(), jobId: id });
    expect((await fixture.ended(id)).status.stage).toBe('CANCELED');
    await fixture.log(id);
    await expect.poll(() => fixture.container(id)).toBeUndefined();
  });

  test('a container has the limits of its flavor and no privileges', async () => {
    const script = `
      grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status
      ls /sys/class/net
      cat /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max 2>/dev/null
      mount -t tmpfs none /mnt 2>/dev/null || echo no mount
      while ! [ -e /go ]; do sleep 0.1; done`;
    const id = await fixture.run(script, { labels: { 'moonbase.hub': 'x', 'moonbase.attempt': 'y' } });
    await fixture.until(id, running);
    const container = await fixture.container(id);
    expect(container?.HostConfig).toMatchObject({
      ...{ Memory: 16 * GIB, MemorySwap: 16 * GIB, CpuQuota: 200_000, CpuPeriod: 100_000, PidsLimit: 1024 },
      ...{ NetworkMode: 'none', Privileged: false, ReadonlyRootfs: false },
      ...{ CapAdd: [], SecurityOpt: ['no-new-privileges'], RestartPolicy: { Name: 'no' } },
    });
    expect(container?.Config.Labels).toEqual({
      'moonbase.hub': expect.stringMatching(/^[\w-]{16}$/),
      'moonbase.attempt': `${id}-1`,
    });
    await fixture.podman('exec', container?.Id ?? '', 'touch', '/go');
    await fixture.ended(id);
    const log = await fixture.log(id);
    expect(log.filter((line) => line.startsWith('Cap'))).toEqual(
      ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map((name) => `${name}:\t${'0'.repeat(16)}`),
    );
    expect(log).toEqual(expect.arrayContaining(['NoNewPrivs:\t1', 'lo', String(16 * GIB), 'no mount']));
    expect(log).not.toContain('eth0');
  });

  test('the operator limits processes and forbids writing', async () => {
    if (!('socket' in engine)) return;
    const settings = { MOONBASE_DOCKER_PIDS_LIMIT: '20', MOONBASE_DOCKER_READ_ONLY_ROOT: 'true' };
    await using other = await startDockerFixture(engine, settings);
    const script =
      'touch /x 2>/dev/null || echo read only; touch /tmp/x && echo but there; for i in $(seq 50); do sleep 9 & done';
    const id = await other.run(script);
    await other.ended(id);
    const log = await other.log(id);
    expect(log.slice(0, 2)).toEqual(['read only', 'but there']);
    expect(log.join()).toContain("can't fork");
  });

  test('secrets are in the environment of the job and nowhere else', async () => {
    const secrets = { TOKEN: 'value-that-is-hidden', LD_PRELOAD: '/secret/library.so' };
    const script = 'echo "$TOKEN $LD_PRELOAD $JOB_ID"; [ "$TOKEN" = "value-that-"is-hidden ] || exit 9';
    const id = await fixture.run(script, { secrets, environment: { LD_LIBRARY_PATH: '/x', A__: '$(id)' } });
    const job = await fixture.ended(id);
    expect(job).toMatchObject({ status: { stage: 'COMPLETED' }, secrets: ['TOKEN', 'LD_PRELOAD'] });
    expect(await fixture.log(id)).toEqual([`*** *** ${id}`]);
    const failed = await fixture.ended(await fixture.run('', { command: ['/none'], secrets }));
    const told = JSON.stringify([job, failed, await collect(streamJobEvents({ ...fixture.connection(), jobId: id }))]);
    for (const text of [told, fixture.hub.errors()])
      for (const value of Object.values(secrets)) expect(text).not.toContain(value);
  });

  test.each(['python', 'python:3.12', 'localhost/moonbase', 'localhost/moonbases/a', 'docker.io/localhost/moonbase/a'])(
    'the image %s is not allowed',
    async (dockerImage) => {
      const before = await collect(listJobs(fixture.connection()));
      const error = await refusal(fixture.run('true', { dockerImage }));
      expect(error).toMatchObject({ status: 400, issues: [{ path: 'body.dockerImage' }] });
      expect(error.message).toContain('operator');
      expect(await collect(listJobs(fixture.connection()))).toHaveLength(before.length);
    },
  );

  test('limits that the engine cannot enforce are refused', async () => {
    const space = { dockerImage: undefined, spaceId: 'acme/space' };
    expect(await refusal(fixture.run('true', space))).toMatchObject({
      status: 400,
      issues: [{ path: 'body.spaceId' }],
    });
    expect(await refusal(fixture.run('true', { flavor: 't4-small' }))).toMatchObject({
      issues: [{ path: 'body.flavor' }],
    });
    const volumes = [{ type: 'bucket', source: 'admin/data', mountPath: '/data' } as const];
    expect(await refusal(fixture.run('true', { volumes }))).toMatchObject({ issues: [{ path: 'body.volumes' }] });
  });

  test('a long log is cut at its limit with a note, however much more is written', async () => {
    const id = await fixture.run('yes "0123456789 the quick brown fox" | head -c 20000000; echo end >&2');
    expect((await fixture.ended(id)).status.stage).toBe('COMPLETED');
    const log = await fixture.log(id);
    expect(log.at(-1)).toMatch(/^===== The log ends here/);
    expect(log.join('\n').length).toBeGreaterThan(9.9 * 1024 * 1024);
    const peak = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${fixture.hub.pid}/status`, 'utf8'))?.[1];
    expect(Number(peak) / 1024).toBeLessThan(300);
    expect(new Set(log.slice(0, -1))).toEqual(new Set(['0123456789 the quick brown fox']));
  });
});
