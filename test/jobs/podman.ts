import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

const run = promisify(execFile);

/** The engine that the tests use, or the reason why there is none. */
export type TestEngine =
  | {
      readonly socket: string;
      /** The command line of the engine, which works on the same storage. */
      readonly podman: readonly string[];
      readonly environment: Record<string, string>;
      /** The address of the only registry that the engine talks to; a test may listen there. */
      readonly registry: string;
    }
  | { readonly reason: string };

declare module 'vitest' {
  export interface ProvidedContext {
    engine: TestEngine;
  }
}

/** An image on the engine that contains nothing but busybox. */
export const IMAGE = 'localhost/moonbase/busybox';

const PACKAGES = ['podman', 'runc', 'busybox-static'];
const STARTED_MS = 300_000;

/** Installs Podman with apt-get if it is missing. */
export async function installPodman(): Promise<void> {
  const there = await run('sh', ['-c', 'command -v podman && command -v runc && busybox --list']).then(
    () => true,
    () => false,
  );
  if (there) return;
  const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  await run('apt-get', ['update'], options);
  await run('apt-get', ['install', '-y', '--no-install-recommends', ...PACKAGES], options);
}

/** Returns whether a service listens on a socket. */
const answers = (socketPath: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = request({ socketPath, path: '/_ping' }, (answer) => resolve(answer.resume().statusCode === 200));
    asked.once('error', () => resolve(false)).end();
  });

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** Creates an image with busybox and its names. */
async function makeImage(folder: string, podman: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const tree = join(folder, 'tree');
  for (const name of ['bin', 'etc', 'tmp', 'proc', 'sys', 'dev']) await mkdir(join(tree, name), { recursive: true });
  await copyFile((await run('sh', ['-c', 'command -v busybox'])).stdout.trim(), join(tree, 'bin/busybox'));
  for (const name of (await run('busybox', ['--list'])).stdout.split('\n'))
    if (/^[\w[-]+$/.test(name) && name !== 'busybox') await symlink('busybox', join(tree, 'bin', name));
  await writeFile(join(tree, 'etc/passwd'), 'root:x:0:0:root:/:/bin/sh\n');
  await run('tar', ['-C', tree, '-cf', join(folder, 'tree.tar'), '.']);
  const entry = ['--change', 'ENTRYPOINT ["echo", "entry point:"]', '--change', 'CMD ["of the image"]'];
  await run('podman', [...podman, 'import', ...entry, join(folder, 'tree.tar'), `${IMAGE}:latest`], { env });
}

/** Installs Podman if it is missing, and starts its service with storage of its own. */
async function start(): Promise<{ engine: TestEngine; stop: () => Promise<void> }> {
  if (process.platform !== 'linux') throw new Error('containers run on Linux only');
  if (process.getuid?.() !== 0) throw new Error('the suite installs and starts Podman as root');
  await installPodman();
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-podman-'));
  const conf = join(folder, 'containers.conf');
  const registries = join(folder, 'registries.conf');
  await writeFile(conf, '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]\n');
  const registry = `127.0.0.1:${await freePort()}`;
  await writeFile(registries, `[[registry]]\nlocation = "${registry}"\ninsecure = true\n`);
  const environment = { CONTAINERS_CONF: conf, CONTAINERS_REGISTRIES_CONF: registries };
  const env = { ...process.env, ...environment };
  const podman = [
    ...['--root', join(folder, 'root'), '--runroot', join(folder, 'run'), '--tmpdir', join(folder, 'tmp')],
    ...['--storage-driver', 'vfs', '--cgroup-manager', 'cgroupfs', '--runtime', 'runc', '--events-backend', 'file'],
  ];
  const socket = join(folder, 'podman.sock');
  const service = spawn('podman', [...podman, 'system', 'service', '--time', '0', `unix://${socket}`], {
    env,
    stdio: ['ignore', 'ignore', 'ignore'],
  });
  const stop = async () => {
    await run('podman', [...podman, 'rm', '--all', '--force', '--time', '0'], { env });
    service.kill('SIGTERM');
    if (service.exitCode === null && service.signalCode === null)
      await new Promise((resolve) => service.once('exit', resolve));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await makeImage(folder, podman, env);
    for (const deadline = Date.now() + STARTED_MS; !(existsSync(socket) && (await answers(socket))); ) {
      if (Date.now() > deadline || service.exitCode !== null) throw new Error('the service of Podman did not start');
      await setTimeout(50);
    }
    await run('podman', [...podman, 'run', '--rm', '--network', 'none', `${IMAGE}:latest`], { env });
    return { engine: { socket, podman, environment, registry }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

let stopEngine = async () => {};

/**
 * Runs before all tests, which are skipped with the reason if there is no engine; in continuous integration they never
 * are.
 */
export async function setup({ provide }: TestProject): Promise<void> {
  try {
    const { engine, stop } = await start();
    stopEngine = stop;
    provide('engine', engine);
  } catch (error) {
    if (process.env.CI) throw error;
    const { message, stderr = '' } = error as Error & { stderr?: string };
    const reason = `${message} ${stderr}`.trim();
    console.warn(`No container engine: ${reason}`);
    provide('engine', { reason });
  }
}

export const teardown = (): Promise<void> => stopEngine();
