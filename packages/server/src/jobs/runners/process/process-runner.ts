import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { codeOf } from '../../../platform/error-text.ts';
import { type AttemptState, type Launch, LaunchFailure, type Runner } from '../runner.ts';
import { emptyOutput, exitCodeIn, openOutput, readOutput, seal, startedIn } from './attempt-folder.ts';
import { createAttemptFolders } from './attempt-folders.ts';
import { isAlive, killSession, usageOf } from './process-session.ts';

interface Dependencies {
  /** The folder that contains a folder for each attempt. */
  readonly folder: string;
  /** Called when a process of this hub has ended. */
  readonly onChange: () => void;
}

const SHELL = '/bin/sh';

/**
 * Writes a start marker (created exclusively, so that one process begins), runs the command, writes its exit status and
 * kills the process group, all without the hub. `_stat` cannot be a variable of a job, whose names begin with a letter.
 */
const SCRIPT = `set -C
read -r _stat < /proc/$$/stat && echo "$_stat" > ../started || exit 125
set +C
(exec "$@")
echo $? > ../exit
kill -KILL 0`;

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

const NOTE = 'Runs as a process on the machine of the hub: image and flavor are not applied';

/** Runs jobs as processes of this machine, each in a folder and a session of its own. For development: no sandbox. */
export function createProcessRunner({ folder: attempts, onChange }: Dependencies): Runner {
  const folders = createAttemptFolders(attempts);
  const children = new Map<string, ChildProcess>();

  async function begin({ key, specification, environment }: Launch): Promise<void> {
    const folder = await folders.make(key);
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
      folders.hasBegun(key, folder);
      children.set(key, child);
      child.once('exit', () => {
        children.delete(key);
        onChange();
      });
      await new Promise<void>((resolve, reject) => {
        child.once('spawn', resolve);
        child.once('error', reject);
      });
      child.unref();
    } catch (error) {
      children.delete(key);
      folders.hasNotBegun(key);
      throw new LaunchFailure(`The process could not be started: ${codeOf(error) ?? 'unknown'}`);
    } finally {
      await output.close();
    }
  }

  async function inspect(key: string): Promise<AttemptState> {
    const folder = await folders.find(key);
    if (folder === undefined) return { state: 'ended', exitCode: null };
    // The exit status is read last, because a process writes its status before it ends.
    const started = await startedIn(folder);
    const runs = children.has(key) || (started !== undefined && (await isAlive(started)));
    const exitCode = await exitCodeIn(folder);
    if (exitCode !== undefined) return { state: 'ended', exitCode };
    return runs ? { state: 'running' } : { state: 'ended', exitCode: null };
  }

  async function stop(key: string): Promise<void> {
    for (const folder of await folders.allOf(key)) await end(folder);
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
      if (children.has(launch.key) || (await folders.adopt(launch.key))) return;
      await begin(launch);
    },

    inspect,

    async read(key, position, maxBytes) {
      const folder = await folders.find(key);
      const offset = Number(position);
      const bytes = folder === undefined ? Buffer.alloc(0) : await readOutput(folder, offset, maxBytes);
      return { bytes, position: String(offset + bytes.length) };
    },

    async measure(key) {
      const folder = await folders.find(key);
      const started = folder === undefined ? undefined : await startedIn(folder);
      if (!started || !(await isAlive(started))) return undefined;
      return { ...(await usageOf(started)), memoryTotalBytes: totalmem() };
    },

    async discard(key) {
      const folder = await folders.find(key);
      if (folder !== undefined) await emptyOutput(folder);
    },

    stop,

    forget: (key) => folders.remove(key),

    async sweep(wanted) {
      for (const key of await folders.keys()) {
        if (wanted.has(key)) continue;
        await stop(key);
        await folders.remove(key);
      }
    },
  };
}

/** Prevents the process of a folder from beginning, or kills its session if it has begun. */
async function end(folder: string): Promise<void> {
  if (await seal(folder)) return;
  const started = await startedIn(folder);
  if (started) await killSession(started);
}
