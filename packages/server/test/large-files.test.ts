import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { deleteLargeFile, duplicateLargeFiles, listLargeFiles } from '@moonbase/client/large-files';
import { createRepo, deleteRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { BlobStore } from '../src/platform/blobs/blob-store.ts';
import { createFolderStore } from '../src/platform/blobs/folder/folder-store.ts';
import { createS3Store } from '../src/platform/blobs/s3/s3-store.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { startS3Server } from './blobs/s3-server.ts';
import { collect, type TestHub, tokenOf } from './harness.ts';
import {
  addressFor,
  batch,
  downloadUrl,
  idOf,
  LFS,
  postBatch,
  postLfs,
  put,
  startWithRepos,
  upload,
  uploadUrl,
} from './large-files-fixture.ts';

const CONTENT = bytesOf(200_000);
const NAME = nameOf(CONTENT);
const OBJECT = { oid: NAME.sha256, size: NAME.size };
const bytesIn = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

interface Fixture {
  readonly store: BlobStore;
  /** Returns the names of all stored objects, finished or not. */
  readonly stored: () => Promise<string[]>;
}

async function inFolder(): Promise<Fixture> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-blobs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return {
    store: createFolderStore({ folder, now: () => Date.now() }),
    stored: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => name),
  };
}

async function inBucket(): Promise<Fixture> {
  const server = await startS3Server();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return {
    store: createS3Store(server.bucket, () => Date.now()),
    stored: async () => [...server.objects.keys()].map((key) => key.split('/').at(-1) ?? ''),
  };
}

const rowsOf = async (hub: TestHub) => ({
  blobs: await hub.database.read.selectFrom('blobs').select(['sha256', 'state']).execute(),
  grants: await hub.database.read.selectFrom('repo_files').select('sha256').execute(),
});
const NO_ROWS = { blobs: [], grants: [] };

