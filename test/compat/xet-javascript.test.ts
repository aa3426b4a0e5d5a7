import { createHash, randomBytes } from 'node:crypto';
import { commit, createRepo, downloadFile, fileDownloadInfo, type RepoId, uploadFiles } from '@huggingface/hub';
import { listLargeFiles } from '@moonbase/client/large-files';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesOf } from '../../packages/server/test/blobs/bytes.ts';
import { remoteOf } from '../../packages/server/test/git-client.ts';
import { fileWith } from './files.ts';
import { lfsClient } from './lfs-client.ts';
import { startWorld, type Who, type World } from './world.ts';

const MAX_WAIT_MS = 180_000;
/**
 * The part of an old file that @huggingface/hub sends again at most: it cuts some chunks up to 64 bytes earlier than hf_xet and
 * the hub. The first chunks of the files here are not among them.
 */
const MAX_SENT_AGAIN = 0.2;

/** A hub that sends files through Xet, so that clients find chunks in them: it tells @huggingface/hub to upload so, too. */
let world: World;
beforeAll(async () => {
  world = await startWorld({ MOONBASE_XET_READ: 'true' });
});
afterAll(() => world[Symbol.asyncDispose]());

const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const model = (name: string): RepoId => ({ type: 'model', name });

/** Returns the sum of a metric over the lines with a label. */
async function metric(name: string, label: string): Promise<number> {
  const headers = { authorization: `Bearer ${world.as('admin').accessToken}` };
  const text = await (await fetch(`${world.hubUrl}/metrics`, { headers })).text();
  const counts = text.matchAll(new RegExp(`^${name}\\{[^}]*${label}[^}]*\\} (\\d+)`, 'gm'));
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
const served = (operation: string) => metric('moonbase_http_requests_total', `operation="${operation}",status="20\\d"`);
const sentBytes = () => metric('moonbase_xet_bytes_total', 'what="xorbs"');

interface Upload {
  readonly who?: Who;
  readonly repo: RepoId;
  readonly bytes: Buffer;
  readonly isPullRequest?: true;
  readonly useXet?: boolean;
}

/** Commits `model.bin`; returns the URL of the pull request, and how many shards and bytes went through Xet. */
async function upload({ who = 'alice', repo, bytes, isPullRequest, useXet }: Upload) {
  const before = [await served('uploadShard'), await sentBytes()];
  const output = await commit({
    ...world.as(who),
    ...{ repo, title: 'A large file', ...(isPullRequest && { isPullRequest }), ...(useXet === false && { useXet }) },
    operations: [{ operation: 'addOrUpdate', path: 'model.bin', content: new Blob([bytes]) }],
  });
  return {
    pullRequest: output?.pullRequestUrl,
    shards: (await served('uploadShard')) - (before[0] ?? 0),
    sent: (await sentBytes()) - (before[1] ?? 0),
  };
}

/** Downloads `model.bin` without Xet. */
async function downloaded({ type, name }: { type: string; name: string }, revision = 'main'): Promise<Buffer> {
  const path = `${type === 'model' ? '' : `${type}s/`}${name}/resolve/${encodeURIComponent(revision)}/model.bin`;
  const headers = { authorization: `Bearer ${world.as('alice').accessToken}` };
  const answer = await fetch(`${world.hubUrl}/${path}`, { headers });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

/** Waits until clients find the chunks of a file. */
async function findable(name: string): Promise<void> {
  const hash = async () => (await fileDownloadInfo({ ...world.as('alice'), repo: name, path: 'model.bin' }))?.xet?.hash;
  await expect.poll(hash, { interval: 1_000, timeout: MAX_WAIT_MS }).toMatch(/^[0-9a-f]{64}$/);
}

describe('@huggingface/hub uploads through Xet', () => {
  test.each([
    ['a model', { type: 'model', name: 'alice/js-model' }, {}],
    ['a dataset', { type: 'dataset', name: 'alice/js-dataset' }, {}],
    ['a private repository', { type: 'model', name: 'acme/js-private' }, { private: true }],
  ] as const)('to %s', async (_what, repo, options) => {
    const bytes = Buffer.concat([randomBytes(2_000_000), Buffer.from('text '.repeat(200_000))]);
    await createRepo({ ...world.as('alice'), repo, ...options });
    const { shards, sent } = await upload({ repo, bytes });
    expect(shards).toBe(1);
    // What repeats itself is sent once, and compressed.
    expect(sent).toBeGreaterThan(2_000_000);
    expect(sent).toBeLessThan(2_200_000);
    expect(sha256Of(await downloaded(repo))).toBe(sha256Of(bytes));
    // The repository has the file.
    expect(await upload({ repo, bytes })).toMatchObject({ shards: 0, sent: 0 });
  });

  test('to a pull request, also of somebody who may only read the repository', async () => {
    const repo = { type: 'model', name: 'alice/js-proposals' } as const;
    await createRepo({ ...world.as('alice'), repo });
    for (const [at, who] of (['alice', 'carol'] as const).entries()) {
      const bytes = randomBytes(1_000_000);
      const { shards, pullRequest } = await upload({ who, repo, bytes, isPullRequest: true });
      expect([shards, pullRequest]).toEqual([1, expect.stringMatching(new RegExp(`/discussions/${at + 1}$`))]);
      expect(sha256Of(await downloaded(repo, `refs/pr/${at + 1}`))).toBe(sha256Of(bytes));
    }
  });

  test('only what is new of a file that the repository has, however that came', async () => {
    const [old, added] = [bytesOf(12_000_000, 'an old file'), bytesOf(400_000, 'what is new')];
    const repo = model('alice/js-changing');
    await createRepo({ ...world.as('alice'), repo });
    expect(await upload({ repo, bytes: old, useXet: false })).toMatchObject({ shards: 0, sent: 0 });
    await findable('alice/js-changing');
    const changed = Buffer.concat([old.subarray(0, 7_000_000), added, old.subarray(7_000_000)]);
    const { shards, sent } = await upload({ repo, bytes: changed });
    expect(shards).toBe(1);
    expect(sent).toBeGreaterThan(added.length);
    expect(sent).toBeLessThan(added.length + MAX_SENT_AGAIN * old.length);
    expect(sha256Of(await downloaded({ type: 'model', name: 'alice/js-changing' }))).toBe(sha256Of(changed));
  });

  test('nothing to where it may not write', async () => {
    const repo = model('alice/js-closed');
    await createRepo({ ...world.as('alice'), repo, private: true });
    for (const isPullRequest of [undefined, true] as const)
      await expect(
        upload({ who: 'carol', repo, bytes: randomBytes(500_000), ...(isPullRequest && { isPullRequest }) }),
      ).rejects.toMatchObject({ statusCode: 404 });
  });
});

test('one file that Xet, git LFS and git-lfs have sent is one file', async () => {
  const bytes = randomBytes(1_500_000);
  const names = ['hf-xet', 'js-xet', 'js-lfs', 'git-lfs'].map((how) => `alice/one-${how}`);
  for (const name of names) await createRepo({ ...world.as('alice'), repo: model(name) });
  const { status, stderr } = await world.hf('alice', [
    'upload',
    'alice/one-hf-xet',
    await fileWith(bytes),
    'model.bin',
  ]);
  if (status !== 0) throw new Error(stderr.slice(-2_000));
  expect((await upload({ repo: model('alice/one-js-xet'), bytes })).shards).toBe(1);
  expect((await upload({ repo: model('alice/one-js-lfs'), bytes, useXet: false })).shards).toBe(0);
  await using client = await lfsClient();
  await client.run('.', 'clone', '--quiet', remoteOf(world.as('alice'), 'alice/one-git-lfs'), 'clone');
  await client.commit('clone', { 'model.bin': bytes });
  await client.run('clone', 'push', '--quiet', 'origin', 'main');

  for (const name of names) {
    const listed: unknown[] = [];
    for await (const { fileOid, size } of listLargeFiles({ ...world.as('alice'), type: 'model', repo: name }))
      listed.push([fileOid, size]);
    expect(listed).toEqual([[sha256Of(bytes), bytes.length]]);
    const headers = { authorization: `Bearer ${world.as('alice').accessToken}` };
    expect(await (await fetch(`${world.hubUrl}/${name}/raw/main/model.bin`, { headers })).text()).toBe(
      `version https://git-lfs.github.com/spec/v1\noid sha256:${sha256Of(bytes)}\nsize ${bytes.length}\n`,
    );
    expect((await downloaded({ type: 'model', name })).equals(bytes)).toBe(true);
  }
});

test('@huggingface/hub changes a part of a file in a bucket, and sends only what is new', async () => {
  const repo = { type: 'bucket', name: 'alice/js-edits' } as const;
  const alice = world.as('alice');
  const old = bytesOf(20_000_000, 'a file in a bucket');
  await createRepo({ ...alice, repo });
  await uploadFiles({ ...alice, repo, files: [{ path: 'data.bin', content: new Blob([old]) }] });
  const original = await downloadFile({ ...alice, repo, path: 'data.bin' });
  if (!original) throw new Error('The file is not there');
  expect(original.constructor.name).toBe('XetBlob');
  const before = [await served('getXetFileChanges'), await sentBytes()];
  const added = bytesOf(300_000, 'something more');
  await commit({
    ...{ ...alice, repo, title: 'Something more' },
    operations: [
      {
        ...{ operation: 'edit', path: 'data.bin', originalContent: original },
        edits: [{ content: new Blob([added]), start: old.length, end: old.length }],
      },
    ],
  });
  expect((await served('getXetFileChanges')) - (before[0] ?? 0)).toBe(1);
  expect((await sentBytes()) - (before[1] ?? 0)).toBeLessThan(added.length + MAX_SENT_AGAIN * old.length);
  const changed = await downloadFile({ ...alice, repo, path: 'data.bin' });
  const expected = sha256Of(Buffer.concat([old, added]));
  expect(sha256Of(Buffer.from((await changed?.arrayBuffer()) ?? new ArrayBuffer()))).toBe(expected);
});

test('huggingface_hub from before it chose Xet by itself goes on with git LFS', () =>
  world.python('large_files', { prefix: 'told-of-xet', xet: false }, 'before-xet'));
