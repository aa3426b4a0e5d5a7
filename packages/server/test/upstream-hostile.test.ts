import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRepo, deleteRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { readConfig } from '../src/config.ts';
import { jsonOf } from './content-hub.ts';
import { commitAt, upstreamHubs } from './upstream-hubs.ts';

const MEBIBYTE = 1024 * 1024;
const FIVE_MINUTES = 300_000;
const HEAD = '1'.repeat(40);
const FACTS = { id: 'ada/m', sha: HEAD, private: false };

/** Answers questions of the API with JSON. */
const says = (answers: Readonly<Record<string, unknown>>) => (request: IncomingMessage, response: ServerResponse) => {
  const [, answer] = Object.entries(answers).find(([part]) => request.url?.includes(part)) ?? [];
  return answer === undefined ? undefined : response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
};

test.each([
  ['no JSON', '<html>'],
  ['null', 'null'],
  ['a list', []],
  ['no commit', { ...FACTS, sha: undefined }],
  ['a commit that is none', { ...FACTS, sha: '../../etc' }],
  ['a name that is none', { ...FACTS, id: 'ada/m/../../x' }],
  ['a name that leads elsewhere', { ...FACTS, id: '../..' }],
  ['nothing about who may read', { ...FACTS, private: undefined }],
  ['more than the hub takes', JSON.stringify({ ...FACTS, description: 'x'.repeat(9 * MEBIBYTE) })],
])('an info that is %s is none', async (_, info) => {
  await using hubs = await upstreamHubs();
  hubs.wire.let(says({ '/api/models/ada/m': info }));
  expect((await hubs.ask('/api/models/ada/m')).status).toBe(504);
  expect((await hubs.ask('/ada/m/resolve/main/a.txt')).status).toBe(504);
});

test('fields of another form, entries with paths that lead out, and hashes of Xet are left out', async () => {
  await using hubs = await upstreamHubs();
  const file = { type: 'file', oid: '2'.repeat(40), size: 3 };
  hubs.wire.let(
    says({
      '/tree/': [
        { ...file, path: 'fine.txt', xetHash: '3'.repeat(64) },
        { ...file, path: '../out.txt' },
        { ...file, path: '/etc/passwd' },
        { ...file, path: 'a//b' },
        { ...file, path: 'no-id.txt', oid: 'x' },
        { ...file, path: 'negative.txt', size: -1 },
        'text',
      ],
      '/api/models/ada/m': { ...FACTS, _id: 'x', tags: 'text', likes: 'many', downloads: 5, unknown: 1, gated: false },
    }),
  );
  const info = await hubs.json<object>('/api/models/ada/m');
  expect(info).toEqual({ ...FACTS, _id: expect.stringMatching(/^[0-9a-f]{24}$/), downloads: 5, gated: false });
  const tree = await hubs.json<object[]>('/api/models/ada/m/tree/main');
  expect(tree).toEqual([{ ...file, path: 'fine.txt' }]);
});

test('a commit is itself, whatever the upstream says', async () => {
  await using hubs = await upstreamHubs();
  hubs.wire.let(says({ '/api/models/ada/m': FACTS }));
  const answer = await hubs.ask(`/api/models/ada/m/revision/${'4'.repeat(40)}`);
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([404, 'RevisionNotFound']);
});

test('paths and revisions that no commit can have are not asked for', async () => {
  await using hubs = await upstreamHubs();
  hubs.wire.let(says({ '/api/models/ada/m': FACTS }));
  await hubs.ask('/api/models/ada/m');
  hubs.wire.take();
  for (const path of ['a%01b', 'x'.repeat(1001), ''])
    expect((await hubs.ask(`/ada/m/resolve/main/${path}`)).status).toBe(404);
  expect((await hubs.ask('/api/models/ada/m/revision/a%01b')).status).toBe(404);
  const body = new URLSearchParams({ paths: 'a\u0001b' });
  expect(await hubs.json('/api/models/ada/m/paths-info/main', { method: 'POST', body })).toEqual([]);
  expect(hubs.wire.take()).toEqual([]);
});

