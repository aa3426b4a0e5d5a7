import { setUserAvatar } from '@moonbase/client/avatars';
import { updateOrganization } from '@moonbase/client/organizations';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { person, startHub, type TestHub } from '../../packages/server/test/harness.ts';
import { blackPng } from '../../packages/server/test/pictures.ts';

/**
 * An attacker chooses an external picture, and sends others links to the hub that lead to it. A link to the hub stays
 * on the hub.
 */

const ELSEWHERE = 'https://evil.example/sign-in';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: [person('alice'), person('bob'), { ...person('carol'), avatarUrl: ELSEWHERE }],
    organizations: [{ name: 'acme', members: [{ user: 'alice', role: 'admin' }] }],
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

const WAYS: readonly [string, Record<string, string>][] = [
  ['?redirect', {}],
  ['?redirect=https://evil.example/', {}],
  ['', { 'sec-fetch-dest': 'image' }],
];

/** Returns the target of every link to the picture of an account. */
async function leadsTo(path: string, name: string): Promise<Set<string | null>> {
  const answers = await Promise.all([
    ...WAYS.map(([query, headers]) =>
      ask({ hubUrl: hub.url }, `GET /api/${path}/${name}/avatar${query}`, undefined, headers),
    ),
    ask({ hubUrl: hub.url }, `GET /api/avatars/${name}`),
  ]);
  for (const { status } of answers) expect(status).toBe(302);
  return new Set(answers.map(({ headers }) => headers.get('location')));
}

test.each([ELSEWHERE, 'https://evil.example', 'http://127.0.0.1:1/', 'https://evil.example/avatars/x.svg'])(
  'the external picture of an organization is not redirected to: %s',
  async (avatarUrl) => {
    await updateOrganization({ ...hub.as('alice'), name: 'acme', change: { avatarUrl } });
    const [location, ...others] = await leadsTo('organizations', 'acme');
    expect(others).toEqual([]);
    expect(location).toMatch(new RegExp(`^${hub.url}/avatars/[0-9a-f]{24}\\.svg$`));
    // Programs get the address as JSON.
    const answer = await ask(hub.as('alice'), 'GET /api/organizations/acme/avatar');
    expect(await answer.json()).toEqual({ avatarUrl });
  },
);

test('the external picture that an administrator chose for a user is not redirected to', async () => {
  const [location, ...others] = await leadsTo('users', 'carol');
  expect(others).toEqual([]);
  expect(location).toMatch(new RegExp(`^${hub.url}/avatars/[0-9a-f]{24}\\.svg$`));
});

test('an uploaded picture, which the hub itself serves, is redirected to', async () => {
  const picture = new Blob([blackPng(16, 16) as Uint8Array<ArrayBuffer>]);
  const { avatarUrl } = await setUserAvatar({ ...hub.as('bob'), username: 'bob', picture });
  expect(await leadsTo('users', 'bob')).toEqual(new Set([avatarUrl]));
});

test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', '//evil.example/x', '/\\evil.example'])(
  'a picture address without http or https is refused for organizations and users: %s',
  async (avatarUrl) => {
    const patched = await ask(hub.as('alice'), 'PATCH /api/organizations/acme', { avatarUrl });
    const applied = await ask(hub.admin, 'PUT /api/admin/hub', { users: [{ name: 'bob', avatarUrl }] });
    expect([patched.status, applied.status]).toEqual([400, 400]);
  },
);

test.each([
  '//evil.example',
  '//evil.example/%2e%2e',
  '/\\evil.example',
  '/%5cevil.example/',
  '/https://evil.example',
  '//evil.example/inbox/',
])('a path that looks like another host does not redirect: %s', async (path) => {
  const answer = await ask({ hubUrl: hub.url }, `GET ${path}`, undefined, { accept: 'text/html' });
  expect(answer.status < 300 || answer.status >= 400).toBe(true);
  expect(answer.headers.get('location')).toBeNull();
});
