import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { BlobStore } from '../src/platform/blobs/blob-store.ts';
import { createFolderStore } from '../src/platform/blobs/folder/folder-store.ts';
import { createS3Store } from '../src/platform/blobs/s3/s3-store.ts';
import { bytesOf } from './blobs/bytes.ts';
import { startS3Server } from './blobs/s3-server.ts';
import { contentHub } from './content-hub.ts';
import { tokenOf } from './harness.ts';

function folderStore(): BlobStore {
  const folder = mkdtempSync(join(tmpdir(), 'moonbase-test-blobs-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return createFolderStore({ folder, now: () => Date.now() });
}

async function bucketStore() {
  const server = await startS3Server();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, store: createS3Store(server.bucket, () => Date.now()) };
}

type Hub = Awaited<ReturnType<typeof contentHub>>;

/** Commits a large file as `x.bin`. */
async function commitLarge(at: Hub, content: Buffer): Promise<void> {
  const oid = await at.upload(content);
  const value = { path: 'x.bin', algo: 'sha256', oid, size: content.length };
  expect(await at.commit({ lines: [{ key: 'lfsFile', value }] })).toMatchObject({ status: 200 });
}

const commitSmall = (at: Hub, content: Buffer) =>
  at.commit({
    lines: [{ key: 'file', value: { path: 'x.bin', content: content.toString('base64'), encoding: 'base64' } }],
  });

describe.each([
  ['a small file', 10_000, 'git'],
  ['a file that is streamed from git', 300_000, 'git'],
  ['a large file in a folder', 100_000, 'folder'],
  ['a large file in a bucket', 100_000, 'bucket'],
] as const)('%s', (_what, size, where) => {
  test('is sent whole or in the one part that was asked for, whatever the form of the range', async () => {
    const blobs = where === 'bucket' ? (await bucketStore()).store : folderStore();
    await using at = await contentHub({ blobs });
    const content = bytesOf(size);
    if (where === 'git') await commitSmall(at, content);
    else await commitLarge(at, content);
    const get = (headers: Record<string, string>) => at.ask('/ada/m/resolve/main/x.bin', { headers });
    const etag = (await get({})).headers.get('etag') ?? '';
    const last = size - 1;
    const parts: [range: string, first: number, last: number, ifRange?: string][] = [
      ['bytes=0-0', 0, 0],
      ['bytes=5-5000', 5, 5000],
      [`bytes=${last}-`, last, last],
      ['bytes=-7', size - 7, last],
      [`bytes=-${size * 2}`, 0, last],
      [`bytes=1-${size * 9}`, 1, last],
      ['bytes=2-3', 2, 3, etag],
    ];
    for (const [range, first, end, ifRange] of parts) {
      const response = await get({ range, ...(ifRange && { 'if-range': ifRange }) });
      expect([response.status, response.headers.get('content-range')]).toEqual([206, `bytes ${first}-${end}/${size}`]);
      expect(content.subarray(first, end + 1).equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    }
    for (const range of [`bytes=${size}-`, 'bytes=-0', `bytes=${'9'.repeat(30)}-`]) {
      const response = await get({ range });
      expect([response.status, response.headers.get('content-range')]).toEqual([416, `bytes */${size}`]);
    }
    const whole: [range: string, ifRange?: string][] = [
      ...['bytes=0-1,4-5', 'bytes=0-5,3-9', 'bytes=9-3', 'bytes=a-b', 'bytes=-', 'bytes=', 'lines=0-1', '0-1'].map(
        (range): [string] => [range],
      ),
      ['bytes=2-3', '"other"'],
      ['bytes=2-3', `W/${etag}`],
      ['bytes=2-3', 'Mon, 01 Jan 2024 00:00:00 GMT'],
    ];
    for (const [range, ifRange] of whole) {
      const response = await get({ range, ...(ifRange && { 'if-range': ifRange }) });
      expect([range, response.status]).toEqual([range, 200]);
      expect(content.equals(Buffer.from(await response.arrayBuffer()))).toBe(true);
    }
  });
});

const CLIENTS = 200;

test(`${CLIENTS} clients that stop reading hold less than 1 MiB each, and another client is served`, async () => {
  await using at = await contentHub({ blobs: folderStore() });
  const content = bytesOf(8 * 1024 * 1024);
  await commitLarge(at, content);
  const { hostname, port, host } = new URL(at.hub.url);
  const before = process.memoryUsage().arrayBuffers;
  const request = `GET /ada/m/resolve/main/x.bin HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${tokenOf('ada')}\r\n\r\n`;
  const sockets = await Promise.all(
    Array.from(
      { length: CLIENTS },
      () =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(Number(port), hostname, () => socket.write(request));
          socket.once('error', reject);
          // The first bytes show that the download has begun; nothing more is read.
          socket.once('readable', () => resolve(socket));
        }),
    ),
  );
  try {
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(CLIENTS * 1024 * 1024);
    expect((await at.ask('/api/models/ada/m/refs')).status).toBe(200);
    const answer = await at.ask('/ada/m/resolve/main/x.bin', { headers: { range: 'bytes=-9' } });
    expect(content.subarray(-9).equals(Buffer.from(await answer.arrayBuffer()))).toBe(true);
    expect(await at.commit({ files: { other: '1' } })).toMatchObject({ status: 200 });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
