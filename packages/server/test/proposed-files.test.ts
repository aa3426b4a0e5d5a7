import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCommit } from '@moonbase/client/content';
import {
  changeDiscussionStatus,
  deleteDiscussion,
  deletePullRequestRef,
  mergePullRequest,
} from '@moonbase/client/discussions';
import { deleteLargeFile } from '@moonbase/client/large-files';
import { getQuota, updateQuota } from '@moonbase/client/quotas';
import { createRepo, deleteRepo, moveRepo } from '@moonbase/client/repositories';
import { pino } from 'pino';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createUpkeep } from '../src/content/index.ts';
import { createCommittedFiles } from '../src/content/large-files/committed-files.ts';
import { createRepositoryObjects } from '../src/content/objects.ts';
import { createFolderStore } from '../src/platform/blobs/folder/folder-store.ts';
import { ask } from './ask.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { knownGitStore } from './git-folder.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { idOf, postBatch, put, upload } from './large-files-fixture.ts';
import { chunksOf } from './xet-chunker.ts';
import { fileOf, lastLine, sendXorb, shardOf, uploadByXet, wholeXorb, writeToken, xorbOf } from './xet-client.ts';

/**
 * ada is an admin of acme, whose model acme/open is public: zoe, who is no member, may only propose. Everybody has room
 * for one of the files.
 */
const REPO = { type: 'model', repo: 'acme/open' } as const;
const [FIRST, SECOND] = [bytesOf(600_000, 'a'), bytesOf(600_000, 'b')];
const DAY = 24 * 60 * 60 * 1000;
const FULL = (name: string) =>
  `${name} may have 0.001 GiB of large files: 0.57 MiB are used, and this upload would add`;

let hub: TestHub;
/** Lets days go by, with the upkeep of large files. */
let pass: (days: number) => Promise<void>;
/** Whether git has pruned the objects that no ref leads to. */
let isPruned = false;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'moonbase-test-blobs-'));
  const store = createFolderStore({ folder, now: () => Date.now() });
  const gitStore = knownGitStore();
  const quotas = { MOONBASE_QUOTA_USER_GIB: '0.001', MOONBASE_QUOTA_ORGANIZATION_GIB: '0.001' };
  hub = await startHub(quotas, { blobs: store, gitStore });
  onTestFinished(async () => {
    await hub[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });
  const { database, clock } = hub;
  const logger = pino({ level: 'silent' });
  const objects = createRepositoryObjects({ database, store: gitStore, onRefsFailed: () => {} });
  const isCommitted = createCommittedFiles({ objects, logger });
  isPruned = false;
  const upkeep = createUpkeep({
    ...{ database, clock, logger, store, graceDays: 7, checkDays: 90 },
    isLeader: async () => true,
    isCommitted: async (file) => !isPruned && isCommitted(file),
  });
  pass = async (days) => {
    for (let day = 0; day < days; day++) {
      clock.advance(DAY);
      await hub.drain();
      while ((await upkeep.round()).done > 0);
    }
  };
  await hub.apply({
    users: ['ada', 'zoe'].map(person),
    organizations: [{ name: 'acme', members: [{ user: 'ada', role: 'admin' }] }],
  });
  await createRepo({ ...hub.as('ada'), repo: REPO.repo });
});

const usedBy = async (name: string) => (await getQuota({ ...hub.admin, name })).usedBytes;
const send = (user: string, bytes: Uint8Array) => upload(hub, user, REPO.repo, nameOf(bytes), bytes);

/** Asks where to upload a file; returns the status and the message. */
async function askToUpload(user: string, bytes: Uint8Array, ref?: string) {
  const objects = [{ oid: nameOf(bytes).sha256, size: bytes.length }];
  const answer = await postBatch(hub, user, REPO.repo, {
    operation: 'upload',
    objects,
    ...(ref && { ref: { name: ref } }),
  });
  return [answer.status, ((await answer.json()) as { message?: string }).message];
}

const operationsFor = (path: string, bytes: Uint8Array) => {
  const { sha256: oid, size } = nameOf(bytes);
  const lines = [
    { key: 'header', value: { summary: path } },
    { key: 'lfsFile', value: { path, algo: 'sha256', oid, size } },
  ];
  return new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]);
};

const commit = (user: string, path: string, bytes: Uint8Array, createPullRequest?: true) =>
  createCommit({ ...hub.as(user), ...REPO, branch: 'main', createPullRequest, operations: operationsFor(path, bytes) });

/** Lets zoe propose a file. */
async function propose(bytes: Uint8Array) {
  await send('zoe', bytes);
  await commit('zoe', 'proposed.bin', bytes, true);
}

const merge = (num = 1) => mergePullRequest({ ...hub.as('ada'), ...REPO, num });

