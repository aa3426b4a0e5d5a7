// Runs a private PostgreSQL in a temporary folder for tests, of the newest installed version.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const OLDEST = 15;
const START_TIMEOUT = 30_000;
const STOP_TIMEOUT = 20_000;
/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1024 ** 3;

/**
 * Makes a cluster without starting it. `settings` are settings of PostgreSQL; the address of the cluster never changes.
 */
export async function makeCluster(settings = {}) {
  const bin = installedServer();
  const owner = unprivilegedOwner();
  const folder = mkdtempSync(join(parentFolder(), 'moonbase-postgres-'));
  let server;
  const cluster = {
    folder,
    owner,
    url: '',
    async start() {
      server = await start(bin, folder, owner, Number(new URL(cluster.url).port), settings);
    },
    stop: (signal) => stop(server, signal),
    async remove() {
      await stop(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  try {
    cluster.url = `postgresql://postgres@127.0.0.1:${await freePort()}/postgres`;
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
    initialize(bin, folder, owner);
    return cluster;
  } catch (error) {
    await cluster.remove();
    throw error;
  }
}

/** Prefers memory where it has room: each test makes a database, and files on a disk take a third of its time. */
function parentFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MIN_FREE_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

function installedServer() {
  const bin = [configuredFolder(), ...debianFolders(), ...pathFolders()].find((folder) => majorOf(folder) >= OLDEST);
  if (bin) return bin;
  throw new Error(
    `Install PostgreSQL ${OLDEST} or newer (Debian: apt-get install postgresql) or set MOONBASE_TEST_POSTGRES_URL.`,
  );
}

function configuredFolder() {
  return output('pg_config', ['--bindir']);
}

function debianFolders() {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  const newestFirst = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  return newestFirst.map((version) => join(versions, version, 'bin'));
}

function pathFolders() {
  const folders = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'postgres'));
  // The resolved path leads to the folder that also contains initdb.
  return folders.filter(existsSync).map((server) => dirname(realpathSync(server)));
}

function majorOf(folder) {
  if (!folder || !existsSync(join(folder, 'initdb'))) return 0;
  return Number(/(\d+)/.exec(output(join(folder, 'postgres'), ['--version']))?.[1] ?? 0);
}

function output(program, parameters) {
  try {
    return execFileSync(program, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

// PostgreSQL refuses to run as root.
function unprivilegedOwner() {
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = [output('id', ['-u', 'postgres']), output('id', ['-g', 'postgres'])];
  if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  throw new Error('PostgreSQL does not run as root: add a user "postgres", or run this as another user.');
}

function initialize(bin, folder, owner) {
  const attempt = (locale) => {
    const options = ['--username=postgres', '--auth=trust', '--encoding=UTF8', `--locale=${locale}`, '--no-sync'];
    const stdio = ['ignore', 'ignore', 'pipe'];
    execFileSync(join(bin, 'initdb'), ['-D', join(folder, 'data'), ...options], { cwd: folder, stdio, ...owner });
  };
  try {
    attempt('C.UTF-8');
  } catch {
    rmSync(join(folder, 'data'), { recursive: true, force: true });
    attempt('C');
  }
}

async function start(bin, folder, owner, port, further) {
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    // The machine does not crash during a test, and flushing is most of a short test's time.
    fsync: 'off',
    full_page_writes: 'off',
    ...further,
  };
  const log = join(folder, 'server.log');
  const file = openSync(log, 'a');
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', join(folder, 'data'), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // The server has a process group of its own, so that an interrupt at the terminal does not stop it before COMMAND
    // has ended.
    { cwd: folder, stdio: ['ignore', file, file], detached: true, ...owner },
  );
  await once(server, 'spawn');
  const deadline = Date.now() + START_TIMEOUT;
  while (!isReady(folder)) {
    if (hasEnded(server) || Date.now() > deadline) {
      await stop(server);
      throw new Error(`PostgreSQL did not start:\n${readFileSync(log, 'utf8')}`);
    }
    await wait(20);
  }
  return server;
}

// The eighth line of postmaster.pid is the server's state; pg_ctl --wait reads it too.
function isReady(folder) {
  const file = join(folder, 'data', 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready';
}

// In PostgreSQL SIGINT is a fast shutdown, and SIGQUIT an immediate one, as after a crash.
async function stop(server, signal = 'SIGINT') {
  if (!server || hasEnded(server)) return;
  const ended = once(server, 'exit');
  server.kill(signal);
  const impatience = setTimeout(() => server.kill('SIGQUIT'), STOP_TIMEOUT);
  await ended;
  clearTimeout(impatience);
}

function hasEnded(child) {
  return child.exitCode !== null || child.signalCode !== null;
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