describe.each([
  ['a folder', inFolder],
  ['a bucket', inBucket],
])('with %s', (_where, open) => {
  let hub: TestHub;
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await open();
    hub = await startWithRepos({}, { blobs: fixture.store });
  });
  afterEach(() => hub[Symbol.asyncDispose]());

  test('a file is announced, uploaded, verified, listed and downloaded', async () => {
    const { objects, transfer } = await batch(hub, 'alice', 'alice/secret', { operation: 'upload', objects: [OBJECT] });
    expect(transfer).toBe('basic');
    const { upload: to, verify } = objects[0]?.actions ?? {};
    expect((await postLfs(hub, 'alice', verify?.href ?? '', OBJECT)).status).toBe(404);
    const sent = await put(to?.href ?? '', CONTENT);
    expect([sent.status, sent.headers.get('etag')]).toEqual([200, `"${NAME.sha256}"`]);
    expect((await postLfs(hub, 'alice', verify?.href ?? '', OBJECT, 'application/json')).status).toBe(200);
    expect((await postLfs(hub, 'alice', verify?.href ?? '', { ...OBJECT, size: 1 })).status).toBe(422);

    expect(await uploadUrl(hub, 'alice', 'alice/secret', NAME)).toBeUndefined();
    expect(await collect(listLargeFiles({ ...hub.as('alice'), type: 'model', repo: 'alice/secret' }))).toEqual([
      {
        ...{ fileOid: NAME.sha256, oid: NAME.sha256, size: NAME.size, filename: NAME.sha256 },
        ...{ pushedAt: new Date(hub.clock.now()).toISOString(), pusher: { type: 'user', name: 'alice' } },
      },
    ]);
    const url = await downloadUrl(hub, 'alice', 'alice/secret', NAME);
    const whole = await fetch(url);
    expect(whole.status).toBe(200);
    expect(whole.headers.get('content-length')).toBe('200000');
    expect(await bytesIn(whole)).toEqual(CONTENT);
    const part = await fetch(url, { headers: { range: 'bytes=1000-1999' } });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 1000-1999/200000']);
    expect(await bytesIn(part)).toEqual(CONTENT.subarray(1000, 2000));
    expect(await fixture.stored()).toEqual([NAME.sha256]);
  });

  test.each([
    ['bytes=-10', 206, 'bytes 199990-199999/200000', 10],
    ['bytes=199999-', 206, 'bytes 199999-199999/200000', 1],
    ['bytes=0-0', 206, 'bytes 0-0/200000', 1],
    ['bytes=200000-', 416, 'bytes */200000', undefined],
    ['bytes=5-1', 200, null, 200_000],
    ['bytes=0-1,5-6', 200, null, 200_000],
    ['nonsense', 200, null, 200_000],
  ])('the range %s gets %i', async (range, status, contentRange, length) => {
    await upload(hub, 'alice', 'alice/open', NAME, CONTENT);
    const answer = await fetch(await downloadUrl(hub, 'bob', 'alice/open', NAME), { headers: { range } });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([status, contentRange]);
    const body = await bytesIn(answer);
    if (length !== undefined) expect(body).toHaveLength(length);
  });

  test('conditional requests are honoured', async () => {
    await upload(hub, 'alice', 'alice/open', NAME, CONTENT);
    const url = await downloadUrl(hub, 'bob', 'alice/open', NAME);
    const asked = async (headers: Record<string, string>) => (await fetch(url, { headers })).status;
    const tag = `"${NAME.sha256}"`;
    expect(await asked({ 'if-none-match': tag })).toBe(304);
    expect(await asked({ 'if-none-match': `W/${tag}` })).toBe(304);
    expect(await asked({ 'if-none-match': '"other"' })).toBe(200);
    expect(await asked({ 'if-match': '"other"' })).toBe(412);
    expect(await asked({ 'if-range': tag, range: 'bytes=0-1' })).toBe(206);
    expect(await asked({ 'if-range': '"other"', range: 'bytes=0-1' })).toBe(200);
    expect(await asked({ 'if-range': 'Sat, 29 Oct 1994 19:43:31 GMT', range: 'bytes=0-1' })).toBe(200);
  });

  test('an empty file can be requested with a range', async () => {
    const empty = nameOf(new Uint8Array());
    await upload(hub, 'alice', 'alice/open', empty, new Uint8Array());
    const answer = await fetch(await downloadUrl(hub, 'bob', 'alice/open', empty), { headers: { range: 'bytes=0-0' } });
    expect([answer.status, answer.headers.get('content-range'), answer.headers.get('content-length')]).toEqual([
      ...[200, 'bytes */0', '0'],
    ]);
  });

  test('a large file is uploaded in parts if the client supports that', async () => {
    const huge = { oid: NAME.sha256, size: 2 * 1024 ** 3 + 1 };
    const asked = { operation: 'upload', objects: [huge, { oid: '1'.repeat(64), size: 5 }] };
    const { transfer, objects } = await batch(hub, 'alice', 'alice/secret', asked);
    expect(transfer).toBe('multipart');
    const [first, second] = objects.map(({ actions }) => actions?.upload?.header ?? {});
    expect(first?.chunk_size).toBe(String(64 * 1024 ** 2));
    expect(Object.keys(first ?? {})).toHaveLength(34);
    expect(first).toHaveProperty('00033');
    expect(Object.keys(second ?? {}).toSorted()).toEqual(['00001', 'chunk_size']);
    const single = await batch(hub, 'alice', 'alice/secret', { ...asked, transfers: ['basic'] });
    expect([single.transfer, single.objects[0]?.actions?.upload?.header]).toEqual(['basic', undefined]);
  });

  test('parts may arrive in any order, concurrently and twice, and are one file once completed', async () => {
    const of = {
      repoId: await idOf(hub, 'repositories', 'alice/secret'),
      userId: await idOf(hub, 'accounts', 'alice'),
      permission: 'repo.write' as const,
    };
    const id = await fixture.store.parts.begin(NAME);
    const partUrl = (number: number) =>
      addressFor(hub, { what: 'part', ...of, ...NAME, upload: id, number, partSize: number === 3 ? 40_000 : 80_000 });
    const complete = addressFor(hub, { what: 'complete', ...of, ...NAME, upload: id });
    const piece = (number: number) => CONTENT.subarray((number - 1) * 80_000, number * 80_000);
    const send = async (number: number) => {
      const answer = await put(partUrl(number), piece(number));
      expect(answer.status).toBe(200);
      return { partNumber: number, etag: answer.headers.get('etag') ?? '' };
    };
    const parts = [await send(3), ...(await Promise.all([send(2), send(1)]))];
    expect(await send(2)).toEqual(parts[1]);
    expect((await put(partUrl(1), piece(2).subarray(1))).status).toBe(400);
    const end = (body: object) =>
      fetch(complete, { method: 'POST', headers: { 'content-type': LFS }, body: JSON.stringify(body) });
    expect((await end({ oid: '1'.repeat(64), parts })).status).toBe(400);
    expect((await end({ oid: NAME.sha256, parts: parts.slice(1) })).status).toBe(400);
  });

  test('complete parts become the file, even if the completion is sent twice', async () => {
    const of = {
      repoId: await idOf(hub, 'repositories', 'alice/secret'),
      userId: await idOf(hub, 'accounts', 'alice'),
      permission: 'repo.write' as const,
    };
    const uploadId = await fixture.store.parts.begin(NAME);
    const url = addressFor(hub, { what: 'part', ...of, ...NAME, upload: uploadId, number: 1, partSize: NAME.size });
    const sent = await put(url, CONTENT);
    const parts = [{ partNumber: 1, etag: sent.headers.get('etag') }];
    const body = JSON.stringify({ oid: NAME.sha256, parts });
    const complete = addressFor(hub, { what: 'complete', ...of, ...NAME, upload: uploadId });
    for (const _ of [1, 2])
      expect((await fetch(complete, { method: 'POST', headers: { 'content-type': LFS }, body })).status).toBe(200);
    expect(await bytesIn(await fetch(await downloadUrl(hub, 'alice', 'alice/secret', NAME)))).toEqual(CONTENT);
    expect(await fixture.stored()).toEqual([NAME.sha256]);
  });

  test('bytes other than those announced are refused and leave nothing', async () => {
    const url = (await uploadUrl(hub, 'alice', 'alice/secret', NAME)) ?? '';
    const other = bytesOf(200_000, 'b');
    for (const bytes of [other, CONTENT.subarray(1), Buffer.concat([CONTENT, other]), new Uint8Array()])
      expect((await put(url, bytes)).status).toBe(400);
    expect(await fixture.stored()).toEqual([]);
    expect(await rowsOf(hub)).toEqual(NO_ROWS);
    expect((await put(url, CONTENT)).status).toBe(200);
  });

  test('a client that disconnects midway leaves nothing, and the next one succeeds', async () => {
    const url = new URL((await uploadUrl(hub, 'alice', 'alice/secret', NAME)) ?? '');
    const socket = connect(Number(url.port), url.hostname);
    socket.on('error', () => {});
    socket.write(`PUT ${url.pathname} HTTP/1.1\r\nhost: ${url.host}\r\ncontent-length: ${NAME.size}\r\n\r\n`);
    socket.write(CONTENT.subarray(0, 100_000));
    await expect.poll(async () => (await rowsOf(hub)).blobs).toEqual([{ sha256: NAME.sha256, state: 'arriving' }]);
    socket.destroy();
    await expect.poll(() => rowsOf(hub)).toEqual(NO_ROWS);
    expect(await fixture.stored()).toEqual([]);
    await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  });

  test('the same file from two clients at once exists for both', async () => {
    const urls = await Promise.all([
      uploadUrl(hub, 'alice', 'alice/secret', NAME),
      uploadUrl(hub, 'bob', 'bob/secret', NAME),
      uploadUrl(hub, 'alice', 'alice/secret', NAME),
    ]);
    const answers = await Promise.all(urls.map((url) => put(url ?? '', CONTENT)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await rowsOf(hub)).grants).toHaveLength(2);
    expect(await fixture.stored()).toEqual([NAME.sha256]);
  });
});

