import { createRepo, deleteRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { tokenOf } from './harness.ts';
import { commitAt, upstreamHubs } from './upstream-hubs.ts';

interface Info {
  readonly id: string;
  readonly sha: string;
  readonly siblings: readonly { readonly rfilename: string; readonly size?: number }[];
}
interface Item {
  readonly path: string;
  readonly oid: string;
}

let hubs: Awaited<ReturnType<typeof upstreamHubs>>;
let head: string;
const FIVE_MINUTES = 300_000;

beforeAll(async () => {
  hubs = await upstreamHubs();
  const ada = hubs.upstream.as('ada');
  await createRepo({ ...ada, repo: 'ada/weather' });
  head = await commitAt(hubs.upstream, 'ada', 'models/ada/weather', {
    files: { 'README.md': '# Weather\n', 'data/a.txt': 'a', 'data/deep/b.txt': 'b' },
  });
});
afterAll(() => hubs[Symbol.asyncDispose]());
beforeEach(() => {
  hubs.wire.back();
  hubs.wire.take();
});

const names = (items: readonly Item[]) => items.map(({ path }) => path);

describe('a name that only the upstream has', () => {
  test('has the info that it has there', async () => {
    const info = await hubs.json<Info>('/api/models/ada/weather');
    expect(info).toMatchObject({ id: 'ada/weather', sha: head, private: false });
    const rest = await hubs.json<Info>(`/api/models/ada/weather/revision/${head}?blobs=true`);
    expect(rest.siblings).toContainEqual(expect.objectContaining({ rfilename: 'data/a.txt', size: 1 }));
    const some = await hubs.json<Info>('/api/models/ada/weather?expand=siblings&expand=likes');
    expect(Object.keys(some).sort()).toEqual(['_id', 'id', 'likes', 'siblings']);
  });

  test('has its files in lists, page by page', async () => {
    const all = await hubs.json<Item[]>('/api/models/ada/weather/tree/main?recursive=true');
    expect(names(all)).toEqual(['.gitattributes', 'README.md', 'data', 'data/a.txt', 'data/deep', 'data/deep/b.txt']);
    const first = await hubs.ask('/api/models/ada/weather/tree/main/data?limit=1');
    expect(names(JSON.parse(await first.text()))).toEqual(['data/a.txt']);
    const [, next = ''] = /<([^>]*)>; rel="next"/.exec(first.headers.get('link') ?? '') ?? [];
    expect(next.startsWith(hubs.hub.url)).toBe(true);
    expect(names(await hubs.json(next.slice(hubs.hub.url.length)))).toEqual(['data/deep']);
    const body = new URLSearchParams([
      ['paths', 'data/a.txt'],
      ['paths', 'nothing.txt'],
      ['paths', 'data'],
    ]);
    expect(names(await hubs.json('/api/models/ada/weather/paths-info/main', { method: 'POST', body }))).toEqual([
      'data/a.txt',
      'data',
    ]);
    body.append('expand', 'true');
    const expanded = await hubs.json<object[]>('/api/models/ada/weather/paths-info/main', { method: 'POST', body });
    expect(expanded[0]).toMatchObject({ path: 'data/a.txt', lastCommit: { id: head } });
  });

  test('has its branches', async () => {
    expect(await hubs.json('/api/models/ada/weather/refs')).toMatchObject({
      branches: [{ name: 'main', targetCommit: head }],
    });
  });

  test('gives the codes for what it does not have', async () => {
    const code = async (path: string) => {
      const { status, headers } = await hubs.ask(path);
      return [status, headers.get('x-error-code'), headers.get('x-repo-commit')];
    };
    expect(await code('/api/models/ada/weather/tree/main/nothing')).toEqual([404, 'EntryNotFound', head]);
    expect(await code('/ada/weather/resolve/main/nothing.txt')).toEqual([404, 'EntryNotFound', head]);
    expect(await code('/ada/weather/resolve/nowhere/README.md')).toEqual([404, 'RevisionNotFound', null]);
    expect(await code('/api/models/ada/nothing')).toEqual([404, 'RepoNotFound', null]);
    expect(await code('/api/datasets/ada/weather')).toEqual([404, 'RepoNotFound', null]);
  });

  test('is asked for once in a while', async () => {
    hubs.hub.clock.advance(FIVE_MINUTES);
    await hubs.ask('/api/models/ada/weather');
    expect(hubs.wire.take()).toEqual(['GET /api/models/ada/weather']);
    await hubs.ask('/api/models/ada/weather');
    await hubs.ask('/api/models/ada/weather/revision/main');
    expect(hubs.wire.take()).toEqual([]);
    hubs.hub.clock.advance(FIVE_MINUTES);
    const next = await commitAt(hubs.upstream, 'ada', 'models/ada/weather', { files: { 'new.txt': 'new' } });
    expect(await hubs.json('/api/models/ada/weather')).toMatchObject({ sha: next });
    expect((await hubs.ask(`/api/models/ada/weather/tree/${head}`)).status).toBe(200);
    head = next;
  });

  test('is found whatever the case of its name', async () => {
    expect(await hubs.json('/api/models/ADA/Weather')).toMatchObject({ id: 'ada/weather' });
  });

  test('cannot be changed here', async () => {
    const bob = { authorization: `Bearer ${tokenOf('bob')}` };
    const writes: readonly [string, RequestInit][] = [
      [
        '/api/models/ada/weather/commit/main',
        { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
      ],
      ['/api/models/ada/weather/branch/x', { method: 'POST' }],
      [
        '/api/models/ada/weather/settings',
        { method: 'PUT', body: '{}', headers: { 'content-type': 'application/json' } },
      ],
      ['/api/models/ada/weather/like', { method: 'POST' }],
    ];
    for (const [path, init] of writes) {
      const upstream = await hubs.ask(path, init);
      const missing = await hubs.ask(path.replace('weather', 'nothing'), init);
      expect([path, upstream.status]).toEqual([path, missing.status]);
      expect(upstream.status).toBeGreaterThanOrEqual(400);
    }
    const pushed = await fetch(`${hubs.hub.url}/ada/weather/info/refs?service=git-receive-pack`, { headers: bob });
    expect(pushed.status).toBe(404);
    expect(hubs.wire.take()).toEqual([]);
  });
});

describe('what is private at the upstream', () => {
  test('stays there, also once it becomes private', async () => {
    const ada = hubs.upstream.as('ada');
    await createRepo({ ...ada, repo: 'ada/secret', private: true });
    expect((await hubs.ask('/api/models/ada/secret')).status).toBe(404);
    await createRepo({ ...ada, repo: 'ada/turning' });
    expect((await hubs.ask('/ada/turning/resolve/main/.gitattributes')).status).toBe(200);
    await updateRepoSettings({ ...ada, type: 'model', repo: 'ada/turning', settings: { private: true } });
    hubs.hub.clock.advance(FIVE_MINUTES);
    for (const path of [
      '/ada/turning/resolve/main/.gitattributes',
      '/api/models/ada/turning',
      '/api/models/ada/turning/refs',
    ])
      expect((await hubs.ask(path)).status).toBe(404);
    await updateRepoSettings({
      ...ada,
      type: 'model',
      repo: 'ada/turning',
      settings: { private: false, gated: 'auto' },
    });
    hubs.hub.clock.advance(FIVE_MINUTES);
    expect((await hubs.ask('/ada/turning/resolve/main/.gitattributes')).status).toBe(403);
  });

  test('is gone here when it is deleted there', async () => {
    const ada = hubs.upstream.as('ada');
    await createRepo({ ...ada, repo: 'ada/leaving' });
    expect((await hubs.ask('/api/models/ada/leaving')).status).toBe(200);
    await deleteRepo({ ...ada, repo: 'ada/leaving' });
    hubs.hub.clock.advance(FIVE_MINUTES);
    expect((await hubs.ask('/api/models/ada/leaving')).status).toBe(404);
  });
});

describe('when the upstream is away', () => {
  test('what is kept is served, and what is not is 504', async () => {
    await hubs.ask('/api/models/ada/weather');
    await hubs.ask('/api/models/ada/weather/tree/main');
    await hubs.ask('/ada/weather/resolve/main/README.md');
    hubs.wire.away();
    hubs.hub.clock.advance(FIVE_MINUTES);
    expect(await hubs.json('/api/models/ada/weather')).toMatchObject({ sha: head });
    expect((await hubs.ask('/api/models/ada/weather/tree/main')).status).toBe(200);
    expect(await (await hubs.ask('/ada/weather/resolve/main/README.md')).text()).toBe('# Weather\n');
    const missing = await hubs.ask('/ada/weather/resolve/main/data/deep/other.txt');
    expect(missing.status).toBe(504);
    expect(await missing.text()).toContain('is not kept here, and the upstream hub does not give it');
    expect((await hubs.ask('/api/models/ada/unknown')).status).toBe(504);
  });

  test('nobody can tell what the hub knows to be private there from what it does not know', async () => {
    const statuses = () =>
      Promise.all(['secret', 'nothing'].map(async (name) => (await hubs.ask(`/api/models/ada/${name}`)).status));
    expect(await statuses()).toEqual([404, 404]);
    hubs.wire.away();
    expect(await statuses()).toEqual([404, 404]);
    hubs.hub.clock.advance(FIVE_MINUTES);
    expect(await statuses()).toEqual([504, 504]);
  });

  test('its host is not named', async () => {
    hubs.wire.away();
    const text = await (await hubs.ask('/api/models/ada/unknown')).text();
    expect(text).toContain('The connection failed');
    expect(text).not.toContain('127.0.0.1');
  });

  test('a slow one is not waited for', async () => {
    await using impatient = await upstreamHubs({}, { upstreamTimes: { answerMs: 60_000, waitMs: 100 } });
    await createRepo({ ...impatient.upstream.as('ada'), repo: 'ada/weather' });
    impatient.hub.clock.advance(FIVE_MINUTES);
    // A busy machine may make even the first question slow.
    await expect.poll(async () => (await impatient.ask('/api/models/ada/weather')).status).toBe(200);
    impatient.hub.clock.advance(FIVE_MINUTES);
    impatient.wire.take();
    impatient.wire.let(() => true);
    expect((await impatient.ask('/api/models/ada/weather')).status).toBe(200);
    expect(impatient.wire.take()).toContain('GET /api/models/ada/weather');
  });
});
