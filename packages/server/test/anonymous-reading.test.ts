import { createCommit } from '@moonbase/client/content';
import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import {
  createBranch,
  createRepo,
  getRepo,
  listModels,
  moveRepo,
  updateRepoSettings,
} from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { bytesOf, nameOf } from './blobs/bytes.ts';
import { contentHub } from './content-hub.ts';
import { gitClient } from './git-client.ts';
import { collect, type TestHub } from './harness.ts';
import { LFS, startWithRepos, upload } from './large-files-fixture.ts';

const CLOSED = { MOONBASE_ANONYMOUS_READ: 'false' };
const text = 'The first line\nThe second line\n';

/** Starts a hub with the public model `ada/m`, and its files without credentials. */
async function open(settings: Readonly<Record<string, string>> = {}) {
  const at = await contentHub({}, settings);
  await at.commit({ files: { 'a.txt': text } });
  const { hub } = at;
  const ada = hub.as('ada');
  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
    fetch(hub.url + path, { headers, method, redirect: 'manual' });
  const set = (change: object) => ask(ada, 'PUT /api/models/ada/m/settings', change);
  return { ...at, ada, get, set };
}

const FILE = '/ada/m/resolve/main/a.txt';

test('the files of a public repository are sent without a token, in parts and by name alone, until it is private', async () => {
  await using at = await open();
  const whole = await at.get(FILE);
  const etag = whole.headers.get('etag') ?? '';
  expect([whole.status, await whole.text()]).toEqual([200, text]);
  expect((await at.get(FILE, { range: 'bytes=4-8' })).status).toBe(206);
  expect((await at.get(FILE, {}, 'HEAD')).status).toBe(200);
  expect((await at.get(FILE, { 'if-none-match': etag })).status).toBe(304);
  await at.set({ private: true });
  for (const [headers, method] of [
    [{}, 'GET'],
    [{}, 'HEAD'],
    [{ range: 'bytes=4-8' }, 'GET'],
    [{ 'if-none-match': etag }, 'GET'],
    [{ 'if-none-match': '*' }, 'HEAD'],
  ] as const) {
    const answer = await at.get(FILE, headers, method);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([401, 'RepoNotFound']);
    expect(answer.headers.get('etag')).toBeNull();
  }
});

test('no shared cache keeps what was sent without a token', async () => {
  await using at = await open();
  for (const path of [
    FILE,
    '/api/models/ada/m',
    '/api/models',
    '/api/models/ada/m/tree/main',
    '/api/models/ada/gone',
  ]) {
    const control = (await at.get(path)).headers.get('cache-control') ?? '';
    expect([path, control]).toEqual([path, expect.stringMatching(/private|no-store/)]);
  }
  expect((await at.get(FILE)).headers.get('vary')).toContain('Authorization, Cookie');
});

test('lists, counts and pages show no private repository, also if it becomes private in between', async () => {
  await using at = await open();
  for (const repo of ['ada/b', 'ada/c']) await createRepo({ ...at.ada, repo });
  await createRepo({ ...at.ada, repo: 'ada/hidden', private: true });
  const stranger = { hubUrl: at.hub.url, retry: false as const };
  const names = async (query: object = {}) =>
    (await collect(listModels({ ...stranger, ...query }))).map(({ id }) => id);
  expect((await names()).toSorted()).toEqual(['ada/b', 'ada/c', 'ada/m']);
  expect(await names({ search: ['hidden'] })).toEqual([]);
  const first = await at.get('/api/models?sort=createdAt&limit=1');
  const [next = ''] = /(?<=<)[^>]+/.exec(first.headers.get('link') ?? '') ?? [];
  await updateRepoSettings({ ...at.ada, type: 'model', repo: 'ada/b', settings: { private: true } });
  const rest = await at.get(next.slice(at.hub.url.length));
  expect(await rest.json()).toMatchObject([{ id: 'ada/m' }]);
  const overview = await (await at.get('/api/users/ada/overview')).json();
  expect(overview).toMatchObject({ numModels: 2, user: 'ada' });
  expect(
    await (await at.get('/api/models/ada/m?expand=author&expand=resourceGroup&expand=usedStorage')).json(),
  ).toEqual({
    ...{ _id: expect.any(String), id: 'ada/m', author: 'ada', usedStorage: 0 },
  });
});

test('a name that was moved leads on only to what is public', async () => {
  await using at = await open();
  await moveRepo({ ...at.ada, from: 'ada/m', to: 'ada/moved' });
  const moved = await at.get(FILE);
  expect([moved.status, moved.headers.get('location')]).toEqual([307, '/ada/moved/resolve/main/a.txt']);
  await ask(at.ada, 'PUT /api/models/ada/moved/settings', { private: true });
  expect((await at.get(FILE)).status).toBe(401);
});

