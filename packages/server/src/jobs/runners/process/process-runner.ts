import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { type AttemptState, type Launch, LaunchFailure, type Runner } from '../runner.ts';
import {
  emptyOutput,
  exitCodeIn,
  folderNames,
  folderOf,
  keyOf,
  makeFolder,
  openOutput,
  readOutput,
  removeFolder,
  seal,
  startedIn,
} from './attempt-folder.ts';
import { isAlive, killSession, usageOf } from './process-session.ts';

interface Dependencies {
  /** Where each attempt has a folder of its own. */
  readonly folder: string;
  /** Told when a process of this hub has ended. */
  readonly changed: () => void;
}

const SHELL = '/bin/sh';

/**
 * Runs the command as a process that needs no hub: it says that it has begun, which one only can, and how the command
 * ended, and takes along what the command left running. The names of its own variables cannot be those of a job.
 */
const SCRIPT = `set -C
read -r _stat < /proc/$$/stat && echo "$_stat" > ../started || exit 125
set +C
(exec "$@")
echo $? > ../exit
kill -KILL 0`;

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const NOTE = 'Runs as a process on the machine of the hub: image and flavor are not applied';

/** Runs jobs as processes beside the hub, each in a folder and a session of its own. For development: it is no sandbox. */
export function createProcessRunner({ folder: attempts, changed }: Dependencies): Runner {
  const folders = new Map<string, string>();
  const children = new Map<string, ChildProcess>();

  async function find(key: string): Promise<string | undefined> {
    const known = folders.get(key);
    if (known !== undefined) return known;
    for (const name of await folderNames(attempts)) {
      const folder = join(attempts, name);
      if (keyOf(name) === key && (await startedIn(folder))) {
        folders.set(key, folder);
        return folder;
      }
    }
    return undefined;
  }

  /** A folder that a hub made which died: whether its process has begun; if not, it never will. */
  async function adopt(key: string): Promise<boolean> {
    for (const name of await folderNames(attempts)) {
      if (keyOf(name) !== key) continue;
      const folder = join(attempts, name);
      if (!(await seal(folder))) {
        folders.set(key, folder);
        return true;
      }
      await removeFolder(folder);
    }
    return false;
  }

  async function begin({ key, specification, environment }: Launch): Promise<void> {
    const folder = folderOf(attempts, key, randomBytes(6).toString('hex'));
    await makeFolder(folder);
    const work = join(folder, 'work');
    const output = await openOutput(folder);
    try {
      const command = [...(specification.command ?? []), ...(specification.arguments ?? [])];
      const child = spawn(SHELL, ['-c', SCRIPT, 'job', ...command], {
        cwd: work,
        env: { PATH, HOME: work, ...environment },
        stdio: ['ignore', output.fd, output.fd],
        detached: true,
      });
      folders.set(key, folder);
      children.set(key, child);
      child.once('exit', () => {
        children.delete(key);
        changed();
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
      });
      child.unref();
    } catch (error) {
      children.delete(key);
      folders.delete(key);
      throw new LaunchFailure(
        `The process could not be started: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`,
      );
    } finally {
      await output.close();
    }
  }

  async function look(key: string): Promise<AttemptState> {
    const folder = await find(key);
    if (folder === undefined) return { state: 'ended', exitCode: null };
    // In this order: whoever ends says so first.
    const started = await startedIn(folder);
    const runs = children.has(key) || (started !== undefined && (await isAlive(started)));
    const exitCode = await exitCodeIn(folder);
    if (exitCode !== undefined) return { state: 'ended', exitCode };
    return runs ? { state: 'running' } : { state: 'ended', exitCode: null };
  }

  /** Where it may begin yet, it is kept from that; where it has begun, it is killed. */
  async function end(folder: string): Promise<void> {
    if (await seal(folder)) return;
    const started = await startedIn(folder);
    if (started) await killSession(started);
  }

  return {
    name: 'process',
    note: NOTE,

    refusal({ command, volumes }) {
      if (volumes) return { path: 'volumes', message: 'cannot be mounted: this hub runs jobs as processes' };
      if (!command)
        return { path: 'command', message: 'is needed: this hub runs jobs as processes, without their image' };
      if (command[0]?.startsWith('-')) return { path: 'command.0', message: 'must be a program, not an option' };
      if (!existsSync('/proc/self/stat')) return { path: undefined, message: 'Processes can be run on Linux only' };
      return undefined;
    },

    async start(launch) {
      if (children.has(launch.key) || (await adopt(launch.key))) return;
      await begin(launch);
    },

    look,

    async read(key, position, most) {
      const folder = await find(key);
      const offset = Number(position);
      const bytes = folder === undefined ? Buffer.alloc(0) : await readOutput(folder, offset, most);
      return { bytes, position: String(offset + bytes.length) };
    },

    async measure(key) {
      const folder = await find(key);
      const started = folder === undefined ? undefined : await startedIn(folder);
      if (!started || !(await isAlive(started))) return undefined;
      return { ...(await usageOf(started)), memoryTotalBytes: totalmem() };
    },

    async discard(key) {
      const folder = await find(key);
      if (folder !== undefined) await emptyOutput(folder);
    },

    async stop(key) {
      for (const name of await folderNames(attempts)) if (keyOf(name) === key) await end(join(attempts, name));
    },

    async forget(key) {
      folders.delete(key);
      for (const name of await folderNames(attempts)) if (keyOf(name) === key) await removeFolder(join(attempts, name));
    },

    async sweep(keys) {
      for (const name of await folderNames(attempts)) {
        if (keys.has(keyOf(name))) continue;
        await end(join(attempts, name));
        await removeFolder(join(attempts, name));
        folders.delete(keyOf(name));
      }
    },
  };
}
