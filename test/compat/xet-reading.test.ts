import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commit, createRepo, downloadFile, fileDownloadInfo } from '@huggingface/hub';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from './files.ts';
import { startWorld, type World } from './world.ts';

/** Files that repeat themselves in part have equal xorbs, and chunks of the maximum size. */
const CONTENT = Buffer.concat([randomBytes(3_000_000), Buffer.alloc(2_000_000), Buffer.from('text '.repeat(200_000))]);
/** The file of a repository that another client changes. */
const OLD = randomBytes(30_000_000);
const CHANGING = 'alice/changing';
const MAX_WAIT_MS = 180_000;

let world: World;
beforeAll(async () => {
  world = await startWorld({ MOONBASE_XET_READ: 'true' });
  await uploadByLfs(CHANGING, OLD);
});
afterAll(() => world[Symbol.asyncDispose]());

async function uploadByLfs(name: string, bytes: Buffer): Promise<void> {
  const repo = { type: 'model' as const, name };
  await createRepo({ ...world.as('alice'), repo });
  await commit({
    ...world.as('alice'),
    ...{ repo, title: 'A large file' },
    operations: [{ operation: 'addOrUpdate', path: 'model.bin', content: new Blob([bytes]) }],
  });
}

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Returns the sum of a metric over the lines with a label. */
async function metric(name: string, label: string): Promise<number> {
  const headers = { authorization: `Bearer ${world.as('admin').accessToken}` };
  const text = await (await fetch(`${world.hubUrl}/metrics`, { headers })).text();
  const counts = text.matchAll(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\d+)`, 'gm'));
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Returns how many parts of xorbs were downloaded. */
const servedRanges = () => metric('moonbase_http_requests_total', 'operation="getXetRange"');

/** Waits until the hub has found out the chunks of a file; returns the hash of these. */
async function xetHashOf(repo: string): Promise<string | undefined> {
  const hash = async () => (await fileDownloadInfo({ ...world.as('alice'), repo, path: 'model.bin' }))?.xet?.hash;
  await expect.poll(hash, { interval: 2_000, timeout: MAX_WAIT_MS }).toMatch(/^[0-9a-f]{64}$/);
  return hash();
}

test('@huggingface/hub and hf download through Xet what git LFS and Xet have uploaded', async () => {
  const folder = await temporaryFolder();
  const path = join(folder, 'model.bin');
  await writeFile(path, CONTENT);
  await uploadByLfs('alice/by-lfs', CONTENT);
  expect((await world.hf('alice', ['upload', 'alice/by-xet', path, 'model.bin'])).status).toBe(0);

  const hashes: unknown[] = [];
  for (const name of ['alice/by-lfs', 'alice/by-xet']) {
    hashes.push(await xetHashOf(name));
    const before = await servedRanges();
    const blob = await downloadFile({ ...world.as('alice'), repo: name, path: 'model.bin' });
    expect(blob?.constructor.name).toBe('XetBlob');
    expect(sha256Of(Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer()))).toBe(sha256Of(CONTENT));
    const part = await blob?.slice(2_999_000, 5_001_000).arrayBuffer();
    expect(sha256Of(Buffer.from(part ?? new ArrayBuffer()))).toBe(sha256Of(CONTENT.subarray(2_999_000, 5_001_000)));
    const byJavascript = await servedRanges();
    expect(byJavascript).toBeGreaterThan(before);

    const to = join(folder, name);
    const { status, stderr } = await world.hf('alice', ['download', name, 'model.bin', '--local-dir', to]);
    if (status !== 0) throw new Error(stderr.slice(-2_000));
    expect(sha256Of(await readFile(join(to, 'model.bin')))).toBe(sha256Of(CONTENT));
    expect(await servedRanges()).toBeGreaterThan(byJavascript);
  }
  expect(hashes[0]).toBe(hashes[1]);
});

test('hf sends only what is new of a file that another client uploaded by git LFS', async () => {
  await xetHashOf(CHANGING);
  const changed = Buffer.concat([
    ...[OLD.subarray(0, 8_000_000), randomBytes(1_000_000)],
    ...[OLD.subarray(9_000_000, 20_000_000), randomBytes(200), OLD.subarray(20_000_000), randomBytes(300_000)],
  ]);
  const folder = await temporaryFolder();
  const path = join(folder, 'model.bin');
  await writeFile(path, changed);
  const before = await metric('moonbase_xet_bytes_total', 'what="xorbs"');
  const { status, stderr } = await world.hf('alice', ['upload', CHANGING, path, 'model.bin']);
  if (status !== 0) throw new Error(stderr.slice(-2_000));
  const sent = (await metric('moonbase_xet_bytes_total', 'what="xorbs"')) - before;
  expect(sent).toBeGreaterThan(1_300_000);
  expect(sent).toBeLessThan(0.08 * changed.length);

  const answer = await fetch(`${world.hubUrl}/${CHANGING}/resolve/main/model.bin`, {
    headers: { authorization: `Bearer ${world.as('alice').accessToken}` },
  });
  expect(sha256Of(Buffer.from(await answer.arrayBuffer()))).toBe(sha256Of(changed));
});