describe('whoever knows a SHA-256', () => {
  let hub: TestHub;
  beforeEach(async () => {
    hub = await startWithRepos();
    onTestFinished(() => hub[Symbol.asyncDispose]());
    await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  });

  test('gets no bytes and learns nothing: the file has to be uploaded', async () => {
    expect(await downloadUrl(hub, 'bob', 'bob/secret', NAME)).toBe('404');
    const url = (await uploadUrl(hub, 'bob', 'bob/secret', NAME)) ?? '';
    expect((await put(url, bytesOf(200_000, 'b'))).status).toBe(400);
    expect(await downloadUrl(hub, 'bob', 'bob/secret', NAME)).toBe('404');
    for (const repo of ['alice/secret', 'alice/nothing'])
      for (const operation of ['upload', 'download'])
        expect((await postBatch(hub, 'bob', repo, { operation, objects: [OBJECT] })).status).toBe(404);
    expect((await put(url, CONTENT)).status).toBe(200);
  });

  test('copies only files of a repository that the caller may read', async () => {
    const target = { type: 'model' as const, name: 'bob/secret' };
    const files = [{ sha256: NAME.sha256 }];
    const from = (user: string, repo: string) =>
      duplicateLargeFiles({ ...hub.as(user), type: 'model', repo, target, files });
    await expect(from('bob', 'alice/secret')).rejects.toMatchObject({ status: 404 });
    expect(await from('bob', 'bob/open')).toMatchObject({ success: false, succeeded: 0, processed: 1 });
    await expect(from('alice', 'alice/secret')).rejects.toMatchObject({ status: 404 });
    await updateRepoSettings({ ...hub.as('alice'), type: 'model', repo: 'alice/secret', settings: { private: false } });
    expect(await from('bob', 'alice/secret')).toMatchObject({ success: true, succeeded: 1, failed: [] });
    expect(await bytesIn(await fetch(await downloadUrl(hub, 'bob', 'bob/secret', NAME)))).toEqual(CONTENT);
  });
});

