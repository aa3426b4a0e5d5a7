import { createAccessToken } from '@moonbase/client/access-tokens';
import { grantAccess, handleAccessRequest } from '@moonbase/client/gating';
import { revokeMemberToken } from '@moonbase/client/member-tokens';
import { deleteOrganization } from '@moonbase/client/organizations';
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { DAY } from './clock.ts';
import { person, tokenOf } from './harness.ts';
import { commitAt, type UpstreamHubs, upstreamHubs } from './upstream-hubs.ts';

const FILE = '/ada/m/resolve/main/a.txt';
const PATHS = ['/api/models/ada/m', '/api/models/ada/m/refs', '/api/models/ada/m/tree/main', FILE];
const FIVE_MINUTES = 300_000;

/** Returns fine-grained tokens of bob: one for a repository of his, and one that reads gated repositories as well. */
async function narrowTokens({ hub }: UpstreamHubs) {
  const bob = hub.as('bob');
  const { id } = await createRepo({ ...bob, repo: 'bob/own' });
  const scoped = [{ entity: { _id: id, type: 'model' as const }, permissions: ['repo.content.read' as const] }];
  const made = { ...bob, role: 'fineGrained' as const };
  const narrow = await createAccessToken({ ...made, displayName: 'a', fineGrained: { scoped, global: [] } });
  const gated = await createAccessToken({
    ...{ ...made, displayName: 'b' },
    fineGrained: { scoped, global: [], canReadGatedRepos: true },
  });
  return { narrow: narrow.token, gated: gated.token };
}

/** Starts two hubs, and the model `ada/m` at the upstream. */
async function withModel(settings: Readonly<Record<string, string>> = {}) {
  const hubs = await upstreamHubs(settings);
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/m' });
  await commitAt(hubs.upstream, 'ada', 'models/ada/m', { files: { 'a.txt': 'of the upstream' } });
  return hubs;
}

test('a stranger learns nothing and causes no request, where reading needs a token', async () => {
  await using hubs = await withModel({ MOONBASE_ANONYMOUS_READ: 'false' });
  await hubs.ask('/api/models/ada/m');
  hubs.wire.take();
  for (const path of PATHS) {
    const there = await hubs.ask(path, {}, '');
    const missing = await hubs.ask(path.replace('ada/m', 'ada/nothing'), {}, '');
    expect([there.status, there.headers.get('x-error-code')]).toEqual([401, 'RepoNotFound']);
    expect(await there.text()).toBe(await missing.text());
    expect((await hubs.ask(path, {}, 'hf_unknownUnknownUnknown')).status).toBe(401);
  }
  expect(hubs.wire.take()).toEqual([]);
});

test('a stranger reads what is public there, where strangers read what is public', async () => {
  await using hubs = await withModel({ MOONBASE_ANONYMOUS_READ: 'true' });
  expect(await (await hubs.ask(FILE, {}, '')).text()).toBe('of the upstream');
  const missing = await hubs.ask('/api/models/ada/nothing', {}, '');
  expect([missing.status, missing.headers.get('x-error-code')]).toEqual([401, 'RepoNotFound']);
});

test('a token for certain repositories reads nothing of the upstream; one for gated repositories does', async () => {
  await using hubs = await withModel();
  const { narrow, gated } = await narrowTokens(hubs);
  const reading = await createAccessToken({ ...hubs.hub.as('bob'), displayName: 'c', role: 'read' });
  await hubs.ask(FILE);
  hubs.wire.take();
  for (const path of PATHS) expect((await hubs.ask(path, {}, narrow)).status).toBe(404);
  expect(hubs.wire.take()).toEqual([]);
  for (const token of [gated, reading.token]) expect((await hubs.ask(FILE, {}, token)).status).toBe(200);
});

test('what is private there is for nobody, or for who is signed in if the operator says so', async () => {
  const secret = async (hubs: Awaited<ReturnType<typeof withModel>>) => {
    await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/secret', private: true });
    const path = '/api/models/ada/secret';
    return [(await hubs.ask(path)).status, (await hubs.ask(path, {}, '')).status];
  };
  const open = { MOONBASE_ANONYMOUS_READ: 'true' };
  {
    await using hubs = await withModel(open);
    expect(await secret(hubs)).toEqual([404, 401]);
  }
  await using hubs = await withModel({ ...open, MOONBASE_UPSTREAM_SHARE_PRIVATE: 'true' });
  expect(await secret(hubs)).toEqual([200, 401]);
  const { gated } = await narrowTokens(hubs);
  expect((await hubs.ask('/api/models/ada/secret', {}, gated)).status).toBe(404);
});

