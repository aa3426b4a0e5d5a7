import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createLaunch, type LaunchedProcess } from './launcher.ts';

const launch = createLaunch();
const shell = (script: string, environment: Record<string, string> = {}) => ({
  file: '/bin/sh',
  args: ['-c', script],
  environment: { PATH: '/usr/bin:/bin', ...environment },
  niceness: 5,
});
/** Waits for the first piece of output. */
const firstOutput = (process: LaunchedProcess) =>
  new Promise<string>((resolve) => process.output.once('data', (bytes: Buffer) => resolve(String(bytes))));

test('a program gets its arguments, its environment and its input, and its output and exit code are there', async () => {
  const git = await launch(shell('echo "$NAME"; echo oh >&2; cat; nice; exit 3', { NAME: "it's here" }));
  git.input.end('a line\n');
  const [output, errors] = await Promise.all([text(git.output), text(git.errors)]);
  expect(output).toBe("it's here\na line\n5\n");
  expect(errors).toBe('oh\n');
  expect(await git.ended).toBe(3);
});

test.runIf(existsSync('/proc/self/autogroup'))('a program has the low priority among all sessions, too', async () => {
  const git = await launch(shell('until grep "nice 5" /proc/self/autogroup; do sleep 0.02; done'));
  expect(await text(git.output)).toContain('nice 5');
});

test('a program gets no variable of the hub', async () => {
  const git = await launch({ file: '/usr/bin/env', args: [], environment: { ONLY: 'this' }, niceness: 0 });
  expect(await text(git.output)).toBe('ONLY=this\n');
});

test('megabytes go both ways at once between hub and programs', async () => {
  const bytes = Buffer.alloc(3_000_000, 'all of it ');
  const echoes = Array.from({ length: 5 }, async () => {
    const git = await launch(shell('cat'));
    git.input.end(bytes);
    return text(git.output);
  });
  for (const echo of await Promise.all(echoes)) expect(echo === bytes.toString()).toBe(true);
});

test('a killed program ends with its children, without an exit code', async () => {
  // The child holds the output open.
  const git = await launch(shell('sleep 1000 & echo begun; wait'));
  expect(await firstOutput(git)).toBe('begun\n');
  git.kill();
  expect(await git.ended).toBeNull();
});

test('output that is read late is complete, and output that nobody reads is dropped with its process', async () => {
  const late = await launch(shell('echo late'));
  await pause(100);
  expect(await text(late.output)).toBe('late\n');
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-launcher-'));
  const id = join(folder, 'id');
  const unread = await launch(shell('head -c 1000 /dev/zero; echo oh >&2; echo $$ >"$ID"', { ID: id }));
  const hasEnded = () => {
    const number = existsSync(id) ? readFileSync(id, 'utf8').trim() : '';
    return number !== '' && !existsSync(`/proc/${number}`);
  };
  await expect.poll(hasEnded, { timeout: 30_000 }).toBe(true);
  unread.kill();
  expect(await unread.ended).toBe(0);
  rmSync(folder, { recursive: true });
});

test('a program that is not there is refused, and the next one starts', async () => {
  await expect(launch({ file: '/no/such', args: [], environment: {}, niceness: 0 })).rejects.toThrow(
    '/no/such could not be started',
  );
  expect(await text((await launch(shell('echo next'))).output)).toBe('next\n');
});

test('a program that reads no input and ends early is no error', async () => {
  const git = await launch(shell('exit 0'));
  git.input.end(Buffer.alloc(1_000_000));
  git.output.resume();
  git.errors.resume();
  expect(await git.ended).toBe(0);
});

test('the end of the launcher ends its programs for the hub, and the next program starts a new one', async () => {
  const git = await launch(shell('echo $PPID; exec cat'));
  const launcher = Number(await firstOutput(git));
  process.kill(launcher, 'SIGKILL');
  expect(await git.ended).toBeNull();
  const next = await launch(shell('echo $PPID'));
  const other = Number(await text(next.output));
  expect(other).not.toBe(launcher);
  expect(await next.ended).toBe(0);
});

test('a launcher whose socket was deleted is replaced, and ends once its last program has ended', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-launcher-'));
  vi.stubEnv('TMPDIR', folder);
  const start = createLaunch();
  const first = await start(shell('echo $PPID; exec cat'));
  vi.unstubAllEnvs();
  const launcher = Number(await firstOutput(first));
  rmSync(folder, { recursive: true });
  const others = await Promise.all([1, 2].map(async () => text((await start(shell('echo $PPID'))).output)));
  expect(new Set(others).size).toBe(1);
  expect(others[0]).not.toBe(`${launcher}\n`);
  first.input.end('still here');
  expect(await text(first.output)).toBe('still here');
  expect(await first.ended).toBe(0);
  await expect.poll(() => existsSync(`/proc/${launcher}`)).toBe(false);
});

test('signals to the whole group of the hub do not end the launcher', async () => {
  const git = await launch(shell('echo $PPID; exec cat'));
  const launcher = Number(await firstOutput(git));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(launcher, signal);
  expect(await text((await launch(shell('echo $PPID'))).output)).toBe(`${launcher}\n`);
  git.input.end();
  expect(await git.ended).toBe(0);
});