describe('an address', () => {
  let hub: TestHub;
  let url: string;
  beforeEach(async () => {
    hub = await startWithRepos();
    onTestFinished(() => hub[Symbol.asyncDispose]());
    url = (await uploadUrl(hub, 'alice', 'alice/secret', NAME)) ?? '';
  });
  const refusal = async (answer: Response) => [answer.status, ((await answer.json()) as { message: string }).message];
  const REFUSED = [403, 'This URL is not valid for this request, or has expired; request a new one'];

  test('is valid for a day, for uploads and downloads', async () => {
    hub.clock.advance(24 * 60 * 60 * 1000 - 1);
    expect((await put(url, CONTENT)).status).toBe(200);
    hub.clock.advance(1);
    expect(await refusal(await put(url, CONTENT))).toEqual(REFUSED);
    const download = await downloadUrl(hub, 'alice', 'alice/secret', NAME);
    hub.clock.advance(24 * 60 * 60 * 1000 - 1);
    expect((await fetch(download)).status).toBe(200);
    hub.clock.advance(1);
    expect(await refusal(await fetch(download))).toEqual(REFUSED);
  });

  test('cannot be altered, and serves no other purpose', async () => {
    const [text = '', signature = ''] = url.replace(/.*\//, '').split('.');
    const at = url.replace(/[^/]*$/, '');
    const purpose = JSON.parse(Buffer.from(text, 'base64url').toString());
    const other = { ...purpose, purpose: { ...purpose.purpose, repoId: await idOf(hub, 'repositories', 'bob/open') } };
    const changed = Buffer.from(JSON.stringify(other)).toString('base64url');
    for (const address of [`${changed}.${signature}`, `${text}.${signature.slice(1)}x`, `${text}.`, text, 'x', 'a.b.c'])
      expect(await refusal(await put(at + address, CONTENT))).toEqual(REFUSED);
    expect(await refusal(await fetch(url))).toEqual(REFUSED);
    const completion = JSON.stringify({ oid: NAME.sha256, parts: [{ partNumber: 1, etag: 'x' }] });
    const post = { method: 'POST', headers: { 'content-type': LFS }, body: completion };
    expect(await refusal(await fetch(url, post))).toEqual(REFUSED);
    await put(url, CONTENT);
    const download = await downloadUrl(hub, 'alice', 'alice/secret', NAME);
    expect(await refusal(await put(download, CONTENT))).toEqual(REFUSED);
  });

  test('is valid only while its user can see the repository', async () => {
    await upload(hub, 'alice', 'alice/open', NAME, CONTENT);
    const download = await downloadUrl(hub, 'bob', 'alice/open', NAME);
    expect((await fetch(download)).status).toBe(200);
    await updateRepoSettings({ ...hub.as('alice'), type: 'model', repo: 'alice/open', settings: { private: true } });
    expect((await fetch(download)).status).toBe(404);
    await deleteRepo({ ...hub.as('alice'), repo: 'alice/secret' });
    expect((await put(url, CONTENT)).status).toBe(404);
  });

  test('accepts a slow upload as long as it makes progress', async () => {
    await using slow = await startWithRepos(
      {},
      { connectionLimits: { headersMs: 1_000, requestMs: 1_000, checkMs: 100 } },
    );
    const { pathname, host, port, hostname } = new URL((await uploadUrl(slow, 'alice', 'alice/secret', NAME)) ?? '');
    const socket = connect(Number(port), hostname);
    socket.write(
      `PUT ${pathname} HTTP/1.1\r\nhost: ${host}\r\ncontent-length: ${NAME.size}\r\nconnection: close\r\n\r\n`,
    );
    for (let at = 0; at < NAME.size; at += 50_000) {
      socket.write(CONTENT.subarray(at, at + 50_000));
      await pause(500);
    }
    const [first] = await once(socket, 'data');
    expect(String(first)).toMatch(/^HTTP\/1\.1 200 /);
    socket.destroy();
  });
});

test('git-lfs and @huggingface/hub are served, each in its own form', async () => {
  await using hub = await startWithRepos();
  await createRepo({ ...hub.as('alice'), repo: 'alice/rows', type: 'dataset' });
  const at = '/datasets/alice/rows.git/info/lfs/objects/batch';
  const js = { operation: 'upload', transfers: ['basic', 'multipart', 'xet'], hash_algo: 'sha_256', objects: [OBJECT] };
  const answer = await postLfs(hub, 'alice', at, js, `${LFS}; charset=utf-8`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `${LFS}; charset=utf-8`]);
  // With `authenticated`, git-lfs would send no credentials to `verify`.
  expect(await answer.json()).not.toHaveProperty('objects.0.authenticated');
  const git = { operation: 'upload', objects: [OBJECT], ref: { name: 'refs/heads/main' } };
  const basic = `Basic ${Buffer.from(`alice:${tokenOf('alice')}`).toString('base64')}`;
  const ask = (authorization?: string) =>
    fetch(hub.url + at, {
      method: 'POST',
      headers: { 'content-type': LFS, accept: LFS, ...(authorization && { authorization }) },
      body: JSON.stringify(git),
    });
  expect((await ask(basic)).status).toBe(200);
  // git-lfs derives such a path from a clone of `/models/alice/open`.
  expect((await postBatch(hub, 'alice', 'models/alice/open', git)).status).toBe(200);
  const refused = await ask();
  expect([refused.status, refused.headers.get('lfs-authenticate')]).toEqual([401, 'Basic realm="Moonbase"']);
  expect(refused.headers.get('content-type')).toBe(`${LFS}; charset=utf-8`);
  expect(await refused.json()).toEqual({ message: 'Invalid username or password.' });
  const unknown = await postLfs(hub, 'alice', '/datasets/alice/rows.git/info/lfs/unknown', {});
  expect([unknown.status, await unknown.json()]).toEqual([404, { message: expect.stringMatching(/./) }]);
});