/** Starts two hubs, the first of which knows this one as eve, and gates its model `ada/m`. */
async function withGatedModel(settings: Readonly<Record<string, string>> = {}) {
  const hubs = await withModel({
    ...{ MOONBASE_ANONYMOUS_READ: 'true', MOONBASE_UPSTREAM_TOKEN: tokenOf('eve'), ...settings },
  });
  await hubs.upstream.people('eve');
  const ada = { ...hubs.upstream.as('ada'), type: 'model' as const, repo: 'ada/m' };
  await updateRepoSettings({ ...ada, settings: { gated: 'manual' } });
  const codes = async (token?: string) =>
    Promise.all(
      ['/api/models/ada/m', '/api/models/ada/m/auth-check', FILE].map(async (path) => {
        const { status, headers } = await hubs.ask(path, {}, token);
        return headers.get('x-error-code') ?? status;
      }),
    );
  return { hubs, ada, codes };
}

test('the files of what is gated there are closed, and everybody may read about it', async () => {
  const { hubs, ada, codes } = await withGatedModel();
  await using _ = hubs;
  for (const token of [tokenOf('bob'), '']) expect(await codes(token)).toEqual([200, 'GatedRepo', 'GatedRepo']);
  await grantAccess({ ...ada, user: 'eve' });
  hubs.hub.clock.advance(FIVE_MINUTES);
  for (const token of [tokenOf('bob'), '']) expect(await codes(token)).toEqual([200, 'GatedRepo', 'GatedRepo']);
  expect(hubs.wire.take().filter((line) => line.includes('/resolve/'))).toEqual([]);
});

test('where the operator shares it, what is gated there is open while this hub has been granted access', async () => {
  const { hubs, ada, codes } = await withGatedModel({ MOONBASE_UPSTREAM_SHARE_PRIVATE: 'true' });
  await using _ = hubs;
  const { narrow, gated } = await narrowTokens(hubs);
  expect(await codes()).toEqual([200, 'GatedRepo', 'GatedRepo']);
  await grantAccess({ ...ada, user: 'eve' });
  hubs.hub.clock.advance(FIVE_MINUTES);
  expect(await codes()).toEqual([200, 200, 200]);
  expect(await codes(gated)).toEqual([200, 200, 200]);
  expect(await codes(narrow)).toEqual(['RepoNotFound', 'RepoNotFound', 'RepoNotFound']);
  expect(await codes('')).toEqual([200, 'GatedRepo', 'GatedRepo']);
  await handleAccessRequest({ ...ada, user: 'eve', status: 'rejected' });
  hubs.hub.clock.advance(FIVE_MINUTES);
  expect(await codes()).toEqual([200, 'GatedRepo', 'GatedRepo']);
});

test('a name that is made here shadows the one of the upstream, until it is gone', async () => {
  await using hubs = await withModel({ MOONBASE_UPSTREAM_ALLOW: 'ada/*' });
  expect(await (await hubs.ask(FILE)).text()).toBe('of the upstream');
  await hubs.hub.apply({ users: [person('ada')] });
  const ada = hubs.hub.as('ada');
  await createRepo({ ...ada, repo: 'ada/m' });
  await commitAt(hubs.hub, 'ada', 'models/ada/m', { files: { 'a.txt': 'of this hub' } });
  hubs.wire.take();
  expect(await (await hubs.ask(FILE)).text()).toBe('of this hub');
  expect((await hubs.ask('/ada/m/resolve/main/b.txt')).status).toBe(404);
  expect(hubs.wire.take()).toEqual([]);
  await deleteRepo({ ...ada, repo: 'ada/m' });
  expect(await (await hubs.ask(FILE)).text()).toBe('of the upstream');
});

test('in a namespace of this hub nothing is looked up, so that nobody else speaks in its name', async () => {
  await using hubs = await withModel();
  await hubs.hub.apply({ users: [person('ada')] });
  await createRepo({ ...hubs.hub.as('ada'), repo: 'ada/hidden', private: true });
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/hidden' });
  hubs.wire.take();
  const hidden = await hubs.ask('/api/models/ada/hidden');
  const missing = await hubs.ask('/api/models/ada/m');
  expect([hidden.status, missing.status]).toEqual([404, 404]);
  expect(await hidden.text()).toBe(await missing.text());
  expect(hubs.wire.take()).toEqual([]);
});

