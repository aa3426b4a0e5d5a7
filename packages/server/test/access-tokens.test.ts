import {
  createAccessToken,
  deleteAccessToken,
  deleteUserToken,
  listAccessTokens,
  listUserTokens,
  revokeCredentials,
} from '@moonbase/client/access-tokens';
import { createDiscussion } from '@moonbase/client/discussions';
import { streamNotifications } from '@moonbase/client/notifications';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import type { FineGrained } from '@moonbase/contract/accounts/profiles';
import { REPO_TYPES } from '@moonbase/contract/primitives';
import { allRoutes } from '@moonbase/contract/routes';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { ask } from './ask.ts';
import { HOUR, MINUTE } from './clock.ts';
import { collect, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  await hub.people('alice', 'bob');
});

const create = (token: { displayName: string; role: 'read' | 'write' }, by = hub.as('alice')) =>
  createAccessToken({ ...by, ...token });
const list = (user = 'alice') => collect(listAccessTokens(hub.as(user)));
const ME = 'a'.repeat(24);
const fine = (permissions: string[], _id = ME) => ({
  displayName: 'fine',
  role: 'fineGrained',
  fineGrained: { scoped: [{ entity: { _id, type: 'user' }, permissions }] },
});

test('a token is shown once, works, is listed without its value, and can be deleted', async () => {
  const made = await create({ displayName: 'laptop', role: 'write' });
  expect(made.token).toMatch(/^hf_[0-9A-Za-z]{34}$/);
  expect(await whoAmI(hub.with(made.token))).toMatchObject({
    name: 'alice',
    auth: { accessToken: { displayName: 'laptop', role: 'write' } },
  });
  const { token, ...rest } = made;
  const [listed, other] = await list();
  expect(listed).toMatchObject(rest);
  expect(other).toMatchObject({ displayName: 'test' });
  expect(JSON.stringify(await list())).not.toContain(token);
  expect(await list('bob')).toHaveLength(1);
  await expect(deleteAccessToken({ ...hub.as('bob'), tokenId: made.id })).rejects.toMatchObject({ status: 404 });
  expect(await deleteAccessToken({ ...hub.as('alice'), tokenId: made.id })).toEqual({ success: true });
  await expect(deleteAccessToken({ ...hub.as('alice'), tokenId: made.id })).rejects.toMatchObject({ status: 404 });
  expect((await ask(hub.with(token), 'GET /api/whoami-v2')).status).toBe(401);
});

test('site administrators list and delete the tokens of others, and nobody else does', async () => {
  const made = await create({ displayName: 'laptop', role: 'write' });
  const ofAlice = { ...hub.admin, username: 'Alice' };
  expect(await collect(listUserTokens({ ...ofAlice, pageSize: 10 }))).toEqual(await list());
  const one = `DELETE /api/admin/users/alice/tokens/${made.id}` as const;
  for (const caller of [hub.as('alice'), hub.as('bob')])
    for (const request of [one, 'GET /api/admin/users/alice/tokens'] as const)
      expect((await ask(caller, request)).status).toBe(403);
  for (const missing of [{ username: 'bob' }, { username: 'nobody' }, { tokenId: ME }])
    await expect(deleteUserToken({ ...ofAlice, tokenId: made.id, ...missing })).rejects.toMatchObject({ status: 404 });
  await expect(listUserTokens({ ...ofAlice, username: 'nobody' }).next()).rejects.toMatchObject({ status: 404 });
  expect(await deleteUserToken({ ...ofAlice, tokenId: made.id })).toEqual({ success: true });
  expect((await ask(hub.with(made.token), 'GET /api/whoami-v2')).status).toBe(401);
  expect(await whoAmI(hub.as('alice'))).toMatchObject({ name: 'alice' });
});

test('the open streams of a deleted token end within a second, those of other tokens continue', async () => {
  const other = streamNotifications(hub.as('alice'));
  await other.next();
  const ends = [
    ({ id }: { id: string }) => deleteAccessToken({ ...hub.as('alice'), tokenId: id }),
    ({ id }: { id: string }) => deleteUserToken({ ...hub.admin, username: 'alice', tokenId: id }),
    ({ token }: { token: string }) => revokeCredentials({ ...hub.as('bob'), credentials: [token] }),
  ];
  for (const [at, end] of ends.entries()) {
    const made = await create({ displayName: `laptop ${at}`, role: 'write' });
    const stream = streamNotifications(hub.with(made.token));
    await stream.next();
    const ended = collect(stream);
    await end(made);
    const startedAt = performance.now();
    await ended;
    // Without a signal, a stream checks its caller only after 15 s.
    expect(performance.now() - startedAt).toBeLessThan(12_000);
  }
  // alice got nothing in between, so the next message is a notification and not the end of the stream.
  const news = other.next();
  await createRepo({ ...hub.as('bob'), repo: 'bob/open' });
  await createDiscussion({ ...hub.as('bob'), type: 'model', repo: 'bob/open', title: 'Hello', description: '@alice' });
  await hub.drain();
  expect((await news).done).toBe(false);
  await other.return();
});

