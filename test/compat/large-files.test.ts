import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { commit, createRepo, downloadFile } from '@huggingface/hub';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fileWith } from './files.ts';
import { programOf } from './python-clients.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

/** The clients and what makes them send large files; `xet`: through Xet, because they do not ask the hub. */
describe.each([
  ['newest', 'as shipped', {}, true],
  ['previous', 'as shipped', {}, true],
  ['before-xet', 'as shipped', {}, false],
  ['oldest', 'as shipped', {}, false],
  ['newest', 'without Xet', { HF_HUB_DISABLE_XET: '1' }, false],
] as const)('huggingface_hub (%s, %s)', (client, how, variables, xet) => {
  test('uploads folders, changed files and pull requests with large files', () =>
    world.python('large_files', { prefix: `${client}-${how.replace(' ', '-')}`, xet }, client, variables));
});

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function sentBytes(): Promise<number> {
  const headers = { authorization: `Bearer ${world.as('admin').accessToken}` };
  const text = await (await fetch(`${world.hubUrl}/metrics`, { headers })).text();
  return Number(/^moonbase_xet_bytes_total\{what="xorbs"\} (\d+)/m.exec(text)?.[1] ?? 0);
}

async function downloaded(repo: string): Promise<Buffer> {
  const answer = await fetch(`${world.hubUrl}/${repo}/resolve/main/model.bin`, {
    headers: { authorization: `Bearer ${world.as('alice').accessToken}` },
  });
  return Buffer.from(await answer.arrayBuffer());
}

test('hf upload that was killed is complete after another one', async () => {
  const content = randomBytes(200 * 1024 * 1024);
  const path = await fileWith(content);
  const before = await sentBytes();
  const args = ['upload', 'alice/resumed', path, 'model.bin'];
  const first = spawn(programOf('newest', 'hf'), args, { env: world.environment('alice'), stdio: 'ignore' });
  const ended = once(first, 'exit');
  await expect.poll(sentBytes, { interval: 20 }).toBeGreaterThan(before);
  first.kill('SIGKILL');
  await ended;
  const { status, stderr } = await world.hf('alice', args);
  if (status !== 0) throw new Error(stderr.slice(-2_000));
  expect(sha256Of(await downloaded('alice/resumed'))).toBe(sha256Of(content));
});

test('two uploads to one repository at once both arrive', async () => {
  const contents = [randomBytes(5_000_000), randomBytes(5_000_000)];
  await createRepo({ ...world.as('alice'), repo: { type: 'model', name: 'alice/twice' } });
  const results = await Promise.all(
    contents.map(async (content, at) =>
      world.hf('alice', ['upload', 'alice/twice', await fileWith(content), `${at}.bin`]),
    ),
  );
  expect(results.map(({ status }) => status)).toEqual([0, 0]);
  for (const [at, content] of contents.entries()) {
    const blob = await downloadFile({ ...world.as('alice'), repo: 'alice/twice', path: `${at}.bin` });
    expect(sha256Of(Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer()))).toBe(sha256Of(content));
  }
});

test('@huggingface/hub with `useXet` is told to use git LFS, and the file is the same', async () => {
  const content = randomBytes(3_000_000);
  const repo = { type: 'model' as const, name: 'alice/javascript' };
  await createRepo({ ...world.as('alice'), repo });
  await commit({
    ...world.as('alice'),
    ...{ repo, useXet: true, title: 'A large file' },
    operations: [{ operation: 'addOrUpdate', path: 'model.bin', content: new Blob([content]) }],
  });
  expect(sha256Of(await downloaded('alice/javascript'))).toBe(sha256Of(content));
  const { status } = await world.hf('alice', ['upload', 'alice/python', await fileWith(content), 'model.bin']);
  expect(status).toBe(0);
  const pointer = async (name: string) =>
    (
      await fetch(`${world.hubUrl}/${name}/raw/main/model.bin`, {
        headers: { authorization: `Bearer ${world.as('alice').accessToken}` },
      })
    ).text();
  expect(await pointer('alice/python')).toBe(await pointer('alice/javascript'));
});

test('a refusal is told in words', async () => {
  const { status, stderr, stdout } = await world.hf('carol', [
    'upload',
    'acme/none',
    await fileWith(randomBytes(1_000_000)),
  ]);
  expect(status).not.toBe(0);
  expect(stderr + stdout).toMatch(/rights|namespace|not found/i);
});
