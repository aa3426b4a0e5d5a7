import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessToken, revokeCredentials } from '@moonbase/client/access-tokens';
import { createCommit, preupload } from '@moonbase/client/content';
import { listLargeFiles } from '@moonbase/client/large-files';
import { removeMember } from '@moonbase/client/members';
import { createRepo, deleteRepo } from '@moonbase/client/repositories';
import { disableUser } from '@moonbase/client/users';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createUpkeep } from '../src/content/index.ts';
import type { BlobStore } from '../src/platform/blobs/blob-store.ts';
import { createFolderStore } from '../src/platform/blobs/folder/folder-store.ts';
import { createS3Store } from '../src/platform/blobs/s3/s3-store.ts';
import { bytesOf } from './blobs/bytes.ts';
import { startS3Server } from './blobs/s3-server.ts';
import { collect, person, type TestHub } from './harness.ts';
import { idOf, startWithRepos, uploadUrl } from './large-files-fixture.ts';
import { chunksOf } from './xet-chunker.ts';
import {
  askToken,
  fileOf,
  lastLine,
  linesOf,
  sendShard,
  sendXorb,
  shardOf,
  type TestFile,
  uploadByXet,
  wholeXorb,
  writeToken,
  type XetToken,
  xorbOf,
} from './xet-client.ts';

const DAY = 24 * 60 * 60 * 1000;
const CONTENT = Buffer.concat([Buffer.from('weights of the model, '.repeat(20_000)), bytesOf(600_000)]);

async function inFolder(): Promise<BlobStore> {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-xet-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return createFolderStore({ folder, now: () => Date.now() });
}

async function inBucket(): Promise<BlobStore> {
  const server = await startS3Server();
  onTestFinished(() => server[Symbol.asyncDispose]());
  return createS3Store(server.bucket, () => Date.now());
}

const commitOf = (hub: TestHub, user: string, repo: string, file: TestFile, size: number) =>
  createCommit({
    ...hub.as(user),
    ...{ type: 'model' as const, repo, branch: 'main' },
    operations: new Blob([
      [
        { key: 'header', value: { summary: 'weights' } },
        { key: 'lfsFile', value: { path: 'model.bin', algo: 'sha256', oid: file.sha256, size } },
      ]
        .map((line) => JSON.stringify(line))
        .join('\n'),
    ]),
  });

