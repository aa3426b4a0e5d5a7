import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { S3Bucket } from '../../packages/server/src/platform/blobs/s3/s3-requests.ts';
import { createS3Store } from '../../packages/server/src/platform/blobs/s3/s3-store.ts';
import { queryOf, signHeaders } from '../../packages/server/src/platform/blobs/s3/signature.ts';
import { describeStore, type StoreFixture } from '../../packages/server/test/blobs/store-behaviour.ts';
import { programOf } from './python-clients.ts';

/** Stores large files in a bucket of moto, an S3 server that is independent of the hub. */

const NO_BODY = createHash('sha256').digest('hex');
let endpoint: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const port = await freePort();
  endpoint = `http://127.0.0.1:${port}`;
  const server = spawn(programOf('s3', 'moto_server'), ['-H', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
  stop = async () => {
    server.kill();
    await once(server, 'exit');
  };
  while (!(await fetch(endpoint).catch(() => undefined))) await new Promise((resolve) => setTimeout(resolve, 100));
});
afterAll(() => stop());

describeStore('a bucket of moto', openBucket, { partBytes: 5 * 1024 * 1024, isFragile: true });

test('abandoned uploads are listed and deleted', async () => {
  await using fixture = await openBucket();
  const { store } = fixture;
  const blob = { sha256: NO_BODY, size: 1 };
  await store.parts.begin(blob);
  await store.parts.begin(blob);
  expect(await fixture.stored()).toHaveLength(2);
  await store.sweep({ streamsOlderThanMs: 0, uploadsOlderThanMs: 0 });
  expect(await fixture.stored()).toEqual([]);
});

async function openBucket(): Promise<StoreFixture> {
  const keys = { accessKey: 'AKIDTEST', secretKey: 'secret of the bucket', region: 'us-east-1' };
  const bucket: S3Bucket = { ...keys, endpoint, bucket: `hub-${randomBytes(8).toString('hex')}`, pathStyle: true };
  const ask = async (method: string, query = '') => {
    const url = new URL(`${endpoint}/${bucket.bucket}${query}`);
    const headers = signHeaders(keys, { method, url, headers: {} }, NO_BODY, Date.now());
    const answer = await fetch(`${url.origin}${url.pathname}?${queryOf(url)}`, { method, headers });
    return answer.text();
  };
  await ask('PUT');
  const store = createS3Store(bucket, () => Date.now());
  return {
    store,
    async stored() {
      const lists = [await ask('GET', '?list-type=2'), await ask('GET', '?uploads')];
      return lists.flatMap((list) =>
        [...list.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, key]) => key?.split('/').at(-1) ?? ''),
      );
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
