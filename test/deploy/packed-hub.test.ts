import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGES = ['contract', 'client', 'console', 'server', 'cli'];

/** Installing takes seconds, but minutes on a machine that does much else. */
const INSTALLING_MS = 1_800_000;

/** An empty folder into which the packages were installed, as somebody does who has no checkout. */
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moonbase-packed-hub-'));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
  // The scripts of packages compile what the installation of the checkout has compiled already.
  const pack = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  const workspaces = PACKAGES.flatMap((name) => ['--workspace', `packages/${name}`]);
  const { stdout } = await run('npm', [...pack, ...workspaces], { cwd: root });
  const tarballs = stdout.trim().split('\n');
  expect(tarballs).toHaveLength(PACKAGES.length);
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
  await run('npm', [...install, ...tarballs.map((file) => join(folder, file))], { cwd: folder });
}, INSTALLING_MS);
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns what a pattern finds in the output of a process, as soon as it does. */
async function heard(child: ChildProcess, pattern: RegExp): Promise<string> {
  let said = '';
  for await (const text of child.stdout ?? []) {
    said += String(text);
    const [, found] = pattern.exec(said) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error(`The process ended before it said ${pattern}: ${said}`);
}

test('packed packages serve a hub: first start, console, repository, webhook, upload, delivery', async () => {
  const delivered: string[] = [];
  const receiver = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (text: string) => delivered.push(text));
    request.on('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void receiver.close());
  const { port } = receiver.address() as AddressInfo;

  const settings = { MOONBASE_PORT: '0', MOONBASE_DATA_DIR: join(folder, 'data'), MOONBASE_LOG_LEVEL: 'error' };
  const env = { PATH: process.env.PATH, HOME: folder };
  const hub = spawn(join(folder, 'node_modules/.bin/moonbase'), ['serve'], {
    cwd: folder,
    env: { ...env, ...settings },
  });
  const ended = once(hub, 'exit');
  onTestFinished(async () => {
    hub.kill();
    await ended;
  });
  // Only what comes next is left to read after a loop over the output, so both are found by one pattern.
  const found = await heard(hub, /listening on (\S+ .*shown this once: hf_\w+)\n/s);
  const [hubUrl = '', token = ''] = [found.split(' ')[0], found.split(' ').at(-1)];
  const moonbase = async (...args: string[]) => {
    const options = { cwd: folder, env: { ...env, MOONBASE_URL: hubUrl, MOONBASE_TOKEN: token } };
    return (await run('npx', ['--no-install', 'moonbase', ...args], options)).stdout;
  };

  const page = await fetch(hubUrl, { headers: { accept: 'text/html' } });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>Moonbase</title>')]);
  await moonbase('repos', 'create', 'admin/toy');
  await moonbase('webhooks', 'create', '--target', `http://127.0.0.1:${port}/hook`, '--watch', 'user:admin');
  await writeFile(join(folder, 'weights.bin'), 'a few bytes');
  expect(await moonbase('upload', 'admin/toy', 'weights.bin')).toContain('uploaded 1 file');
  expect(await moonbase('cat', 'admin/toy', 'weights.bin')).toBe('a few bytes');
  await expect.poll(() => delivered.join('')).toContain('"scope":"repo.content"');
});