describe('files of somebody who may only propose', () => {
  test('count for the quota of the user, and leave that of the organization to its members', async () => {
    await send('zoe', FIRST);
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([FIRST.length, 0]);
    const refused = [413, expect.stringContaining(FULL('zoe'))];
    expect(await askToUpload('zoe', SECOND)).toEqual(refused);
    expect(await askToUpload('zoe', SECOND, 'refs/pr/1')).toEqual(refused);
    const files = [{ path: 'b.bin', size: SECOND.length, sample: '' }];
    const preupload = `POST /api/models/${REPO.repo}/preupload/main?create_pr=1` as const;
    expect((await ask(hub.as('zoe'), preupload, { files })).status).toBe(413);
    await send('ada', SECOND);
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([FIRST.length, SECOND.length]);
  });

  test('count once complete, too, however many were announced', async () => {
    const urls: string[] = [];
    for (const bytes of [FIRST, SECOND]) {
      const objects = [{ oid: nameOf(bytes).sha256, size: bytes.length }];
      const answer = await postBatch(hub, 'zoe', REPO.repo, { operation: 'upload', objects });
      const batch = (await answer.json()) as { objects: { actions: { upload: { href: string } } }[] };
      urls.push(batch.objects[0]?.actions.upload.href ?? '');
    }
    const statuses = await Promise.all(
      [FIRST, SECOND].map(async (bytes, at) => (await put(urls[at] ?? '', bytes)).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 413]);
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([FIRST.length, 0]);
  });

  test('count for the user through Xet as well, chunks included', async () => {
    const token = await writeToken(hub, 'zoe', REPO.repo, '?create_pr=1');
    expect(token.casUrl).toContain(await idOf(hub, 'accounts', 'zoe'));
    // Chunks without a file count as long as none is made.
    expect((await sendXorb(token, xorbOf(chunksOf(FIRST)))).status).toBe(200);
    expect((await sendXorb(token, xorbOf(chunksOf(SECOND)))).status).toBe(413);
    const file = fileOf(wholeXorb(xorbOf(chunksOf(FIRST))));
    expect(await lastLine(token, shardOf([file], [xorbOf(chunksOf(FIRST))]))).toMatchObject({ type: 'result' });
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([FIRST.length, 0]);
    await uploadByXet(await writeToken(hub, 'ada', REPO.repo), SECOND);
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([FIRST.length, SECOND.length]);
    const elsewhere = { ...token, casUrl: token.casUrl.replace(/[^/]*$/, await idOf(hub, 'accounts', 'acme')) };
    expect((await sendXorb(elsewhere, xorbOf(chunksOf(FIRST)))).status).toBe(401);
  });

  test('of a writer count for the organization, also in a pull request', async () => {
    await send('ada', FIRST);
    await commit('ada', 'own.bin', FIRST, true);
    expect([await usedBy('ada'), await usedBy('acme')]).toEqual([0, FIRST.length]);
  });

  test('need no room of an organization to which the repository moves', async () => {
    await propose(FIRST);
    await createRepo({ ...hub.as('ada'), repo: 'ada/full' });
    await upload(hub, 'ada', 'ada/full', nameOf(SECOND), SECOND);
    await moveRepo({ ...hub.as('ada'), from: REPO.repo, to: 'ada/open' });
    expect([await usedBy('zoe'), await usedBy('ada')]).toEqual([FIRST.length, SECOND.length]);
  });

  test('go out of the quota of the user with the repository', async () => {
    await propose(FIRST);
    await deleteRepo({ ...hub.as('ada'), repo: REPO.repo });
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([0, 0]);
  });
});

describe('a proposed file counts for the organization', () => {
  test('once its pull request is merged', async () => {
    await propose(FIRST);
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([FIRST.length, 0]);
    await merge();
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([0, FIRST.length]);
    isPruned = true;
    await pass(3);
    expect(await usedBy('acme')).toBe(FIRST.length);
  });

  test('once a writer commits it to a branch', async () => {
    await propose(FIRST);
    await commit('ada', 'taken-over.bin', FIRST);
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([0, FIRST.length]);
  });

  test('once a writer deletes the pull request, whose commits stay', async () => {
    await propose(FIRST);
    await deleteDiscussion({ ...hub.as('ada'), ...REPO, num: 1 });
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([0, FIRST.length]);
  });

  test('only if there is room: otherwise nothing is merged or committed', async () => {
    await send('ada', SECOND);
    await commit('ada', 'own.bin', SECOND);
    await propose(FIRST);
    await expect(merge()).rejects.toMatchObject({ status: 413, message: expect.stringContaining(FULL('acme')) });
    await expect(commit('ada', 'taken-over.bin', FIRST)).rejects.toMatchObject({ status: 413 });
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([FIRST.length, SECOND.length]);
    await updateQuota({ ...hub.admin, name: 'acme', storageGib: 1 });
    await merge();
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([0, FIRST.length + SECOND.length]);
  });
});

describe('a file that nobody commits', () => {
  test('leaves the quota after two days', async () => {
    await send('zoe', FIRST);
    await send('ada', SECOND);
    await pass(1);
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([FIRST.length, SECOND.length]);
    await pass(2);
    expect([await usedBy('zoe'), await usedBy('acme')]).toEqual([0, 0]);
    await send('zoe', SECOND);
  });

  test('is kept if older commits have it', async () => {
    await send('ada', FIRST);
    await commit('ada', 'weights.bin', FIRST);
    await deleteLargeFile({ ...hub.as('ada'), ...REPO, sha: nameOf(FIRST).sha256, rewriteHistory: 'false' });
    await send('ada', FIRST);
    await pass(5);
    expect(await usedBy('acme')).toBe(FIRST.length);
    const file = await fetch(`${hub.url}/${REPO.repo}/resolve/main/weights.bin`);
    expect([file.status, (await file.arrayBuffer()).byteLength]).toEqual([200, FIRST.length]);
  });

  test('is also one of a pull request whose ref was deleted', async () => {
    await propose(FIRST);
    await pass(3);
    expect(await usedBy('zoe')).toBe(FIRST.length);
    await changeDiscussionStatus({ ...hub.as('zoe'), ...REPO, num: 1, status: 'closed' });
    await deletePullRequestRef({ ...hub.as('ada'), ...REPO, num: 1 });
    await pass(1);
    expect(await usedBy('zoe')).toBe(FIRST.length);
    isPruned = true;
    await pass(1);
    expect(await usedBy('zoe')).toBe(0);
  });
});
