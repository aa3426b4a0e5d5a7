import {
  deleteOrganizationAvatar,
  deleteUserAvatar,
  getAvatar,
  getGeneratedAvatar,
  getOrganizationAvatar,
  getUploadedAvatar,
  getUserAvatar,
  setOrganizationAvatar,
  setUserAvatar,
} from '@moonbase/client/avatars';
import { createDiscussion } from '@moonbase/client/discussions';
import { getUserOverview, whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import type { Method } from '@moonbase/contract/route';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { blackPng, flat } from './pictures.ts';

const idOf = async (hub: TestHub, user: string) => (await whoAmI(hub.as(user))).id;
const blob = (bytes: Uint8Array) => new Blob([bytes as Uint8Array<ArrayBuffer>], { type: 'image/png' });
const fileOf = (avatarUrl: string): string => avatarUrl.split('/').at(-1)!;

let furnished: TestHub;
beforeAll(async () => {
  furnished = await startHub();
  await furnished.apply({
    users: [person('alice'), person('zoe')],
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
  });
});
afterAll(() => furnished[Symbol.asyncDispose]());

describe('an avatar', () => {
  test('is returned as JSON to callers with a token', async () => {
    const hub = furnished;
    const avatarUrl = `${hub.url}/avatars/${await idOf(hub, 'alice')}.svg`;
    expect(await getUserAvatar({ ...hub.as('zoe'), username: 'alice' })).toEqual({ avatarUrl });
    expect(await getOrganizationAvatar({ ...hub.as('zoe'), name: 'acme' })).toMatchObject({
      avatarUrl: expect.stringMatching(/\/avatars\/[0-9a-f]{24}\.svg$/),
    });
  });

  test('is not returned as JSON to others, whether it exists or not', async () => {
    const hub = furnished;
    for (const path of ['users/alice', 'users/nobody', 'organizations/acme', 'organizations/nobody'] as const) {
      const answer = await ask({ hubUrl: hub.url }, `GET /api/${path}/avatar`);
      expect([path, answer.status, answer.headers.get('www-authenticate')]).toEqual([path, 401, 'Bearer']);
    }
    const notAnImage = await ask({ hubUrl: hub.url }, 'GET /api/users/alice/avatar', undefined, {
      'sec-fetch-dest': 'empty',
    });
    expect(notAnImage.status).toBe(401);
  });

  test.each(['?redirect', '?redirect=', '?redirect=1', '?redirect=false', '?redirect=0&redirect=1'])(
    'is redirected to with %s, without a token',
    async (query) => {
      const hub = furnished;
      const id = await idOf(hub, 'alice');
      const answer = await ask({ hubUrl: hub.url }, `GET /api/users/alice/avatar${query}`);
      expect(answer.status).toBe(302);
      expect(answer.headers.get('location')).toBe(`${hub.url}/avatars/${id}.svg`);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
      expect(answer.headers.get('vary')).toBe('Sec-Fetch-Dest');
    },
  );

  test('redirects a browser that requests an image', async () => {
    const hub = furnished;
    const asImage = (path: string) => ask({ hubUrl: hub.url }, `GET ${path}`, undefined, { 'sec-fetch-dest': 'image' });
    for (const path of ['/api/users/alice/avatar', '/api/organizations/acme/avatar', '/api/avatars/acme'])
      expect([path, (await asImage(path)).status]).toEqual([path, 302]);
    for (const path of [
      '/api/users/nobody/avatar',
      '/api/users/acme/avatar',
      '/api/organizations/alice/avatar',
      '/api/organizations/nobody/avatar',
      '/api/avatars/nobody',
    ])
      expect([path, (await asImage(path)).status]).toEqual([path, 404]);
  });

  test('has one path for users and organizations, which always redirects', async () => {
    const hub = furnished;
    for (const namespace of ['alice', 'Acme']) {
      const answer = await ask({ hubUrl: hub.url }, `GET /api/avatars/${namespace}`);
      expect([namespace, answer.status]).toEqual([namespace, 302]);
      expect((await getAvatar({ hubUrl: hub.url, namespace })).type).toContain('image/svg+xml');
    }
  });

  test('set by URL has that URL', async () => {
    await using hub = await startHub();
    await hub.apply({
      users: [{ ...person('alice'), avatarUrl: 'https://example.com/alice.png' }],
      organizations: [{ name: 'acme', avatarUrl: 'https://example.com/größe 日本.png' }],
    });
    const alice = hub.as('alice');
    expect(await getUserAvatar({ ...alice, username: 'alice' })).toEqual({
      avatarUrl: 'https://example.com/alice.png',
    });
    expect((await getUserOverview({ ...alice, username: 'alice' })).avatarUrl).toBe('https://example.com/alice.png');
    expect(await getOrganizationAvatar({ ...alice, name: 'acme' })).toEqual({
      avatarUrl: 'https://example.com/größe 日本.png',
    });
  });

  test('that is generated contains no scripts, can be cached forever, and is always the same', async () => {
    await using hub = await startHub();
    await hub.people('alice', 'bob');
    const pictureOf = async (id: string) => {
      const answer = await ask({ hubUrl: hub.url }, `GET /avatars/${id}.svg`);
      return { answer, text: await answer.text() };
    };
    const [id, other] = [await idOf(hub, 'alice'), await idOf(hub, 'bob')];
    const { answer, text } = await pictureOf(id);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^image\/svg\+xml/);
    expect(answer.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'");
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(text).toMatch(/^<svg .*<\/svg>$/s);
    expect((await pictureOf(id)).text).toBe(text);
    expect((await pictureOf(other)).text).not.toBe(text);
    expect(await (await getGeneratedAvatar({ hubUrl: hub.url, file: `${id}.svg` })).text()).toBe(text);
  });

  test.each(['alice.svg', '65a0c0ffee00000000000001.png', '65A0C0FFEE00000000000001.svg', '65a0c0ffee00000000000001'])(
    'cannot be generated for %s',
    async (file) => {
      await using hub = await startHub();
      expect((await ask({ hubUrl: hub.url }, `GET /avatars/${file}`)).status).toBe(400);
    },
  );
});

describe('an uploaded picture', () => {
  async function furnish(settings: Record<string, string> = {}) {
    const hub = await startHub(settings);
    await hub.apply({
      users: [person('alice'), person('bob')],
      organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
    });
    return hub;
  }
  const black = blob(blackPng(16, 16));

  test('is shown for the account everywhere until it is removed', async () => {
    await using hub = await furnish();
    const alice = hub.as('alice');
    const before = await getUserAvatar({ ...alice, username: 'alice' });
    const { avatarUrl } = await setUserAvatar({ ...alice, username: 'Alice', picture: black });
    expect(avatarUrl).toMatch(new RegExp(`^${hub.url}/avatars/uploaded/[0-9a-f]{64}\\.webp$`));
    const { url } = await createRepo({ ...alice, repo: 'alice/letters' });
    expect(url).toContain('alice/letters');
    await createDiscussion({ ...alice, type: 'model', repo: 'alice/letters', title: 'Hello', description: 'World' });
    const discussion = await ask(alice, 'GET /api/models/alice/letters/discussions/1');
    expect(await discussion.text()).toContain(avatarUrl);
    for (const found of [
      await getUserAvatar({ ...hub.as('bob'), username: 'alice' }),
      await whoAmI(alice),
      await getUserOverview({ ...hub.as('bob'), username: 'alice' }),
    ])
      expect(found.avatarUrl).toBe(avatarUrl);

    expect(await deleteUserAvatar({ ...alice, username: 'alice' })).toEqual(before);
    expect(await getUserAvatar({ ...alice, username: 'alice' })).toEqual(before);
    expect((await ask({ hubUrl: hub.url }, `GET ${new URL(avatarUrl).pathname}`)).status).toBe(404);
    expect(await deleteUserAvatar({ ...alice, username: 'alice' })).toEqual(before);
  });

  test('of an organization is served to anybody; its URL is returned as JSON with a token', async () => {
    await using hub = await furnish();
    const { avatarUrl } = await setOrganizationAvatar({ ...hub.as('alice'), name: 'acme', picture: black });
    expect(await getOrganizationAvatar({ ...hub.as('bob'), name: 'acme' })).toEqual({ avatarUrl });
    const redirect = await ask({ hubUrl: hub.url }, 'GET /api/organizations/acme/avatar?redirect');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([302, avatarUrl]);
    const picture = await getAvatar({ hubUrl: hub.url, namespace: 'acme' });
    expect(picture.type).toBe('image/webp');
    expect((await ask({ hubUrl: hub.url }, 'GET /api/organizations/acme/avatar')).status).toBe(401);
    await deleteOrganizationAvatar({ ...hub.as('alice'), name: 'acme' });
    expect((await getAvatar({ hubUrl: hub.url, namespace: 'acme' })).type).toContain('image/svg+xml');
  });

  test('has a URL derived from its content, which two accounts may share', async () => {
    await using hub = await furnish();
    const [alice, bob] = [hub.as('alice'), hub.as('bob')];
    const first = await setUserAvatar({ ...alice, username: 'alice', picture: black });
    expect(await setUserAvatar({ ...bob, username: 'bob', picture: black })).toEqual(first);
    const second = await setUserAvatar({ ...alice, username: 'alice', picture: blob(await flat('png')) });
    expect(second).not.toEqual(first);
    const there = async ({ avatarUrl }: { avatarUrl: string }) =>
      (await ask({ hubUrl: hub.url }, `GET ${new URL(avatarUrl).pathname}`)).status;
    expect([await there(first), await there(second)]).toEqual([200, 200]);
    await deleteUserAvatar({ ...bob, username: 'bob' });
    expect([await there(first), await there(second)]).toEqual([404, 200]);
  });

  test('is deleted with its account, or when an administrator sets another', async () => {
    await using hub = await furnish();
    const ofAcme = await setOrganizationAvatar({ ...hub.as('alice'), name: 'acme', picture: black });
    await hub.apply({ organizations: [{ name: 'acme', avatarUrl: 'https://example.com/acme.png' }] });
    const served = () => getUploadedAvatar({ hubUrl: hub.url, file: fileOf(ofAcme.avatarUrl) });
    await expect(served()).rejects.toMatchObject({ status: 404 });
    expect(await getOrganizationAvatar({ ...hub.as('bob'), name: 'acme' })).toEqual({
      avatarUrl: 'https://example.com/acme.png',
    });
    expect(await setUserAvatar({ ...hub.as('bob'), username: 'bob', picture: black })).toEqual(ofAcme);
    await served();
    await hub.apply({ users: [{ name: 'bob', state: 'absent' }] });
    await expect(served()).rejects.toMatchObject({ status: 404 });
  });

  test('is kept when a document names the account without a picture', async () => {
    await using hub = await furnish();
    const mine = await setUserAvatar({ ...hub.as('alice'), username: 'alice', picture: black });
    await hub.apply({ users: [{ name: 'alice', fullname: 'Alice A.' }] });
    expect(await getUserAvatar({ ...hub.as('bob'), username: 'alice' })).toEqual(mine);
    expect((await getAvatar({ hubUrl: hub.url, namespace: 'alice' })).type).toBe('image/webp');
  });

  test('that an administrator set is replaced and removed by its account', async () => {
    await using hub = await furnish();
    const alice = hub.as('alice');
    const elsewhere = () => hub.apply({ users: [{ name: 'alice', avatarUrl: 'https://example.com/a.png' }] });
    await elsewhere();
    const { avatarUrl } = await setUserAvatar({ ...alice, username: 'alice', picture: black });
    expect(await getUserAvatar({ ...alice, username: 'alice' })).toEqual({ avatarUrl });
    await elsewhere();
    expect((await deleteUserAvatar({ ...alice, username: 'alice' })).avatarUrl).toMatch(/\.svg$/);
  });

  test('is shown below the public URL of the hub', async () => {
    await using hub = await furnish({ MOONBASE_PUBLIC_URL: 'https://hub.example/moon/' });
    const { avatarUrl } = await setUserAvatar({ ...hub.as('alice'), username: 'alice', picture: black });
    expect(avatarUrl).toMatch(/^https:\/\/hub\.example\/moon\/avatars\/uploaded\/[0-9a-f]{64}\.webp$/);
  });

  test('two uploads at once leave one of the two', async () => {
    await using hub = await furnish();
    const alice = hub.as('alice');
    const pictures = await Promise.all(['#ff0000', '#00ff00', '#0000ff'].map((colour) => flat('png', 20, 20, colour)));
    const made = await Promise.all(
      pictures.map((picture) => setUserAvatar({ ...alice, username: 'alice', picture: blob(picture) })),
    );
    const now = await getUserAvatar({ ...alice, username: 'alice' });
    expect(made).toContainEqual(now);
    const there = made.map(({ avatarUrl }) =>
      getUploadedAvatar({ hubUrl: hub.url, file: fileOf(avatarUrl) }).then(
        () => avatarUrl,
        () => undefined,
      ),
    );
    expect((await Promise.all(there)).filter(Boolean)).toEqual([now.avatarUrl]);
  });

  test('for a missing account is refused', async () => {
    const alice = furnished.as('alice');
    for (const username of ['nobody', 'acme'])
      await expect(setUserAvatar({ ...alice, username, picture: black })).rejects.toMatchObject({ status: 404 });
    for (const name of ['nobody', 'alice']) {
      await expect(setOrganizationAvatar({ ...alice, name, picture: black })).rejects.toMatchObject({ status: 404 });
      await expect(deleteOrganizationAvatar({ ...alice, name })).rejects.toMatchObject({ status: 404 });
    }
  });

  test.each(['image/png', 'image/svg+xml', 'text/html', 'application/json', 'application/octet-stream', ''])(
    'has the type of its bytes, whatever type it is sent as: %j',
    async (type) => {
      const path = '/api/users/zoe/avatar';
      const send = (body: Uint8Array) =>
        fetch(furnished.url + path, {
          method: 'PUT',
          headers: {
            authorization: `Bearer ${furnished.as('zoe').accessToken}`,
            ...(type && { 'content-type': type }),
          },
          body: body as Uint8Array<ArrayBuffer>,
        });
      expect((await send(blackPng(9, 9))).status).toBe(200);
      expect((await send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).status).toBe(415);
    },
  );
});

describe('a picture served by the hub', () => {
  const paths: [string, string, () => Promise<string>][] = [
    [
      'uploaded',
      'webp',
      async () => {
        const picture = blob(blackPng(16, 16));
        const { avatarUrl } = await setOrganizationAvatar({ ...furnished.as('alice'), name: 'acme', picture });
        return new URL(avatarUrl).pathname;
      },
    ],
    ['generated', 'svg', async () => `/avatars/${await idOf(furnished, 'alice')}.svg`],
  ];

  test.each(paths)('(%s) has headers that make it cacheable and harmless', async (_, extension, path) => {
    const answer = await ask({ hubUrl: furnished.url }, `GET ${await path()}`);
    expect(answer.status).toBe(200);
    const { etag, ...headers } = Object.fromEntries(answer.headers);
    expect(headers).toMatchObject({
      'content-type': extension === 'svg' ? 'image/svg+xml' : 'image/webp',
      'content-length': String((await answer.arrayBuffer()).byteLength),
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "sandbox; default-src 'none'",
      'content-disposition': `inline; filename="avatar.${extension}"`,
      'x-content-type-options': 'nosniff',
    });
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
  });

  test.each(paths)('(%s) is not sent again to clients that have it', async (_, _extension, pathOf) => {
    const path = await pathOf();
    const get = (ifNoneMatch: string, method: Method | 'HEAD' = 'GET') =>
      ask({ hubUrl: furnished.url }, `${method as Method} ${path}`, undefined, { 'if-none-match': ifNoneMatch });
    const etag = (await get('"other"')).headers.get('etag')!;
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag} `, '*']) {
      const answer = await get(tags);
      expect([tags, answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([tags, 304, etag, '']);
      expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
      expect(answer.headers.get('content-type')).toBeNull();
    }
    for (const tags of ['"other"', etag.slice(1, -1), 'W/"other"', '']) expect((await get(tags)).status).toBe(200);
    const head = await get('"other"', 'HEAD');
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });

  test.each([
    `${'0'.repeat(64)}.png`,
    `${'A'.repeat(64)}.webp`,
    `${'0'.repeat(63)}.webp`,
    '0.webp',
    `..%2f${'0'.repeat(64)}.webp`,
  ])('is not named %s', async (file) => {
    expect((await ask({ hubUrl: furnished.url }, `GET /avatars/uploaded/${file}`)).status).toBe(400);
  });

  test('gets 404 if nobody uploaded it', async () => {
    const answer = await ask({ hubUrl: furnished.url }, `GET /avatars/uploaded/${'0'.repeat(64)}.webp`);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store']);
  });

  test('as JSON is not cached', async () => {
    const answer = await ask(furnished.as('zoe'), 'GET /api/organizations/acme/avatar');
    expect([answer.headers.get('cache-control'), answer.headers.get('vary')]).toEqual([
      'private, no-cache',
      'Sec-Fetch-Dest',
    ]);
  });
});

/**
 * The statuses of changes (PUT, DELETE) of the picture of the organization acme, of alice, who is admin of acme, and of
 * the caller; and of requests for its address, as JSON and as a picture.
 */
const MAY = `
  an admin                          200 200  200 200  200 200  200 302
  another admin                     200 200  403 403  200 200  200 302
  a writer                          403 403  403 403  200 200  200 302
  a contributor                     403 403  403 403  200 200  200 302
  a reader                          403 403  403 403  200 200  200 302
  a member without access           403 403  403 403  200 200  200 302
  an admin of another organization  403 403  403 403  200 200  200 302
  a stranger                        403 403  403 403  200 200  200 302
  a site administrator              403 403  403 403  200 200  200 302
  a read token of an admin          403 403  403 403  403 403  200 302
  no permission at all              403 403  403 403  403 403  200 302
  org.write on acme                 200 200  403 403  403 403  200 302
  org.write on globex               403 403  403 403  403 403  200 302
  org.write everywhere              200 200  403 403  403 403  200 302
  org.read on acme                  403 403  403 403  403 403  200 302
  user.settings.write on alice      403 403  200 200  200 200  200 302
  user.settings.read on alice       403 403  403 403  403 403  200 302
  org.write of a reader             403 403  403 403  403 403  200 302
  nobody                            401 401  401 401  401 401  401 302
  an unknown token                  401 401  401 401  401 401  401 302`;

describe('who may change a picture', () => {
  let hub: TestHub;
  const roles = {
    alice: 'admin',
    ada: 'admin',
    wendy: 'write',
    carl: 'contributor',
    rita: 'read',
    nick: 'no_access',
  } as const;
  const fine = (name: string, permissions: string[], id?: string) => ({
    name,
    role: 'fineGrained' as const,
    token: `hf_${name.replaceAll(/\W/g, '')}00`,
    scopes: id ? { scoped: [{ entity: { _id: id, type: 'org' }, permissions }] } : { scoped: [], global: permissions },
  });
  beforeAll(async () => {
    hub = await startHub();
    await hub.apply({
      users: [...Object.keys(roles), 'olga', 'zoe'].map(person),
      organizations: [
        { name: 'acme', members: Object.entries(roles).map(([user, role]) => ({ user, role })) },
        { name: 'globex', members: [{ user: 'olga', role: 'admin' }] },
      ],
    });
    const orgId = async (name: string) =>
      ((await (await ask(hub.admin, `GET /api/organizations/${name}/overview`)).json()) as { _id: string })._id;
    const [acme, globex, alice] = [await orgId('acme'), await orgId('globex'), await idOf(hub, 'alice')];
    const tokens = [
      { name: 'reads', role: 'read' as const, token: 'hf_readTokenOfAdmin00' },
      fine('nothing', [], acme),
      fine('write-acme', ['org.write'], acme),
      fine('write-globex', ['org.write'], globex),
      fine('write-all', ['org.write']),
      fine('read-acme', ['org.read'], acme),
      fine('settings-write', ['user.settings.write'], alice),
      fine('settings-read', ['user.settings.read'], alice),
    ];
    await hub.apply({
      users: [
        { name: 'alice', tokens },
        { name: 'rita', tokens: [fine('of-reader', ['org.write'], acme)] },
      ],
    });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const caller = (who: string): [name: string, token?: string] => {
    const token = (name: string) => `hf_${name.replaceAll(/\W/g, '')}00`;
    const user = (name: string): [string, string] => [name, hub.as(name).accessToken];
    switch (who) {
      case 'an admin':
        return user('alice');
      case 'another admin':
        return user('ada');
      case 'a writer':
        return user('wendy');
      case 'a contributor':
        return user('carl');
      case 'a reader':
        return user('rita');
      case 'a member without access':
        return user('nick');
      case 'an admin of another organization':
        return user('olga');
      case 'a stranger':
        return user('zoe');
      case 'a site administrator':
        return ['admin', hub.admin.accessToken];
      case 'a read token of an admin':
        return ['alice', 'hf_readTokenOfAdmin00'];
      case 'no permission at all':
        return ['alice', token('nothing')];
      case 'org.write on acme':
        return ['alice', token('write-acme')];
      case 'org.write on globex':
        return ['alice', token('write-globex')];
      case 'org.write everywhere':
        return ['alice', token('write-all')];
      case 'org.read on acme':
        return ['alice', token('read-acme')];
      case 'user.settings.write on alice':
        return ['alice', token('settings-write')];
      case 'user.settings.read on alice':
        return ['alice', token('settings-read')];
      case 'org.write of a reader':
        return ['rita', token('of-reader')];
      case 'an unknown token':
        return ['zoe', 'hf_unknown'];
      default:
        return ['zoe'];
    }
  };

  const rows = MAY.trim()
    .split('\n')
    .map((line) => line.trim().split(/ {2,}/))
    .map(([who = '', ...numbers]) => [who, numbers.join(' ')] as const);
  test.each(rows)('%s: %s', async (who, expected) => {
    const [name, accessToken] = caller(who);
    const picture = blackPng(10, 10);
    const answers = [];
    for (const request of [
      'PUT /api/organizations/acme/avatar',
      'DELETE /api/organizations/acme/avatar',
      'PUT /api/users/alice/avatar',
      'DELETE /api/users/alice/avatar',
      `PUT /api/users/${name}/avatar`,
      `DELETE /api/users/${name}/avatar`,
      'GET /api/organizations/acme/avatar',
      'GET /api/organizations/acme/avatar?redirect',
    ]) {
      const [method = '', path = ''] = request.split(' ');
      const answer = await fetch(hub.url + path, {
        method,
        redirect: 'manual',
        headers: { ...(accessToken && { authorization: `Bearer ${accessToken}` }) },
        ...(method === 'PUT' && { body: picture as Uint8Array<ArrayBuffer> }),
      });
      answers.push(answer.status);
    }
    expect(answers.join(' ')).toBe(expected.replace(/ +/g, ' '));
  });
});