test('paths and revisions that lead elsewhere at the upstream are not asked for', async () => {
  await using hubs = await upstreamHubs();
  const ada = hubs.upstream.as('ada');
  await createRepo({ ...ada, repo: 'ada/m' });
  await createRepo({ ...ada, repo: 'ada/secret', private: true });
  await hubs.ask('/api/models/ada/m');
  hubs.wire.take();
  const out = '..%2F..%2F..%2Fsecret%2Ftree%2Fmain';
  for (const path of [
    `/api/models/ada/m/tree/main/x%2F..%2F${out}`,
    `/api/models/ada/m/tree/main%2F${out}`,
    `/api/models/ada/m/revision/x%2F${out}`,
    `/ada/m/resolve/main/x%2F${out}`,
  ])
    expect([path, (await hubs.ask(path)).status]).toEqual([path, 404]);
  expect(hubs.wire.take()).toEqual([]);
});

test('a question that the upstream does not accept is one of the caller, not a fault of the upstream', async () => {
  await using hubs = await upstreamHubs();
  hubs.wire.let((request, response) =>
    request.url?.includes('/tree/')
      ? response.writeHead(400).end('{}')
      : says({ '/api/models/ada/m': FACTS })(request, response),
  );
  expect((await hubs.ask('/api/models/ada/m/tree/main?cursor=none')).status).toBe(400);
  expect((await hubs.ask('/api/models/ada/m?expand=nothing')).status).toBe(400);
});

test('a question of any length is kept', async () => {
  await using hubs = await upstreamHubs();
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/m' });
  const paths = Array.from({ length: 300 }, () => `${randomBytes(30).toString('hex')}.txt`);
  const long = randomBytes(450).toString('hex');
  const body = () =>
    new URLSearchParams([['expand', 'true'], ...paths.map((path): [string, string] => ['paths', path])]);
  const ask = async () => {
    expect(await hubs.json('/api/models/ada/m/paths-info/main', { method: 'POST', body: body() })).toEqual([]);
    expect((await hubs.ask(`/api/models/ada/m/tree/main/${long}`)).status).toBe(404);
    expect((await hubs.ask(`/ada/m/resolve/main/${long}`)).status).toBe(404);
  };
  await ask();
  hubs.wire.take();
  await ask();
  expect(hubs.wire.take().filter((line) => line.startsWith('POST'))).toEqual([]);
});

test('who provokes faults does not keep the hub from learning that something has become private', async () => {
  await using hubs = await upstreamHubs();
  const ada = hubs.upstream.as('ada');
  await createRepo({ ...ada, repo: 'ada/m' });
  expect((await hubs.ask('/api/models/ada/m')).status).toBe(200);
  await updateRepoSettings({ ...ada, type: 'model', repo: 'ada/m', settings: { private: true } });
  hubs.hub.clock.advance(FIVE_MINUTES);
  hubs.wire.let((request, response) => (request.url?.includes('provoked') ? response.writeHead(500).end() : undefined));
  const status = async () => {
    expect((await hubs.ask('/api/models/ada/provoked')).status).toBe(504);
    return (await hubs.ask('/api/models/ada/m')).status;
  };
  await expect.poll(status).toBe(404);
});

test('a repository that takes the name of another one there has nothing of it', async () => {
  await using hubs = await upstreamHubs();
  const ada = hubs.upstream.as('ada');
  await createRepo({ ...ada, repo: 'ada/m' });
  const before = await commitAt(hubs.upstream, 'ada', 'models/ada/m', { files: { 'a.txt': 'before' } });
  expect(await (await hubs.ask(`/ada/m/resolve/${before}/a.txt`)).text()).toBe('before');
  await deleteRepo({ ...ada, repo: 'ada/m' });
  await createRepo({ ...ada, repo: 'ada/m' });
  hubs.hub.clock.advance(FIVE_MINUTES);
  expect((await hubs.ask('/api/models/ada/m')).status).toBe(200);
  const answer = await hubs.ask(`/ada/m/resolve/${before}/a.txt`);
  expect([answer.status, answer.headers.get('x-error-code')]).toEqual([404, 'RevisionNotFound']);
});

