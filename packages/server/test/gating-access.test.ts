import { createAccessToken } from '@moonbase/client/access-tokens';
import { askAccess, grantAccess, handleAccessRequest } from '@moonbase/client/gating';
import { getJob, runJob } from '@moonbase/client/jobs';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { gitClient, remoteOf } from './git-client.ts';
import { hasGit } from './git-folder.ts';
import type { TestHub } from './harness.ts';
import { downloadUrl, LFS, postBatch, startWithRepos, upload } from './large-files-fixture.ts';
import { createTestRunner } from './test-runner.ts';
import { refusal } from './webhooks-listen.ts';

type Overrides = Parameters<typeof startWithRepos>[1];

const CONTENT = bytesOf(300_000);
const LARGE = nameOf(CONTENT);
const OPEN = { type: 'model', repo: 'alice/open' } as const;
const API = '/api/models/alice/open';

/** Starts a hub with the gated model `alice/open`, which has a card, a file, a large file and a pull request. */
async function gated(settings: Readonly<Record<string, string>> = {}, overrides: Overrides = {}) {
  const hub = await startWithRepos(settings, overrides);
  await upload(hub, 'alice', 'alice/open', LARGE, CONTENT);
  const lines = [
    { key: 'header', value: { summary: 'Files' } },
    { key: 'file', value: { path: 'README.md', content: 'The card' } },
    { key: 'file', value: { path: 'a.txt', content: 'the secret line' } },
    { key: 'lfsFile', value: { path: 'model.bin', algo: 'sha256', oid: LARGE.sha256, size: LARGE.size } },
  ];
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const type = { 'content-type': 'application/x-ndjson' };
  await ask(hub.as('alice'), `POST ${API}/commit/main`, body, type);
  const files = [{ path: 'b.txt', content: 'the secret proposal' }];
  await ask(hub.as('alice'), `POST ${API}/commit/main?create_pr=1`, { summary: 'More', files });
  await ask(hub.as('alice'), `PUT ${API}/settings`, { gated: 'manual' });
  return hub;
}

const setStatus = (hub: TestHub, status: 'accepted' | 'pending' | 'rejected') =>
  handleAccessRequest({ ...hub.as('alice'), ...OPEN, user: 'bob', status });

const CONTENT_REQUESTS = [
  ['GET /alice/open/resolve/main/a.txt', undefined],
  ['GET /alice/open/resolve/main/model.bin', undefined],
  ['GET /alice/open/raw/main/a.txt', undefined],
  ['GET /alice/open/raw/main/model.bin', undefined],
  ['GET /alice/open/resolve/refs%2Fpr%2F1/b.txt', undefined],
  [`GET ${API}/tree/main`, undefined],
  [`POST ${API}/paths-info/main`, { paths: ['a.txt'] }],
  [`GET ${API}/treesize/main`, undefined],
  [`GET ${API}/compare/main...refs%2Fpr%2F1`, undefined],
  [`GET ${API}/auth-check`, undefined],
  [`GET ${API}/xet-read-token/main`, undefined],
  [`GET ${API}/lfs-files`, undefined],
  ['GET /alice/open/info/refs?service=git-upload-pack', undefined],
  ['GET /alice/open/info/refs?service=git-receive-pack', undefined],
  [
    `POST ${API}/lfs-files/duplicate`,
    { target: { type: 'model', name: 'bob/open' }, files: [{ sha256: LARGE.sha256 }] },
  ],
  [`POST ${API}/duplicate`, { repository: 'bob/copy' }],
  [`POST ${API}/preupload/main?create_pr=1`, { files: [{ path: 'a.txt', size: 1, sample: '' }] }],
  [`POST ${API}/commit/main?create_pr=1`, { summary: 'x', files: [{ path: 'x', content: 'x' }] }],
] as const;

test('everything that sends, lists or copies files is closed without a grant, and says why', async () => {
  await using hub = await gated({ MOONBASE_XET_READ: 'true' });
  const bob = hub.as('bob');
  for (const [request, body] of CONTENT_REQUESTS) {
    const answer = await ask(bob, request, body);
    expect([request, answer.status, answer.headers.get('x-error-code')]).toEqual([request, 403, 'GatedRepo']);
    expect(answer.headers.get('x-error-message')).toMatch(
      /Access to model .* is restricted and you are not in the authorized list/,
    );
    expect(await answer.text()).not.toContain('secret');
  }
  const objects = [{ oid: LARGE.sha256, size: LARGE.size }];
  for (const operation of ['download', 'upload'])
    expect((await postBatch(hub, 'bob', 'alice/open', { operation, objects })).status).toBe(403);
  const headers = { authorization: `Bearer ${bob.accessToken}` };
  const head = await fetch(`${hub.url}/alice/open/resolve/main/a.txt`, { method: 'HEAD', headers });
  expect([head.status, head.headers.get('x-error-code'), head.headers.get('etag')]).toEqual([403, 'GatedRepo', null]);
  const discussion = await (await ask(bob, `GET ${API}/discussions/1?diff=1`)).text();
  expect(discussion).not.toContain('the secret proposal');
  expect((await ask(bob, 'GET /api/models/bob/copy')).status).toBe(404);

  const info = await ask(bob, `GET ${API}?blobs=true`);
  expect(await info.json()).toMatchObject({
    gated: 'manual',
    siblings: expect.arrayContaining([expect.objectContaining({ rfilename: 'a.txt' })]),
  });
  expect(await (await ask(bob, 'GET /alice/open/resolve/main/README.md')).text()).toBe('The card');

  await grantAccess({ ...hub.as('alice'), ...OPEN, user: 'bob' });
  for (const [request, body] of CONTENT_REQUESTS) {
    const { status } = await ask(bob, request, body);
    expect([request, status < 400]).toEqual([request, true]);
  }
});