test('names of tokens are unique per user', async () => {
  await create({ displayName: ' laptop ', role: 'read' });
  await expect(create({ displayName: 'laptop', role: 'read' })).rejects.toMatchObject({ status: 409 });
  await create({ displayName: 'laptop', role: 'read' }, hub.as('bob'));
});

test('pages', async () => {
  for (let made = 0; made < 25; made++) await create({ displayName: `t${made}`, role: 'read' });
  const paged = await collect(listAccessTokens({ ...hub.as('alice'), pageSize: 10 }));
  expect(paged.map(({ displayName }) => displayName)).toEqual([
    ...Array.from({ length: 25 }, (_, at) => `t${24 - at}`),
    'test',
  ]);
});

describe('the last use', () => {
  test('is recorded to the hour', async () => {
    const { token } = await create({ displayName: 'laptop', role: 'read' });
    const lastUse = async () => (await list())[0]?.lastUsedAt;
    expect(await lastUse()).toBeUndefined();
    const first = new Date(hub.clock.now()).toISOString();
    await whoAmI(hub.with(token));
    expect(await lastUse()).toBe(first);
    hub.clock.advance(59 * MINUTE);
    await whoAmI(hub.with(token));
    expect(await lastUse()).toBe(first);
    hub.clock.advance(HOUR);
    await Promise.all(Array.from({ length: 5 }, () => whoAmI(hub.with(token))));
    expect(await lastUse()).toBe(new Date(hub.clock.now()).toISOString());
  });
});