test('a namespace stays closed after its organization is deleted, and after its repositories have moved', async () => {
  await using hubs = await withModel();
  const members = [{ user: 'eve', role: 'admin' as const }];
  await hubs.hub.apply({
    users: [person('eve')],
    organizations: ['leaving', 'moving', 'staying'].map((name) => ({ name, plan: 'team' as const, members })),
  });
  const eve = hubs.hub.as('eve');
  await createRepo({ ...eve, repo: 'moving/m', private: true });
  await moveRepo({ ...eve, type: 'model', from: 'moving/m', to: 'staying/m' });
  for (const name of ['leaving', 'moving']) await deleteOrganization({ ...eve, name });
  const ask = async (name: string) => {
    hubs.wire.take();
    expect((await hubs.ask(`/api/models/${name}/anything`)).status).toBe(404);
    return hubs.wire.take().length;
  };
  expect([await ask('leaving'), await ask('moving'), await ask('staying')]).toEqual([0, 0, 0]);
  hubs.hub.clock.advance(40 * DAY);
  await hubs.hub.drain();
  expect([await ask('leaving'), await ask('moving'), await ask('staying')]).toEqual([1, 0, 0]);
});

test('names are read as the lists of the operator say', async () => {
  await using hubs = await withModel({ MOONBASE_UPSTREAM_ALLOW: 'ada/*,other/x', MOONBASE_UPSTREAM_DENY: '*/m' });
  hubs.wire.take();
  for (const path of PATHS) expect((await hubs.ask(path)).status).toBe(404);
  expect((await hubs.ask('/api/models/other/y')).status).toBe(404);
  expect(hubs.wire.take()).toEqual([]);
  expect((await hubs.ask('/api/models/other/x')).status).toBe(404);
  expect(hubs.wire.take()).toEqual(['GET /api/models/other/x']);
});

test('a token that the organization of a name refuses is refused, also for the upstream', async () => {
  await using hubs = await withModel({ MOONBASE_UPSTREAM_ALLOW: 'acme/*' });
  await hubs.hub.apply({
    users: [person('eve'), person('bob')],
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'eve', role: 'admin' },
          { user: 'bob', role: 'read' },
        ],
      },
    ],
  });
  await revokeMemberToken({ ...hubs.hub.as('eve'), name: 'acme', token: tokenOf('bob') });
  hubs.wire.take();
  expect((await hubs.ask('/api/models/acme/anything')).status).toBe(403);
  expect(hubs.wire.take()).toEqual([]);
});

test('a repository that was renamed there is at its new name, if that may be read', async () => {
  await using hubs = await withModel({ MOONBASE_UPSTREAM_DENY: 'ada/denied' });
  const upstreamHas = (name: string) =>
    hubs.wire.let((request, response) =>
      request.url?.startsWith('/api/models/ada/old')
        ? response.writeHead(307, { location: `/api/models/ada/${name}` }).end()
        : undefined,
    );
  upstreamHas('m');
  const moved = await hubs.ask('/ada/old/resolve/main/a.txt?download=true');
  expect([moved.status, moved.headers.get('location')]).toEqual([307, '/ada/m/resolve/main/a.txt?download=true']);
  await createRepo({ ...hubs.upstream.as('ada'), repo: 'ada/denied' });
  upstreamHas('denied');
  hubs.hub.clock.advance(FIVE_MINUTES);
  const denied = await hubs.ask('/api/models/ada/old');
  expect(denied.headers.get('location')).toBe('/api/models/ada/denied');
  expect((await hubs.ask('/api/models/ada/denied')).status).toBe(404);
});

test('an upstream that refuses the token is away, not empty', async () => {
  await using hubs = await withModel({ MOONBASE_UPSTREAM_TOKEN: 'hf_noSuchTokenAtTheUpstream' });
  const answer = await hubs.ask('/api/models/ada/m');
  expect(answer.status).toBe(504);
  const text = await answer.text();
  expect(text).toContain('It refuses the token of this hub (401)');
  expect(text).not.toContain('hf_');
});