test('a link to a large file is judged at each use, as access is granted and taken away', async () => {
  await using hub = await gated();
  await grantAccess({ ...hub.as('alice'), ...OPEN, user: 'bob' });
  const href = await downloadUrl(hub, 'bob', 'alice/open', LARGE);
  const resolved = await ask(hub.as('bob'), 'GET /alice/open/resolve/main/model.bin');
  const links = [href, resolved.headers.get('location') ?? href];
  const statuses = () => Promise.all(links.map(async (link) => (await fetch(link)).status));
  expect(await statuses()).toEqual([200, 200]);
  for (const status of ['pending', 'accepted', 'rejected', 'accepted'] as const) {
    await setStatus(hub, status);
    expect([status, await statuses()]).toEqual([status, status === 'accepted' ? [200, 200] : [404, 404]]);
  }
});

test('a token of Xet, and what it leads to, ends with the access', async () => {
  await using hub = await gated({ MOONBASE_XET_READ: 'true' });
  hub.clock.advance(60_000);
  await hub.drain();
  await grantAccess({ ...hub.as('alice'), ...OPEN, user: 'bob' });
  const token = (await (await ask(hub.as('bob'), `GET ${API}/xet-read-token/main`)).json()) as {
    accessToken: string;
    casUrl: string;
  };
  const head = await fetch(`${hub.url}/alice/open/resolve/main/model.bin`, {
    ...{ method: 'HEAD', headers: { authorization: `Bearer ${hub.as('bob').accessToken}` } },
  });
  const hash = head.headers.get('x-xet-hash') ?? '';
  const headers = { authorization: `Bearer ${token.accessToken}` };
  const reconstruct = () => fetch(`${token.casUrl}/v2/reconstructions/${hash}`, { headers });
  const told = (await (await reconstruct()).json()) as {
    xorbs: Record<string, { url: string; ranges: { bytes: { start: number; end: number } }[] }[]>;
  };
  const [fetched] = Object.values(told.xorbs)[0] ?? [];
  const range = fetched?.ranges[0]?.bytes;
  const chunks = () => fetch(fetched?.url ?? '', { headers: { range: `bytes=${range?.start}-${range?.end}` } });
  expect((await chunks()).status).toBe(206);
  await setStatus(hub, 'rejected');
  expect([(await chunks()).status, (await reconstruct()).status]).toEqual([404, 401]);
  await setStatus(hub, 'accepted');
  expect([(await chunks()).status, (await reconstruct()).status]).toEqual([206, 200]);
});

test('a fine-grained token needs a permission for the repository or for gated ones, whoever has it', async () => {
  await using hub = await gated();
  await grantAccess({ ...hub.as('alice'), ...OPEN, user: 'bob' });
  const { _id: repoId } = (await (await ask(hub.as('bob'), `GET ${API}`)).json()) as { _id: string };
  let made = 0;
  const narrow = async (user: string, fineGrained: Parameters<typeof createAccessToken>[0]['fineGrained']) => {
    const displayName = `narrow ${made++}`;
    const { token } = await createAccessToken({ ...hub.as(user), displayName, role: 'fineGrained', fineGrained });
    return { hubUrl: hub.url, accessToken: token };
  };
  const scoped = [{ entity: { _id: repoId, type: 'model' as const }, permissions: ['repo.content.read' as const] }];
  const settings = [
    {
      entity: { _id: (await whoAmI(hub.as('bob'))).id, type: 'user' as const },
      permissions: ['user.settings.write' as const, 'discussion.write' as const],
    },
  ];
  const status = async (caller: { hubUrl: string; accessToken: string }) =>
    (await ask(caller, 'GET /alice/open/resolve/main/a.txt')).status;
  for (const user of ['alice', 'bob']) {
    expect(await status(await narrow(user, {}))).toBe(403);
    expect(await status(await narrow(user, { global: ['discussion.write'] }))).toBe(403);
    expect(await status(await narrow(user, { scoped }))).toBe(200);
    expect(await status(await narrow(user, { canReadGatedRepos: true }))).toBe(200);
  }
  const maker = await narrow('bob', { scoped: settings });
  const refused = await ask(maker, 'POST /api/settings/tokens', {
    ...{ displayName: 'wider', role: 'fineGrained', fineGrained: { scoped: [], canReadGatedRepos: true } },
  });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('canReadGatedRepos')]);
  await setStatus(hub, 'pending');
  expect(await status(await narrow('bob', { canReadGatedRepos: true }))).toBe(403);
  await ask(hub.as('alice'), `PUT ${API}/settings`, { private: true });
  expect(await status(await narrow('alice', { canReadGatedRepos: true }))).toBe(404);
});

