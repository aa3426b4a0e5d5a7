import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  getJob,
  type JobInfo,
  type JobSpecification,
  runJob,
  streamJobEvents,
  streamJobLogs,
} from '@moonbase/client/jobs';
import { collect } from '../../packages/server/test/harness.ts';
import { type HubProcess, startHubProcess } from '../hub-process.ts';
import { IMAGE, type TestEngine } from './podman.ts';

const execute = promisify(execFile);
const ACCESS_TOKEN = 'hf_tokenOfTheJobTests';
const MAX_MS = 300_000;

type Running = Extract<TestEngine, { socket: string }>;

/** A hub that runs jobs on the engine of the tests. */
export interface DockerFixture extends AsyncDisposable {
  readonly hub: HubProcess;
  readonly folder: string;
  connection(): { readonly hubUrl: string; readonly accessToken: string; readonly namespace: string };
  /** Runs the command line of the engine. */
  podman(...words: string[]): Promise<string>;
  /** Starts a job that runs a shell script; returns the id of the job. */
  run(script: string, change?: Partial<JobSpecification>): Promise<string>;
  until(id: string, is: (job: JobInfo) => boolean): Promise<JobInfo>;
  ended(id: string): Promise<JobInfo>;
  log(id: string): Promise<string[]>;
  reasons(id: string): Promise<string[]>;
  /** Returns the engine's description of a job's container; undefined without a container. */
  container(id: string): Promise<Inspection | undefined>;
  /** Kills the hub without warning. */
  kill(): Promise<void>;
  stop(): Promise<number | null>;
  restart(settings?: Readonly<Record<string, string>>): Promise<void>;
}

export interface Inspection {
  readonly Id: string;
  readonly State: { readonly Status: string };
  readonly HostConfig: Readonly<Record<string, unknown>>;
  readonly Config: { readonly Labels: Readonly<Record<string, string>>; readonly Env: readonly string[] };
}

export async function startDockerFixture(
  engine: Running,
  more: Readonly<Record<string, string>> = {},
): Promise<DockerFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-jobs-'));
  const settings = {
    MOONBASE_DATA_DIR: join(folder, 'data'),
    MOONBASE_ADMIN_TOKEN: ACCESS_TOKEN,
    MOONBASE_JOBS_RUNNER: 'docker',
    MOONBASE_DOCKER_URL: `unix://${engine.socket}`,
    MOONBASE_JOB_IMAGES: `localhost/moonbase/*,${engine.registry}/*`,
    ...more,
  };
  let hub = await startHubProcess(settings);
  const connection = () => ({ hubUrl: hub.url, accessToken: ACCESS_TOKEN, namespace: 'admin' });
  const podman = async (...words: string[]) =>
    (await execute('podman', [...engine.podman, ...words], { env: { ...process.env, ...engine.environment } })).stdout;
  const fixture: DockerFixture = {
    get hub() {
      return hub;
    },
    folder,
    connection,
    podman,
    async run(script, change = {}) {
      const job = { dockerImage: IMAGE, flavor: 'cpu-basic', environment: {}, ...change } as const;
      return (await runJob({ ...connection(), job: { command: ['sh', '-c', script], ...job } })).id;
    },
    async until(id, is) {
      for (const deadline = Date.now() + MAX_MS; ; await setTimeout(20)) {
        const job = await getJob({ ...connection(), jobId: id });
        if (is(job)) return job;
        if (Date.now() > deadline) throw new Error(`It did not come to that: ${JSON.stringify(job.status)}`);
      }
    },
    ended: (id) => fixture.until(id, ({ finishedAt }) => finishedAt !== undefined),
    log: async (id) =>
      (await collect(streamJobLogs({ ...connection(), jobId: id })))
        .map(({ data }) => data)
        .filter((line) => !line.startsWith('===== Job started')),
    reasons: async (id) => (await collect(streamJobEvents({ ...connection(), jobId: id }))).map(({ reason }) => reason),
    async container(id) {
      const ids = (await podman('ps', '--all', '--no-trunc', '--format', '{{.ID}}', '--filter', `name=${id}`)).trim();
      if (ids === '') return undefined;
      const inspected = await podman('inspect', ...ids.split('\n')).catch((error: unknown) => {
        // The hub removed the container between the two commands.
        if (String(error).includes('no such object')) return '[]';
        throw error;
      });
      return (JSON.parse(inspected) as Inspection[])[0];
    },
    kill: () => hub.kill(),
    stop: () => hub.stop(),
    async restart(changed = {}) {
      hub = await startHubProcess({ ...settings, ...changed });
    },
    async [Symbol.asyncDispose]() {
      await hub.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return fixture;
}
