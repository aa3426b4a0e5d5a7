import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredSpecification } from '../../runs/specification.ts';
import { LaunchFailure, type Runner } from '../runner.ts';
import { folderOf, makeFolder } from './attempt-folder.ts';
import { createProcessRunner } from './process-runner.ts';
import { parseStat } from './process-session.ts';

let folder: string;
let runner: Runner;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-runner-'));
  runner = another();
});
afterEach(async () => {
  await runner.sweep(new Set());
  await rm(folder, { recursive: true, force: true });
});

/** Returns a runner as after a restart of the hub, which knows only the folder. */
const another = () => createProcessRunner({ folder, onChange: () => {} });

const specification = (command: string[]): StoredSpecification => ({
  dockerImage: 'python:3.12',
  flavor: 'cpu-basic',
  environment: {},
  timeoutSeconds: null,
  attempts: 1,
  secretNames: [],
  command,
});

const start = (key: string, command: string[], environment: Record<string, string> = {}) =>
  runner.start({ key, specification: specification(command), environment, labels: {} });
const shell = (key: string, script: string, environment?: Record<string, string>) =>
  start(key, ['/bin/sh', '-c', script], environment);

/** Returns the exit code of an attempt, once it has ended. */
async function exitOf(key: string): Promise<number | null> {
  for (let tries = 0; tries < 1000; tries++) {
    const state = await runner.inspect(key);
    if (state.state === 'ended') return state.exitCode;
    await setTimeout(10);
  }
  throw new Error('It runs and runs');
}
const outputOf = async (key: string) => (await runner.read(key, '', 1_000_000)).bytes.toString();

/** Waits until the command has written a text. */
async function written(key: string, text: string): Promise<string> {
  for (let tries = 0; tries < 1000; tries++) {
    const output = await outputOf(key);
    if (output.includes(text)) return output;
    await setTimeout(10);
  }
  throw new Error(`It never wrote ${text}`);
}
function isThere(pid: number): boolean {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.alive ?? false;
  } catch {
    return false;
  }
}

describe('a command', () => {
  test('runs with the given environment only, in a folder of its own', async () => {
    await start('a-1', ['/usr/bin/env'], { ONLY: 'this', _stat: 'mine' });
    expect(await exitOf('a-1')).toBe(0);
    const names = (await outputOf('a-1'))
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0]);
    expect(new Set(names.filter((name) => name !== '_stat'))).toEqual(new Set(['HOME', 'ONLY', 'PATH', 'PWD']));
  });

  test.each([
    ['that fails', ['/bin/sh', '-c', 'exit 3'], 3],
    ['that does not exist', ['no-such-command'], 127],
    ['that is a shell builtin', ['exit', '4'], 127],
    ['that is ended by a signal', ['/bin/sh', '-c', 'kill -TERM $$'], 143],
    ['with arguments that a shell would interpret', ['/bin/echo', '$(exit 9); exit 9 #'], 0],
  ])('%s ends with its exit code', async (_, command, code) => {
    await start('a-1', command);
    expect(await exitOf('a-1')).toBe(code);
  });

  test('that kills its whole process group has ended with an unknown exit code', async () => {
    await shell('a-1', 'kill -KILL 0');
    expect(await exitOf('a-1')).toBe(null);
  });

  test('leaves no background process behind after a stop', async () => {
    await shell('a-1', 'sleep 1000 & echo pid $! end; exit 0');
    expect(await exitOf('a-1')).toBe(0);
    await runner.stop('a-1');
    const pid = Number(/pid (\d+) end/.exec(await outputOf('a-1'))?.[1]);
    expect([pid > 0, isThere(pid)]).toEqual([true, false]);
  });

  test('does not start with an environment that is too long', async () => {
    await expect(shell('a-1', 'true', { LONG: 'x'.repeat(200_000) })).rejects.toThrow(LaunchFailure);
    expect(await runner.inspect('a-1')).toEqual({ state: 'ended', exitCode: null });
  });

  test('gets an empty standard input', async () => {
    await start('a-1', ['/bin/cat']);
    expect(await exitOf('a-1')).toBe(0);
  });
});