test.each([
  ['no name', { role: 'read' }],
  ['a blank name', { displayName: '  ', role: 'read' }],
  ['a long name', { displayName: 'x'.repeat(101), role: 'read' }],
  ['an unknown role', { displayName: 'x', role: 'god' }],
  ['scopes for a token of the role write', { ...fine(['repo.write']), role: 'write' }],
  ['no scopes for a fine-grained token', { displayName: 'x', role: 'fineGrained' }],
  ['an unknown permission', fine(['repo.everything'])],
  ['no permission', fine([])],
  ['a value that is not an object id', fine(['repo.write'], 'alice')],
  [
    'an unknown kind of target',
    {
      ...fine(['repo.write']),
      fineGrained: { scoped: [{ entity: { _id: ME, type: 'king' }, permissions: ['repo.write'] }] },
    },
  ],
  ['an unknown global permission', { ...fine(['repo.write']), fineGrained: { scoped: [], global: ['all'] } }],
])('%s is refused with an error that names the field', async (_, body) => {
  const answer = await ask(hub.as('alice'), 'POST /api/settings/tokens', body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({
    issues: expect.arrayContaining([{ path: expect.stringMatching(/^body\./), message: expect.any(String) }]),
  });
  expect(await list()).toHaveLength(1);
});

describe('a token cannot create one that may do more than itself', () => {
  const id = async () => (await whoAmI(hub.as('alice'))).id;
  const maker = async (scopes: (me: string) => FineGrained) => {
    const me = await id();
    const made = await createAccessToken({
      ...hub.as('alice'),
      displayName: 'maker',
      role: 'fineGrained',
      fineGrained: scopes(me) as never,
    });
    return { me, maker: hub.with(made.token) };
  };
  const on = (_id: string, ...permissions: string[]): FineGrained => ({
    scoped: [{ entity: { _id, type: 'user' }, permissions }],
  });

  test('a read token cannot create one', async () => {
    const { token } = await create({ displayName: 'reading', role: 'read' });
    await expect(create({ displayName: 'x', role: 'read' }, hub.with(token))).rejects.toMatchObject({ status: 403 });
  });

  test('a fine-grained token without the permission to change settings cannot either', async () => {
    const { maker: by } = await maker((me) => on(me, 'user.settings.read', 'repo.write'));
    await expect(create({ displayName: 'x', role: 'read' }, by)).rejects.toMatchObject({ status: 403 });
  });

  test.each<[string, (me: string) => object, number]>([
    ['the same', (me) => on(me, 'user.settings.write', 'repo.write'), 200],
    ['less', (me) => on(me, 'repo.content.read'), 200],
    ['nothing', () => ({ scoped: [] }), 200],
    ['another permission', (me) => on(me, 'discussion.write'), 400],
    ['another target', () => on('f'.repeat(24), 'repo.write'), 400],
    ['everywhere', () => ({ scoped: [], global: ['repo.write'] }), 400],
    ['what it has everywhere, on one target', () => on('f'.repeat(24), 'post.write'), 200],
  ])('a fine-grained one creates one with %s: %i', async (_, scopes, status) => {
    const { me, maker: by } = await maker((self) => ({
      ...on(self, 'user.settings.write', 'repo.write'),
      global: ['post.write'],
    }));
    const body = { displayName: 'made', role: 'fineGrained', fineGrained: scopes(me) };
    expect((await ask(by, 'POST /api/settings/tokens', body)).status).toBe(status);
  });

  test.each(['read', 'write'])('a fine-grained token cannot create one with the role %s', async (role) => {
    const { maker: by } = await maker((me) => on(me, 'user.settings.write'));
    expect((await ask(by, 'POST /api/settings/tokens', { displayName: 'x', role })).status).toBe(400);
  });
});

describe('a fine-grained token can be given', () => {
  const PLAIN = ['public', 'signed-in', 'site-admin', 'site-admin.read'];
  const asked = [...new Set<string>(allRoutes.map(({ authority }) => authority))].filter(
    (word) => !PLAIN.includes(word),
  );

  test.each(asked)('%s, for the routes that require it', async (word) => {
    const { id } = await whoAmI(hub.as('alice'));
    const scoped = await ask(hub.as('alice'), 'POST /api/settings/tokens', fine([word], id));
    expect([scoped.status, await scoped.json()]).toMatchObject([
      200,
      { fineGrained: { scoped: [{ permissions: [word] }] } },
    ]);
    const global = { displayName: 'everywhere', role: 'fineGrained', fineGrained: { global: [word] } };
    expect((await ask(hub.as('alice'), 'POST /api/settings/tokens', global)).status).toBe(200);
  });

  test.each(REPO_TYPES)('permissions on a %s, which reach no other repository', async (type) => {
    const alice = hub.as('alice');
    const { id: _id } = await createRepo({ ...alice, type, repo: 'alice/own', private: true });
    await createRepo({ ...alice, type, repo: 'alice/other', private: true });
    const given = async (displayName: string, ...permissions: ('repo.content.read' | 'repo.write')[]) => {
      const fineGrained = { scoped: [{ entity: { _id, type }, permissions }] };
      return hub.with((await createAccessToken({ ...alice, displayName, role: 'fineGrained', fineGrained })).token);
    };
    const reads = await given('reads', 'repo.content.read');
    const writes = await given('writes', 'repo.write');
    const seen = async (by: TestHub['admin'], repo: string) => (await ask(by, `GET /api/${type}s/${repo}`)).status;
    const changed = async (by: TestHub['admin'], repo: string) =>
      (await ask(by, `PUT /api/${type}s/${repo}/settings`, { private: true })).status;
    expect([await seen(reads, 'alice/own'), await changed(reads, 'alice/own')]).toEqual([200, 403]);
    expect([await seen(writes, 'alice/own'), await changed(writes, 'alice/own')]).toEqual([200, 200]);
    for (const by of [reads, writes])
      expect([await seen(by, 'alice/other'), await changed(by, 'alice/other')]).toEqual([404, 404]);
  });

  test('opens the inbox with the permissions of notifications', async () => {
    const { id } = await whoAmI(hub.as('alice'));
    const status = async (token: string, call: `GET ${string}` | `POST ${string}`) =>
      (await ask(hub.with(token), call)).status;
    const given = async (permission: string, displayName: string) => {
      const made = await ask(hub.as('alice'), 'POST /api/settings/tokens', { ...fine([permission], id), displayName });
      return ((await made.json()) as { token: string }).token;
    };
    const reads = await given('user.notifications.read', 'reads');
    const writes = await given('user.notifications.write', 'writes');
    const other = await given('user.settings.write', 'other');
    const calls = ['GET /api/notifications', 'POST /api/notifications/mark-as-read'] as const;
    const statuses = (token: string) => Promise.all(calls.map((call) => status(token, call)));
    expect([await statuses(reads), await statuses(writes), await statuses(other)]).toEqual([
      [200, 403],
      [200, 200],
      [403, 403],
    ]);
  });
});