test('a gated repository shows what it is about and keeps its files, in every way that leads to them', async () => {
  await using at = await open();
  await createBranch({ ...at.ada, type: 'model', repo: 'ada/m', branch: 'pr' });
  const propose = await at.ask('/api/models/ada/m/commit/main?create_pr=1', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ summary: 'More', files: [{ path: 'b.txt', content: 'a gated line' }] }),
  });
  expect(propose.status).toBe(200);
  const discussion = async () => (await (await at.get('/api/models/ada/m/discussions/1?diff=1')).json()) as object;
  expect(await discussion()).toMatchObject({ diff: expect.stringContaining('a gated line') });
  await at.set({ gated: 'manual' });
  expect(await (await at.get('/api/models/ada/m')).json()).toMatchObject({ gated: 'manual' });
  expect(JSON.stringify(await discussion())).not.toContain('a gated line');
  for (const method of ['GET', 'HEAD']) {
    const answer = await at.get(FILE, {}, method);
    expect([answer.status, answer.headers.get('x-error-code')]).toEqual([401, 'GatedRepo']);
    expect(answer.headers.get('x-error-message')).toBe(
      `Access to model ada/m is restricted and you are not in the authorized list. Visit ${at.hub.url}/ada/m to ask for access.`,
    );
  }
  expect((await at.ask(FILE, {}, 'bob')).status).toBe(403);
  expect((await at.ask(FILE)).status).toBe(200);
});

test('discussions are read without a token as far as the owner has them, and written only with one', async () => {
  await using at = await open();
  const about = { type: 'model' as const, repo: 'ada/m' };
  await createDiscussion({ ...at.ada, ...about, title: 'Licence?', description: 'Which one?' });
  await commentDiscussion({ ...at.ada, ...about, num: 1, comment: 'MIT' });
  expect(await (await at.get('/api/models/ada/m/discussions')).json()).toMatchObject({ count: 1 });
  expect(await (await at.get('/api/models/ada/m/discussions/1')).text()).toContain('MIT');
  const written = await ask({ hubUrl: at.hub.url }, 'POST /api/models/ada/m/discussions/1/comment', { comment: 'x' });
  expect(written.status).toBe(401);
  await at.set({ discussionsDisabled: true });
  expect((await at.get('/api/models/ada/m/discussions')).status).toBe(403);
});

test('downloads without a token count by address', async () => {
  await using at = await open();
  await at.commit({ files: { 'config.json': '{}' } });
  for (let time = 0; time < 3; time += 1) expect((await at.get('/ada/m/resolve/main/config.json')).status).toBe(200);
  at.hub.clock.advance(60_000);
  await at.hub.drain();
  expect(await getRepo({ ...at.ada, type: 'model', repo: 'ada/m' })).toMatchObject({ downloads: 1 });
});

test('requests without a token share the quota of their address, and leave those with one alone', async () => {
  await using at = await open({ MOONBASE_RATE_LIMITS: 'anonymous=3,free=50' });
  const statuses: number[] = [];
  for (let time = 0; time < 4; time += 1) statuses.push((await at.get('/api/models/ada/m')).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await at.ask('/api/models/ada/m')).status).toBe(200);
});

test.each([
  ['a token that nobody has', { authorization: 'Bearer hf_nobodyHasThisToken' }],
  ['no token at all', { authorization: 'Bearer' }],
  ['a scheme that is not supported', { authorization: 'Digest x' }],
  ['no user and no password', { authorization: 'Basic Og==' }],
])('is not reading without a token: %s', async (_, headers) => {
  await using at = await open();
  expect((await at.get(FILE, headers)).status).toBe(401);
});

test('stock git clones what is public without a password, and is asked for one for everything else', async () => {
  await using at = await open();
  await using client = await gitClient();
  await createRepo({ ...at.ada, repo: 'ada/hidden', private: true });
  await client.run('.', 'clone', '--quiet', `${at.hub.url}/ada/m`, 'copy');
  expect(await client.run('copy', 'show', 'HEAD:a.txt')).toBe(text.trim());
  await client.run('copy', 'fetch', '--quiet');
  for (const repo of ['ada/hidden', 'ada/absent']) {
    const { code, terminal } = await client.attempt('.', 'clone', '--quiet', `${at.hub.url}/${repo}`, 'other');
    expect(code).not.toBe(0);
    expect(terminal).toMatch(/could not read Username/);
  }
  await client.run('copy', 'commit', '--quiet', '--allow-empty', '-m', 'Mine');
  expect((await client.attempt('copy', 'push', 'origin', 'HEAD:mine')).terminal).toMatch(/could not read Username/);
  const answers = await Promise.all(
    ['m', 'hidden', 'absent'].map((repo) => at.get(`/ada/${repo}/info/refs?service=git-receive-pack`)),
  );
  for (const answer of answers)
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Moonbase"']);
  await at.set({ gated: 'auto' });
  expect((await client.attempt('.', 'clone', `${at.hub.url}/ada/m`, 'gated')).terminal).toMatch(
    /could not read Username/,
  );
});

