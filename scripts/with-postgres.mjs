// node scripts/with-postgres.mjs COMMAND [ARGS…]
// Runs COMMAND with MOONBASE_TEST_POSTGRES_URL set: to what it is already, or to a PostgreSQL of its own for as long as COMMAND runs.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

const OLDEST = 15;
const START_TIMEOUT = 30_000;
const STOP_TIMEOUT = 20_000;

const [command, ...args] = process.argv.slice(2);
let running;
let interruption;
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    interruption = signal;
    // A terminal has sent its SIGINT to COMMAND as well; a second one would make most tools give up their own clean-up.
    if (signal === 'SIGTERM' || !process.stdin.isTTY) running?.kill(signal);
  });
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function main() {
  if (!command) throw new Error('Usage: node scripts/with-postgres.mjs COMMAND [ARGS…]');
  if (process.env.MOONBASE_TEST_POSTGRES_URL) return run(process.env.MOONBASE_TEST_POSTGRES_URL);

  const bin = installedServer();
  const owner = unprivilegedOwner();
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-postgres-'));
  try {
    if (owner.uid !== undefined) chownSync(folder, owner.uid, owner.gid);
    createCluster(bin, folder, owner);
    const { server, url } = await start(bin, folder, owner);
    try {
      return interruption ? 128 + constants.signals[interruption] : await run(url);
    } finally {
      await stop(server);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function run(url) {
  running = spawn(command, args, { stdio: 'inherit', env: { ...process.env, MOONBASE_TEST_POSTGRES_URL: url } });
  try {
    const [status, signal] = await once(running, 'exit');
    return status ?? 128 + constants.signals[signal];
  } catch (error) {
    console.error(`${command} cannot be run: ${error.message}`);
    return error.code === 'ENOENT' ? 127 : 126;
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
  // A link in the path leads to the folder where initdb is too.
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

function createCluster(bin, folder, owner) {
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

async function start(bin, folder, owner) {
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 200,
    // The cluster never outlives the command, so there is no crash to survive, and flushing is most of a short test's time.
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
  };
  const log = join(folder, 'server.log');
  const file = openSync(log, 'a');
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', join(folder, 'data'), ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // In a process group of its own: an interrupt at the terminal must not take the database away before COMMAND has ended.
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
  return { server, url: `postgresql://postgres@127.0.0.1:${port}/postgres` };
}

// The eighth line of postmaster.pid is the server's state; pg_ctl --wait reads it too.
function isReady(folder) {
  const file = join(folder, 'data', 'postmaster.pid');
  return existsSync(file) && readFileSync(file, 'utf8').split('\n')[7]?.trim() === 'ready';
}

async function stop(server) {
  if (hasEnded(server)) return;
  const ended = once(server, 'exit');
  // PostgreSQL's own meanings: SIGINT is a fast shutdown, SIGQUIT an immediate one.
  server.kill('SIGINT');
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