test('whoever may read a repository may upload files for a pull request, and nobody else', async () => {
  await using hub = await startWithRepos();
  const asked = (ref?: object) =>
    postBatch(hub, 'bob', 'alice/open', { operation: 'upload', objects: [OBJECT], ...(ref && { ref }) });
  expect((await asked({ name: 'main' })).status).toBe(403);
  expect((await asked({ name: 'refs/pr/1' })).status).toBe(200);
  expect((await asked()).status).toBe(200);
});

test('an upload above the quota is refused before anything is sent, in one sentence', async () => {
  await using hub = await startWithRepos({ MOONBASE_QUOTA_USER_GIB: '1', MOONBASE_MAX_FILE_GIB: '2' });
  await upload(hub, 'alice', 'alice/open', NAME, CONTENT);
  const ask = (size: number) =>
    postBatch(hub, 'alice', 'alice/secret', { operation: 'upload', objects: [{ oid: '1'.repeat(64), size }] });
  expect((await ask(1024 ** 3 - NAME.size)).status).toBe(200);
  const refused = await ask(1024 ** 3 - NAME.size + 1);
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { message: 'alice may have 1 GiB of large files: 0.19 MiB are used, and this upload would add 1.00 GiB more' },
  ]);
  const tooLarge = await batch(hub, 'alice', 'alice/secret', {
    operation: 'upload',
    objects: [{ oid: '1'.repeat(64), size: 2 * 1024 ** 3 + 1 }],
  });
  expect(tooLarge.objects[0]).toMatchObject({ error: { code: 422 } });
});