test('a copy of a gated repository is gated as well', async () => {
  await using hub = await gated();
  await grantAccess({ ...hub.as('alice'), ...OPEN, user: 'bob' });
  expect((await ask(hub.as('bob'), `POST ${API}/duplicate`, { repository: 'bob/copy' })).status).toBe(200);
  expect(await (await ask(hub.as('alice'), 'GET /api/models/bob/copy')).json()).toMatchObject({ gated: 'manual' });
  expect((await ask(hub.as('alice'), 'GET /bob/copy/resolve/main/a.txt')).status).toBe(403);
});

test('a job mounts a gated repository only for a user who has access', async () => {
  const runner = createTestRunner();
  await using hub = await gated({}, { runner });
  const job = {
    ...{ dockerImage: 'python:3.12', command: ['true'], flavor: 'cpu-basic' as const },
    volumes: [{ type: 'model' as const, source: 'alice/open', mountPath: '/model' }],
  };
  const run = (at: { hubUrl: string; accessToken: string }) => refusal(runJob({ ...at, namespace: 'bob', job }));
  expect(await run(hub.as('bob'))).toMatchObject({ status: 400, message: expect.stringContaining('is gated') });
  await grantAccess({ ...hub.as('alice'), ...OPEN, user: 'bob' });
  const entity = { _id: (await whoAmI(hub.as('bob'))).id, type: 'user' as const };
  const { token } = await createAccessToken({
    ...{ ...hub.as('bob'), displayName: 'jobs', role: 'fineGrained' },
    fineGrained: { scoped: [{ entity, permissions: ['job.write', 'job.read'] }] },
  });
  expect(await run({ hubUrl: hub.url, accessToken: token })).toMatchObject({
    status: 400,
    message: expect.stringContaining('is gated'),
  });

  const { id: jobId } = await runJob({ ...hub.as('bob'), namespace: 'bob', job });
  const narrow = { hubUrl: hub.url, accessToken: token };
  for (const path of [`/api/jobs/bob/${jobId}`, `/api/jobs/bob/${jobId}/logs`])
    expect([path, (await ask(narrow, `GET ${path}`)).status]).toEqual([path, 403]);
  const scheduled = { jobSpec: job, schedule: '@daily', suspend: true };
  const { status: refused } = await ask(narrow, 'POST /api/scheduled-jobs/bob', scheduled);
  expect(refused).toBe(400);
  const schedule = await ask(hub.as('bob'), 'POST /api/scheduled-jobs/bob', scheduled);
  const { id: scheduledId } = (await schedule.json()) as { id: string };
  expect((await ask(narrow, `POST /api/scheduled-jobs/bob/${scheduledId}/run`)).status).toBe(403);
  expect((await ask(narrow, `POST /api/scheduled-jobs/bob/${scheduledId}/resume`)).status).toBe(403);
  await setStatus(hub, 'pending');
  await hub.drain();
  const { status } = await getJob({ ...hub.as('bob'), namespace: 'bob', jobId });
  expect(status).toMatchObject({ stage: 'ERROR', message: expect.stringContaining('is gated') });
  expect(runner.launched).toEqual([]);
});

test.runIf(hasGit)('git clones with a grant, and not without', async () => {
  await using hub = await gated();
  await using client = await gitClient();
  const clone = (folder: string) => client.attempt('.', 'clone', remoteOf(hub.as('bob'), 'alice/open'), folder);
  expect((await clone('closed')).terminal).toMatch(/403|restricted/);
  await askAccess({ ...hub.as('bob'), repo: 'alice/open' });
  await setStatus(hub, 'accepted');
  expect((await clone('open')).code).toBe(0);
});

test('rights to other repositories open nothing', async () => {
  await using hub = await gated();
  await createRepo({ ...hub.as('alice'), repo: 'alice/other' });
  await ask(hub.as('alice'), 'PUT /api/models/alice/other/settings', { gated: 'manual' });
  await grantAccess({ ...hub.as('alice'), type: 'model', repo: 'alice/other', user: 'bob' });
  const batch = await postBatch(hub, 'bob', 'alice/open', {
    ...{ operation: 'download', objects: [{ oid: LARGE.sha256, size: LARGE.size }] },
  });
  expect([batch.status, batch.headers.get('content-type')]).toEqual([403, expect.stringContaining(LFS)]);
  expect((await ask(hub.as('bob'), 'GET /alice/open/resolve/main/a.txt')).status).toBe(403);
});