async function download(hub: TestHub, user: string, repo: string): Promise<Buffer> {
  const { accessToken } = hub.as(user);
  const answer = await fetch(`${hub.url}/${repo}/resolve/main/model.bin`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const rowsOf = async ({ database: { read } }: TestHub) => ({
  grants: (await read.selectFrom('repo_files').select('sha256').execute()).map(({ sha256 }) => sha256),
  xorbs: (await read.selectFrom('xorbs').select('hash').execute()).map(({ hash }) => hash),
});

const FULL = '1'.repeat(64);

/** Gives a repository of alice a large file that was never uploaded. */
async function fillQuota(hub: TestHub, size: number): Promise<void> {
  const repoId = await idOf(hub, 'repositories', 'alice/open');
  await hub.database.transaction(async (tx) => {
    const stored = { state: 'stored' as const, unused_since: null, checked_at: 0, held_until: null };
    await tx
      .insertInto('blobs')
      .values({ sha256: FULL, size, ...stored })
      .execute();
    const grant = { pusher_id: null, pushed_at: 0, filename: null, ref: null };
    await tx
      .insertInto('repo_files')
      .values({ repo_id: repoId, sha256: FULL, size, ...grant })
      .execute();
  });
}

describe.each([
  ['a folder', inFolder],
  ['a bucket', inBucket],
])('with %s', (_where, open) => {
  let hub: TestHub;
  beforeEach(async () => {
    hub = await startWithRepos({}, { blobs: await open() });
  });
  afterEach(() => hub[Symbol.asyncDispose]());

  test.each([0, 1, 2])('a file is uploaded in chunks of scheme %i, committed and downloaded', async (scheme) => {
    const token = await writeToken(hub, 'alice', 'alice/secret');
    const file = await uploadByXet(token, CONTENT, { scheme });
    // git LFS has nothing more to do.
    const name = { sha256: file.sha256, size: CONTENT.length };
    expect(await uploadUrl(hub, 'alice', 'alice/secret', name)).toBeUndefined();
    await commitOf(hub, 'alice', 'alice/secret', file, CONTENT.length);
    expect((await download(hub, 'alice', 'alice/secret')).equals(CONTENT)).toBe(true);
    const [listed] = await collect(listLargeFiles({ ...hub.as('alice'), type: 'model', repo: 'alice/secret' }));
    expect(listed).toMatchObject({ oid: file.sha256, size: CONTENT.length, filename: 'model.bin' });
  });

  test('a file of more than 8 MiB is uploaded', async () => {
    const token = await writeToken(hub, 'alice', 'alice/open');
    const content = bytesOf(9 * 1024 * 1024);
    const file = await uploadByXet(token, content, { scheme: 0 });
    await commitOf(hub, 'alice', 'alice/open', file, content.length);
    expect((await download(hub, 'bob', 'alice/open')).equals(content)).toBe(true);
  });

  test('a changed file needs only the chunks that changed', async () => {
    const token = await writeToken(hub, 'alice', 'alice/open');
    const first = xorbOf(chunksOf(CONTENT), 1);
    await uploadByXet(token, CONTENT);
    const added = xorbOf(chunksOf(bytesOf(50_000, 'added')));
    const changed = fileOf(
      { xorb: first, start: 0, end: 4 },
      wholeXorb(added),
      { xorb: first, start: 4, end: first.chunks.length },
      { xorb: first, start: 0, end: 1 },
    );
    expect((await sendXorb(token, added)).status).toBe(200);
    const lines = await linesOf(await sendShard(token, shardOf([changed], [added])));
    expect(lines).toEqual([
      { type: 'validating', verified: 0, total: 1 },
      { type: 'committing', stage: 'uploading' },
      { type: 'committing', stage: 'syncing' },
      { type: 'result', result: 1 },
    ]);
    const content = Buffer.concat(
      changed.terms.flatMap(({ xorb, start, end }) => xorb.chunks.slice(start, end).map(({ bytes }) => bytes)),
    );
    await commitOf(hub, 'alice', 'alice/open', changed, content.length);
    expect((await download(hub, 'alice', 'alice/open')).equals(content)).toBe(true);
  });

  test('a xorb that does not match its hash is refused, and nothing stays', async () => {
    const token = await writeToken(hub, 'alice', 'alice/open');
    const xorb = xorbOf(chunksOf(CONTENT), 1);
    const other = xorbOf(chunksOf(bytesOf(100_000)));
    for (const sent of [
      { hash: other.hash, bytes: xorb.bytes },
      { hash: xorb.hash, bytes: xorb.bytes.subarray(0, -1) },
      { hash: xorb.hash, bytes: Buffer.alloc(0) },
    ]) {
      const answer = await sendXorb(token, sent);
      expect([answer.status, (await answer.json()) as object]).toEqual([400, { error: expect.stringMatching(/xorb/) }]);
    }
    expect(await rowsOf(hub)).toEqual({ grants: [], xorbs: [] });
    expect(await hub.database.read.selectFrom('blobs').selectAll().execute()).toEqual([]);
  });
});

describe('a shard', () => {
  let hub: TestHub;
  let token: XetToken;
  const xorb = xorbOf(chunksOf(CONTENT), 1);
  const file = fileOf(wholeXorb(xorb));
  beforeEach(async () => {
    hub = await startWithRepos();
    onTestFinished(() => hub[Symbol.asyncDispose]());
    token = await writeToken(hub, 'alice', 'alice/open');
    await sendXorb(token, xorb);
  });
  const changed = (at: number, ...bytes: readonly number[]): Buffer => {
    const shard = shardOf([file], [xorb]);
    shard.set(bytes, at);
    return shard;
  };
  const [TERM, PROOF, SHA256] = [96, 144, 192];

  test.each([
    [
      'of other chunks',
      shardOf([fileOf(wholeXorb(xorbOf(chunksOf(bytesOf(100_000)))))]),
      /that were not uploaded here/,
    ],
    ['with chunks beyond the end', changed(TERM + 44, 200), /that were not uploaded here, or with a wrong/],
    ['with an empty range', changed(TERM + 40, 5, 0, 0, 0, 5), /that were not uploaded here, or with a wrong/],
    ['with a wrong proof', changed(PROOF, 1, 2, 3), /with a wrong verification hash/],
    ['with a wrong size', changed(TERM + 36, 1), /A term of the file .* has another size/],
    ['with a wrong hash of the file', changed(48, 1, 2, 3), /The chunks of the file .* have another hash/],
    ['with a wrong SHA-256', changed(SHA256, 1, 2, 3), /another SHA-256/],
    ['with an unknown xorb', shardOf([file], [xorbOf(chunksOf(bytesOf(100_000)))]), /that were not uploaded here/],
    ['that is none', bytesOf(1_000), /is not a shard/],
  ])('%s is refused by a line that clients show', async (_what, shard, message) => {
    expect(await lastLine(token, shard)).toEqual({ type: 'error', message: expect.stringMatching(message) });
    expect(await rowsOf(hub)).toEqual({ grants: [], xorbs: [xorb.hash] });
    const first = await sendShard(token, shard, 1);
    expect([first.status, (await first.json()) as object]).toEqual([400, { error: expect.stringMatching(message) }]);
    expect((await rowsOf(hub)).grants).toEqual([]);
  });

  test('sent twice, or by the older call, gives the same file', async () => {
    for (const version of [1, 2, 2]) {
      const answer = await sendShard(token, shardOf([file], [xorb]), version);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"result":1')]);
    }
    expect(await rowsOf(hub)).toEqual({ grants: [file.sha256], xorbs: [xorb.hash] });
  });

  test('cannot refer to chunks of another owner, and looks no different from one with unknown chunks', async () => {
    const bobs = await writeToken(hub, 'bob', 'bob/open');
    const foreign = await lastLine(bobs, shardOf([file]));
    const unknown = fileOf(wholeXorb(xorbOf(chunksOf(bytesOf(100_000)))));
    const missing = await lastLine(bobs, shardOf([unknown]));
    const text = (line: typeof foreign) => line?.message?.replace(/[0-9a-f]{64}/, '');
    expect(text(foreign)).toBe(text(missing));
    expect((await rowsOf(hub)).grants).toEqual([]);
  });

  test('that is too large is refused', async () => {
    const answer = await sendShard(token, Buffer.alloc(64 * 1024 * 1024 + 1));
    expect(answer.status).toBe(413);
  });
});

describe('a token', () => {
  let hub: TestHub;
  let token: XetToken;
  const xorb = xorbOf(chunksOf(bytesOf(50_000)));
  beforeEach(async () => {
    hub = await startWithRepos();
    onTestFinished(() => hub[Symbol.asyncDispose]());
    token = await writeToken(hub, 'alice', 'alice/secret');
  });
  const statuses = async (used: XetToken) => [
    (await sendXorb(used, xorb)).status,
    (await sendShard(used, shardOf([]))).status,
    (await sendShard(used, shardOf([]), 1)).status,
  ];

  test('comes in the body and in headers, for an hour', async () => {
    const answer = await askToken(hub, 'alice', 'models/alice/secret/xet-write-token/main');
    const { accessToken, exp, casUrl } = (await answer.json()) as XetToken;
    const header = (name: string) => answer.headers.get(name);
    expect([header('x-xet-access-token'), header('x-xet-token-expiration'), header('x-xet-cas-url')]).toEqual([
      ...[accessToken, String(exp), casUrl],
    ]);
    expect(exp).toBe(Math.floor(hub.clock.now() / 1000) + 3600);
    expect(casUrl).toMatch(new RegExp(`^${hub.url}/cas/[0-9a-f]{24}$`));
    expect(await statuses(token)).toEqual([200, 200, 200]);
    hub.clock.advance(3600 * 1000);
    expect(await statuses(token)).toEqual([401, 401, 401]);
  });

  test('cannot be forged, and is good at one address only', async () => {
    const [text = '', signature = ''] = token.accessToken.split('.');
    const bobs = await writeToken(hub, 'bob', 'bob/open');
    const { accessToken } = hub.as('alice');
    for (const forged of [
      `${text}.${signature.slice(1)}x`,
      `${text.slice(0, -1)}.${signature}`,
      `${bobs.accessToken.split('.')[0]}.${signature}`,
      ...[text, 'xet_', 'xet_.', 'x', accessToken, `${token.accessToken}.x`],
    ])
      expect(await statuses({ ...token, accessToken: forged })).toEqual([401, 401, 401]);
    expect(await statuses({ ...token, casUrl: bobs.casUrl })).toEqual([401, 401, 401]);
    expect(await statuses({ ...token, casUrl: `${hub.url}/cas/${'f'.repeat(24)}` })).toEqual([401, 401, 401]);
  });

  test('is no access token, and does not contain one that can be read', async () => {
    const answer = await fetch(`${hub.url}/api/whoami-v2`, {
      headers: { authorization: `Bearer ${token.accessToken}` },
    });
    expect(answer.status).toBe(401);
    const [text = ''] = token.accessToken.slice(4).split('.');
    expect(Buffer.from(text, 'base64url').toString()).not.toContain(hub.as('alice').accessToken);
  });

  test('to read does not write', async () => {
    const read = await askToken(hub, 'alice', 'models/alice/secret/xet-read-token/main');
    expect(await statuses((await read.json()) as XetToken)).toEqual([403, 403, 403]);
  });

  test.each([
    ['models/alice/secret/xet-write-token/main', 'bob', 404],
    ['models/alice/secret/xet-write-token/main?create_pr=1', 'bob', 404],
    ['models/alice/secret/xet-read-token/main', 'bob', 404],
    ['models/alice/nothing/xet-write-token/main', 'alice', 404],
    ['models/alice/open/xet-write-token/main', 'bob', 403],
    ['models/alice/open/xet-write-token/refs%2Fpr%2F1', 'bob', 404],
    ['models/alice/open/xet-write-token/None?create_pr=1', 'bob', 200],
    ['models/alice/open/xet-write-token/main?create_pr=1', 'bob', 200],
    ['models/alice/open/xet-read-token/main', 'bob', 200],
    ['models/alice/open/xet-write-token/nowhere', 'alice', 404],
    ['models/alice/open/xet-write-token/refs/heads/main', 'alice', 200],
  ])('at %s: %s gets %i', async (path, user, status) => {
    expect((await askToken(hub, user, path)).status).toBe(status);
  });

  test('ends with the access token that it was made with', async () => {
    const { token: secret } = await createAccessToken({ ...hub.as('alice'), displayName: 'ci', role: 'write' });
    const answer = await fetch(`${hub.url}/api/models/alice/secret/xet-write-token/main`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    const used = (await answer.json()) as XetToken;
    expect(await statuses(used)).toEqual([200, 200, 200]);
    await revokeCredentials({ ...hub.as('alice'), credentials: [secret] });
    expect(await statuses(used)).toEqual([401, 401, 401]);
  });

  test('ends with the account, the membership or the repository', async () => {
    await hub.apply({
      users: ['zoe'].map(person),
      organizations: [
        {
          name: 'acme',
          members: [
            { user: 'alice', role: 'admin' as const },
            { user: 'zoe', role: 'write' as const },
          ],
        },
      ],
    });
    await createRepo({ ...hub.as('alice'), repo: 'acme/model', private: true });
    const member = await writeToken(hub, 'zoe', 'acme/model');
    expect(await statuses(member)).toEqual([200, 200, 200]);
    await removeMember({ ...hub.as('alice'), name: 'acme', username: 'zoe' });
    expect(await statuses(member)).toEqual([404, 404, 404]);
    const admin = await writeToken(hub, 'alice', 'acme/model');
    await deleteRepo({ ...hub.as('alice'), repo: 'acme/model' });
    expect(await statuses(admin)).toEqual([401, 401, 401]);
    const bobs = await writeToken(hub, 'bob', 'bob/open');
    await disableUser({ ...hub.admin, username: 'bob' });
    expect(await statuses(bobs)).toEqual([401, 401, 401]);
  });

  test('of a reader uploads for a pull request', async () => {
    const used = await writeToken(hub, 'bob', 'alice/open', '?create_pr=1');
    const file = await uploadByXet(used, CONTENT);
    expect((await rowsOf(hub)).grants).toEqual([file.sha256]);
  });
});

test('what is not served answers 404, by which clients fall back, and reports are discarded', async () => {
  await using hub = await startWithRepos();
  const writing = await writeToken(hub, 'alice', 'alice/open');
  const reading = (await (await askToken(hub, 'alice', 'models/alice/open/xet-read-token/main')).json()) as XetToken;
  const ask = async (method: string, path: string, { casUrl, accessToken } = writing) =>
    (await fetch(casUrl + path, { method, headers: { authorization: `Bearer ${accessToken}` } })).status;
  const hash = 'a'.repeat(64);
  expect(await ask('POST', `/v1/xorb-grants/default/${hash}`)).toBe(404);
  expect(await ask('GET', `/v1/chunks/default/${hash}`)).toBe(404);
  expect(await ask('GET', `/v2/reconstructions/${hash}`, reading)).toBe(404);
  const report = await fetch(`${hub.url}/v1/telemetry`, { method: 'POST', body: '{"any":"thing"}' });
  expect(report.status).toBe(200);
});

test('a quota is refused where clients show the reason: at preupload, and otherwise in the last line', async () => {
  await using hub = await startWithRepos({ MOONBASE_QUOTA_USER_GIB: '1', MOONBASE_MAX_FILE_GIB: '2' });
  const ask = (size: number) =>
    preupload({
      ...hub.as('alice'),
      ...{ type: 'model' as const, repo: 'alice/open', revision: 'main', files: [{ path: 'model.bin', size }] },
    });
  await expect(ask(1024 ** 3 + 1)).rejects.toMatchObject({ status: 413, message: expect.stringMatching(/1 GiB/) });
  await expect(ask(2 * 1024 ** 3 + 1)).rejects.toMatchObject({
    status: 413,
    message: expect.stringMatching(/model.bin/),
  });

  const token = await writeToken(hub, 'alice', 'alice/open');
  const zeros = xorbOf(chunksOf(new Uint8Array(1024 ** 2)), 1);
  expect((await sendXorb(token, zeros)).status).toBe(200);
  await fillQuota(hub, 1024 ** 3 - 100_000);
  expect(await lastLine(token, shardOf([fileOf(wholeXorb(zeros))]))).toEqual({
    type: 'error',
    message: expect.stringMatching(/^alice may have 1 GiB of large files/),
  });
  expect((await rowsOf(hub)).grants).toEqual([FULL]);
  expect((await sendXorb(token, xorbOf(chunksOf(bytesOf(200_000))))).status).toBe(413);
});

test('xorbs of which no file was made count for the quota', async () => {
  await using hub = await startWithRepos({ MOONBASE_QUOTA_USER_GIB: '1' });
  const token = await writeToken(hub, 'alice', 'alice/open');
  const xorb = xorbOf(chunksOf(bytesOf(50_000)));
  await sendXorb(token, xorb);
  await hub.database.transaction((tx) =>
    tx
      .updateTable('xorbs')
      .set({ size: 1024 ** 3 })
      .execute(),
  );
  const other = xorbOf(chunksOf(bytesOf(50_000, 'b')));
  expect((await sendXorb(token, other)).status).toBe(413);
  await hub.database.transaction((tx) => tx.updateTable('xorbs').set({ referenced_at: 1 }).execute());
  expect((await sendXorb(token, other)).status).toBe(200);
});

test('xorbs stay for four weeks after their last use, and are then deleted', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-xet-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const store = createFolderStore({ folder, now: () => Date.now() });
  await using hub = await startWithRepos({}, { blobs: store });
  const files = async () =>
    (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length;
  const keepUp = async () => {
    const options = {
      graceDays: 7,
      checkDays: 90,
      isLeader: async () => true,
      isCommitted: async () => true,
      logger: pino({ level: 'silent' }),
    };
    const upkeep = createUpkeep({ database: hub.database, clock: hub.clock, store, ...options });
    while ((await upkeep.round()).done > 0);
  };
  const xorb = xorbOf(chunksOf(CONTENT), 1);
  const file = await uploadByXet(await writeToken(hub, 'alice', 'alice/open'), CONTENT);
  expect(await files()).toBe(2);
  hub.clock.advance(20 * DAY);
  await keepUp();
  // Another file uses chunks of the first.
  const token = await writeToken(hub, 'alice', 'alice/open');
  const part = fileOf({ xorb, start: 0, end: 2 });
  expect(await lastLine(token, shardOf([part]))).toMatchObject({ type: 'result' });
  hub.clock.advance(27 * DAY);
  await keepUp();
  expect([await files(), (await rowsOf(hub)).xorbs]).toEqual([3, [xorb.hash]]);
  hub.clock.advance(9 * DAY);
  await keepUp();
  expect([await files(), (await rowsOf(hub)).xorbs]).toEqual([2, []]);
  const late = await writeToken(hub, 'alice', 'alice/secret');
  expect(await lastLine(late, shardOf([file]))).toMatchObject({ type: 'error' });
});

test('a damaged xorb is not used', async () => {
  await using hub = await startWithRepos();
  const token = await writeToken(hub, 'alice', 'alice/open');
  const xorb = xorbOf(chunksOf(CONTENT), 1);
  await sendXorb(token, xorb);
  await hub.database.transaction((tx) => tx.updateTable('blobs').set({ state: 'damaged' }).execute());
  expect(await lastLine(token, shardOf([fileOf(wholeXorb(xorb))]))).toMatchObject({ type: 'error' });
  // The same chunks, sent again, replace it.
  await sendXorb(token, xorb);
  expect(await lastLine(token, shardOf([fileOf(wholeXorb(xorb))]))).toMatchObject({ type: 'result' });
});