test('concurrent copies do not exceed a quota together', async () => {
  await using hub = await startWithRepos({ MOONBASE_QUOTA_USER_GIB: '1' });
  const blobs = ['1', '2', '3'].map((digit) => ({ sha256: digit.repeat(64), size: Math.floor(0.4 * 1024 ** 3) }));
  const repoId = await idOf(hub, 'repositories', 'alice/open');
  await hub.database.transaction(async (tx) => {
    for (const { sha256, size } of blobs) {
      const since = { state: 'stored' as const, unused_since: null, checked_at: 0, held_until: null };
      await tx
        .insertInto('blobs')
        .values({ sha256, size, ...since })
        .execute();
      const grant = { pusher_id: null, pushed_at: 0, filename: null, ref: null };
      await tx
        .insertInto('repo_files')
        .values({ repo_id: repoId, sha256, size, ...grant })
        .execute();
    }
  });
  const target = { type: 'model' as const, name: 'bob/secret' };
  const copy = (sha256: string) =>
    duplicateLargeFiles({ ...hub.as('bob'), type: 'model', repo: 'alice/open', target, files: [{ sha256 }] });
  const results = await Promise.allSettled(blobs.map(({ sha256 }) => copy(sha256)));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { status: 413 } });
});

test('a full disk is reported as 507 and harms no existing file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-blobs-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  let free = 1024 ** 4;
  const blobs = createFolderStore({ folder, now: () => Date.now(), freeBytes: async () => free });
  await using hub = await startWithRepos({}, { blobs });
  await upload(hub, 'alice', 'alice/open', NAME, CONTENT);
  free = 0;
  const other = bytesOf(1_000_000, 'b');
  const url = (await uploadUrl(hub, 'alice', 'alice/open', nameOf(other))) ?? '';
  const answer = await put(url, other);
  expect([answer.status, await answer.json()]).toEqual([
    507,
    { message: 'There is no space for this file on the disk of the hub' },
  ]);
  expect((await rowsOf(hub)).blobs).toHaveLength(1);
  expect((await fetch(await downloadUrl(hub, 'bob', 'alice/open', NAME))).status).toBe(200);
  free = 1024 ** 4;
  expect((await put(url, other)).status).toBe(200);
});

test('files above a mebibyte come from the bucket itself, with every header in the redirect', async () => {
  const server = await startS3Server();
  onTestFinished(() => server[Symbol.asyncDispose]());
  await using hub = await startWithRepos({}, { blobs: createS3Store(server.bucket, () => Date.now()) });
  const large = bytesOf(1024 * 1024 + 1);
  const name = nameOf(large);
  await upload(hub, 'alice', 'alice/secret', name, large);
  const url = await downloadUrl(hub, 'alice', 'alice/secret', name);
  const redirect = await fetch(url, { redirect: 'manual' });
  expect(redirect.status).toBe(302);
  expect(Object.fromEntries(redirect.headers)).toMatchObject({
    ...{ etag: `"${name.sha256}"`, 'x-linked-etag': `"${name.sha256}"`, 'x-linked-size': String(name.size) },
    ...{ 'accept-ranges': 'bytes', location: expect.stringContaining(server.bucket.endpoint) },
  });
  const answer = await fetch(url, { headers: { range: 'bytes=5-9' } });
  expect([answer.status, await bytesIn(answer)]).toEqual([206, large.subarray(5, 10)]);
  server.control.fault = () => 500;
  expect((await put((await uploadUrl(hub, 'alice', 'alice/secret', NAME)) ?? '', CONTENT)).status).toBe(503);
});

test('a file that was deleted from a repository is no longer served by it', async () => {
  await using hub = await startWithRepos();
  await upload(hub, 'alice', 'alice/secret', NAME, CONTENT);
  await upload(hub, 'alice', 'alice/open', NAME, CONTENT);
  const url = await downloadUrl(hub, 'alice', 'alice/secret', NAME);
  const secret = { ...hub.as('alice'), type: 'model', repo: 'alice/secret', sha: NAME.sha256 } as const;
  await expect(deleteLargeFile({ ...secret, ...hub.as('bob') })).rejects.toMatchObject({ status: 404 });
  await deleteLargeFile({ ...secret, rewriteHistory: 'false' });
  await expect(deleteLargeFile(secret)).rejects.toMatchObject({ status: 404 });
  expect((await fetch(url)).status).toBe(404);
  expect(await downloadUrl(hub, 'alice', 'alice/secret', NAME)).toBe('404');
  expect((await fetch(await downloadUrl(hub, 'alice', 'alice/open', NAME))).status).toBe(200);
});