describe('stopping', () => {
  test('ends the process and all its descendants', async () => {
    await shell('a-1', 'sleep 1000 & (sleep 1000 & wait) & echo ready; wait');
    await written('a-1', 'ready');
    await runner.stop('a-1');
    expect(await runner.inspect('a-1')).toMatchObject({ state: 'ended' });
    await runner.stop('a-1');
    await runner.forget('a-1');
    expect(await readdir(folder)).toEqual([]);
  });

  test('ends a process that ignores signals', async () => {
    await shell('a-1', "trap '' TERM INT HUP; echo ready; while :; do sleep 1; done");
    await written('a-1', 'ready');
    await runner.stop('a-1');
    expect(await runner.inspect('a-1')).toMatchObject({ state: 'ended' });
  });

  test('by a sweep ends unknown attempts and leaves the known ones running', async () => {
    await shell('a-1', 'echo ready; sleep 1000');
    await shell('b-1', 'echo ready; sleep 1000');
    await Promise.all([written('a-1', 'ready'), written('b-1', 'ready')]);
    await another().sweep(new Set(['b-1']));
    expect(await runner.inspect('a-1')).toMatchObject({ state: 'ended' });
    expect(await runner.inspect('b-1')).toEqual({ state: 'running' });
  });
});

describe('after a restart of the hub', () => {
  test('a running attempt is found, read and stopped', async () => {
    await shell('a-1', 'echo one; sleep 1000');
    await written('a-1', 'one\n');
    runner = another();
    expect(await runner.inspect('a-1')).toEqual({ state: 'running' });
    // Beginning the attempt again has no effect.
    await shell('a-1', 'echo two');
    expect(await outputOf('a-1')).toBe('one\n');
    expect(await readdir(folder)).toHaveLength(1);
    await runner.stop('a-1');
    expect(await runner.inspect('a-1')).toMatchObject({ state: 'ended' });
  });

  test('an attempt that ended meanwhile has its exit code and its output', async () => {
    await shell('a-1', 'echo one; exit 5');
    expect(await exitOf('a-1')).toBe(5);
    runner = another();
    expect(await runner.inspect('a-1')).toEqual({ state: 'ended', exitCode: 5 });
    expect(await outputOf('a-1')).toBe('one\n');
  });

  test('an attempt that was prepared but had not begun begins once', async () => {
    // A hub made the folder and died; its process, if any, has not written its start marker.
    const left = folderOf(folder, 'a-1', 'old');
    await makeFolder(left);
    await shell('a-1', 'echo begun; sleep 1000');
    await written('a-1', 'begun');
    expect(await readdir(folder)).toHaveLength(1);
    // The abandoned folder is removed, so that no process can begin there.
    expect(() => readFileSync(join(left, 'started'))).toThrow();
  });

  test('another process with the same process id is left alone', async () => {
    const left = folderOf(folder, 'a-1', 'old');
    await makeFolder(left);
    const other = readFileSync(`/proc/${process.pid}/stat`, 'utf8');
    const fields = other.slice(0, other.lastIndexOf(') ') + 2);
    const rest = other.slice(fields.length).split(' ');
    rest[19] = '1';
    writeFileSync(join(left, 'started'), fields + rest.join(' '));
    expect(await runner.inspect('a-1')).toEqual({ state: 'ended', exitCode: null });
    await runner.stop('a-1');
    expect(isThere(process.pid)).toBe(true);
  });
});

test('a discard deletes the output so far, and the command goes on writing', async () => {
  await shell('a-1', 'echo before; while [ ! -e go ]; do sleep 0.01; done; echo after');
  await written('a-1', 'before');
  await runner.discard('a-1');
  expect(await outputOf('a-1')).toBe('');
  const [name] = await readdir(folder);
  writeFileSync(join(folder, name ?? '', 'work', 'go'), '');
  expect(await exitOf('a-1')).toBe(0);
  expect(await outputOf('a-1')).toBe('after\n');
});

test.each([
  [{ volumes: [{ type: 'model' as const, source: 'a/b', mountPath: '/m' }] }, 'volumes'],
  [{ command: undefined }, 'command'],
  [{ command: ['-c', 'x'] }, 'command.0'],
])('a specification that needs an image is refused: %j', (change, path) => {
  expect(runner.refusal({ ...specification(['true']), ...change })).toMatchObject({ path });
});