test('a file that does not come on is given up, and others are served meanwhile', async () => {
  await using hubs = await upstreamHubs({}, { upstreamTimes: { stallMs: 1_500, headersMs: 60_000, answerMs: 60_000 } });
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/m' });
  await commitAt(hubs.upstream, 'ada', 'models/ada/m', { files: { 'a.txt': 'slow', 'b.txt': 'quick' } });
  hubs.wire.let((request, response) => {
    if (!request.url?.endsWith('/a.txt')) return undefined;
    response.writeHead(200, { 'content-length': 4 }).write('s');
    return true;
  });
  const slow = hubs.ask('/ada/m/resolve/main/a.txt');
  expect(await (await hubs.ask('/ada/m/resolve/main/b.txt')).text()).toBe('quick');
  expect((await slow).status).toBe(504);
});

test('the metrics count questions, files and bytes', async () => {
  await using hubs = await upstreamHubs();
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/m' });
  await commitAt(hubs.upstream, 'ada', 'models/ada/m', { files: { 'a.txt': 'twelve bytes' } });
  for (let times = 0; times < 3; times++) await (await hubs.ask('/ada/m/resolve/main/a.txt')).text();
  hubs.wire.away();
  await hubs.ask('/api/models/ada/unknown');
  const text = await (await hubs.ask('/metrics', {}, hubs.hub.admin.accessToken)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('moonbase_upstream_'));
  expect(lines).toEqual(
    expect.arrayContaining([
      'moonbase_upstream_questions_total{outcome="failed"} 1',
      'moonbase_upstream_files_total{source="fetched"} 1',
      'moonbase_upstream_files_total{source="kept"} 2',
      'moonbase_upstream_bytes_total{what="fetched"} 12',
      'moonbase_upstream_bytes_total{what="served"} 36',
    ]),
  );
});

test('settings that contradict each other stop the start, without the token in the message', () => {
  const faultsOf = (settings: Readonly<Record<string, string>>) => {
    try {
      return readConfig(settings).warnings.join();
    } catch (error) {
      return String(error);
    }
  };
  const token = 'hf_ofTheUpstreamAndSecret';
  const url = 'http://hub.example.com';
  expect(faultsOf({ MOONBASE_UPSTREAM_TOKEN: token })).toContain('MOONBASE_UPSTREAM_URL: must be set together');
  expect(faultsOf({ MOONBASE_UPSTREAM_URL: url, MOONBASE_PUBLIC_URL: `${url}/` })).toContain('must be another hub');
  expect(faultsOf({ MOONBASE_UPSTREAM_URL: 'ftp://x' })).toContain('must be an http or https URL');
  expect(faultsOf({ MOONBASE_UPSTREAM_URL: 'http://a:b@x' })).toContain('must have no user');
  expect(faultsOf({ MOONBASE_UPSTREAM_ALLOW: 'google' })).toContain('MOONBASE_UPSTREAM_ALLOW: must be names');
  const open = { MOONBASE_UPSTREAM_URL: url, MOONBASE_UPSTREAM_TOKEN: token, MOONBASE_HOST: '0.0.0.0' };
  expect(faultsOf(open)).toContain('in the clear');
  expect(faultsOf(open)).not.toContain(token);
});

test('a hub without an upstream is as before', async () => {
  await using hubs = await upstreamHubs({ MOONBASE_UPSTREAM_URL: '', MOONBASE_UPSTREAM_TOKEN: '' });
  const answer = await hubs.ask('/api/models/ada/m');
  expect([answer.status, await jsonOf(answer)]).toEqual([404, { error: 'Repository not found' }]);
  expect(hubs.wire.take()).toEqual([]);
});