const CONTENT = Buffer.concat([bytesOf(900_000), Buffer.alloc(300_000)]);
const LARGE = nameOf(CONTENT);

async function withLargeFile(settings: Readonly<Record<string, string>>): Promise<TestHub> {
  const hub = await startWithRepos(settings);
  await upload(hub, 'alice', 'alice/open', LARGE, CONTENT);
  const lines = [
    { key: 'header', value: { summary: 'weights' } },
    { key: 'lfsFile', value: { path: 'model.bin', algo: 'sha256', oid: LARGE.sha256, size: LARGE.size } },
  ];
  const operations = new Blob([lines.map((line) => JSON.stringify(line)).join('\n')]);
  await createCommit({ ...hub.as('alice'), type: 'model', repo: 'alice/open', branch: 'main', operations });
  return hub;
}

const batchOf = (hub: TestHub, operation: 'download' | 'upload', repo = 'alice/open') =>
  fetch(`${hub.url}/${repo}.git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: { 'content-type': LFS, accept: LFS },
    body: JSON.stringify({ operation, objects: [{ oid: LARGE.sha256, size: LARGE.size }] }),
  });

test('links to large files that a stranger got end when the repository is private or gated', async () => {
  await using hub = await withLargeFile({});
  const answer = await batchOf(hub, 'download');
  const { objects } = (await answer.json()) as { objects: { actions: { download: { href: string } } }[] };
  const href = objects[0]?.actions.download.href ?? '';
  expect(Buffer.from(await (await fetch(href)).arrayBuffer()).equals(CONTENT)).toBe(true);
  const settings = (change: object) => ask(hub.as('alice'), 'PUT /api/models/alice/open/settings', change);
  await settings({ gated: 'auto' });
  expect((await fetch(href)).status).toBe(404);
  await settings({ gated: false });
  expect((await fetch(href, { headers: { range: 'bytes=0-9' } })).status).toBe(206);
  await settings({ private: true });
  expect((await fetch(href)).status).toBe(404);
});

test('large files are sent by nobody without a token', async () => {
  await using hub = await withLargeFile({});
  for (const repo of ['alice/open', 'alice/secret', 'alice/absent']) {
    const refused = await batchOf(hub, 'upload', repo);
    expect([refused.status, refused.headers.get('lfs-authenticate')]).toEqual([401, 'Basic realm="Moonbase"']);
    expect(refused.headers.get('x-error-code')).toBe('RepoNotFound');
  }
});

test('a token of Xet that a stranger got reads what is public, as long as it is', async () => {
  await using hub = await withLargeFile({ MOONBASE_XET_READ: 'true' });
  hub.clock.advance(60_000);
  await hub.drain();
  const path = '/api/models/alice/open';
  const asked = await fetch(`${hub.url}${path}/xet-read-token/main`);
  const { accessToken, casUrl } = (await asked.json()) as { accessToken: string; casUrl: string };
  expect((await fetch(`${hub.url}${path}/xet-write-token/main`)).status).toBe(401);
  const head = await fetch(`${hub.url}/alice/open/resolve/main/model.bin`, { method: 'HEAD' });
  const hash = head.headers.get('x-xet-hash') ?? '';
  const headers = { authorization: `Bearer ${accessToken}` };
  const reconstruct = () => fetch(`${casUrl}/v2/reconstructions/${hash}`, { headers });
  const told = (await (await reconstruct()).json()) as {
    xorbs: Record<string, { url: string; ranges: { bytes: { start: number; end: number } }[] }[]>;
  };
  const [fetched] = Object.values(told.xorbs)[0] ?? [];
  const range = fetched?.ranges[0]?.bytes;
  const chunks = () => fetch(fetched?.url ?? '', { headers: { range: `bytes=${range?.start}-${range?.end}` } });
  expect((await chunks()).status).toBe(206);
  const shard = await fetch(`${casUrl}/v1/shards`, { method: 'POST', headers, body: 'shard' });
  expect(shard.status).toBe(403);
  for (const change of [{ gated: 'auto' }, { gated: false, private: true }]) {
    await ask(hub.as('alice'), 'PUT /api/models/alice/open/settings', change);
    expect((await chunks()).status).toBe(404);
    expect([401, 404]).toContain((await reconstruct()).status);
  }
});

test('nothing is open where the operator has not opened it', async () => {
  await using at = await open(CLOSED);
  for (const path of [FILE, '/api/models', '/api/models/ada/m', '/api/users/ada/overview', '/api/buckets/ada'])
    expect([path, (await at.get(path)).status]).toEqual([path, 401]);
  expect((await at.ask(FILE)).status).toBe(200);
});
