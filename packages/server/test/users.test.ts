import { createAccessToken } from '@moonbase/client/access-tokens';
import { createUser, getUserEntry, listUsers } from '@moonbase/client/admin';
import { whoAmI } from '@moonbase/client/profiles';
import { expect, test } from 'vitest';
import { accountPage } from '../src/accounts/index.ts';
import { ask } from './ask.ts';
import { collect, person, startHub } from './harness.ts';
import { newUser, PATCH, startScim } from './scim-fixture.ts';

test('site administrators list all users, newest first, over all pages; nobody else does', async () => {
  await using hub = await startHub();
  const names = Array.from({ length: 12 }, (_, at) => `user-${at}`);
  await hub.people(...names);
  await hub.apply({
    users: [{ name: 'ada', fullname: 'Ada L', email: 'ada@example.com', pro: true }],
    organizations: [{ name: 'acme' }],
  });
  const users = await collect(listUsers({ ...hub.admin, pageSize: 10 }));
  expect(users.map(({ name }) => name)).toEqual(['ada', ...names.toReversed(), 'admin']);
  expect(users[0]).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    type: 'user',
    disabled: false,
    name: 'ada',
    fullname: 'Ada L',
    email: 'ada@example.com',
    avatarUrl: `${hub.url}/avatars/${users[0]?.id}.svg`,
    isPro: true,
    isAdmin: false,
    createdAt: new Date(hub.clock.now()).toISOString(),
  });
  expect(users.at(-1)).toMatchObject({ name: 'admin', isAdmin: true });
  expect(users.at(-1)).not.toHaveProperty('email');
  await expect(listUsers(hub.as('user-0')).next()).rejects.toMatchObject({ status: 403 });
  await expect(listUsers({ ...hub.admin, accessToken: 'hf_nobodyAtAll00' }).next()).rejects.toMatchObject({
    status: 401,
  });
});

test('users are found by name, full name and e-mail address, with the pages in the link', async () => {
  await using hub = await startHub();
  await hub.people(...Array.from({ length: 12 }, (_, at) => `smith-${at}`), 'carol');
  await hub.apply({
    users: [
      { name: 'ada', fullname: 'Ada Lovelace', email: 'countess@example.com' },
      { name: 'bob', fullname: '100% Bob_by' },
    ],
  });
  const found = async (search: string) =>
    (await collect(listUsers({ ...hub.admin, search, pageSize: 10 }))).map(({ name }) => name);
  expect(await found('LOVE')).toEqual(['ada']);
  expect(await found('Countess@')).toEqual(['ada']);
  expect(await found('0% b')).toEqual(['bob']);
  expect(await found('b_b')).toEqual(['bob']);
  expect(await found('a_a')).toEqual([]);
  expect(await found('smith')).toHaveLength(12);
  const page = await ask(hub.admin, 'GET /api/admin/users?search=smith&limit=10');
  expect(page.headers.get('link')).toMatch(/search=smith.*limit=10.*cursor=/);
  for (const query of ['search=', `search=${'x'.repeat(101)}`, 'cursor=nonsense', 'limit=1001'])
    expect([query, (await ask(hub.admin, `GET /api/admin/users?${query}`)).status]).toEqual([query, 400]);
});

test('the last use of a user is that of the latest token', async () => {
  await using hub = await startHub();
  await hub.people('ada', 'bob');
  hub.clock.advance(3_600_000);
  await whoAmI(hub.as('ada'));
  const at = new Date(hub.clock.now()).toISOString();
  const [bob, ada] = await collect(listUsers(hub.admin));
  expect([ada?.lastUsedAt, bob?.lastUsedAt]).toEqual([at, undefined]);
});

test('a single user is shown as in the list, by name in any case', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  await hub.apply({ organizations: [{ name: 'acme' }] });
  const [ada] = await collect(listUsers({ ...hub.admin, search: 'ada' }));
  expect(await getUserEntry({ ...hub.admin, username: 'ADA' })).toEqual(ada);
  for (const username of ['acme', 'nobody'])
    await expect(getUserEntry({ ...hub.admin, username })).rejects.toMatchObject({
      status: 404,
      message: `There is no user named ${username}`,
    });
  await expect(getUserEntry({ ...hub.as('ada'), username: 'ada' })).rejects.toMatchObject({ status: 403 });
});

test('the data of identity providers about a user is included', async () => {
  await using fixture = await startScim();
  const { body } = await fixture.scim('POST /Users', newUser('grace'));
  const email = 'grace@acme.test';
  const grace = async (search = 'grace') =>
    (await collect(listUsers({ ...fixture.hub.admin, search }))).map(({ scim }) => scim);
  expect(await grace()).toEqual([[{ organization: 'acme', owned: true, active: true, email }]]);
  expect(await grace('GRACE@acme')).toEqual(await grace());
  await fixture.scim(`PATCH /Users/${body.id}`, PATCH({ op: 'Replace', path: 'active', value: false }));
  expect(await grace()).toEqual([[{ organization: 'acme', owned: true, active: false, email }]]);
  expect(await collect(listUsers({ ...fixture.hub.admin, search: 'carol' }))).not.toContainEqual(
    expect.objectContaining({ scim: expect.anything() }),
  );
});

test('a read token of a site administrator reads and changes nothing; a fine-grained one does neither', async () => {
  await using hub = await startHub();
  const made = async (token: Pick<Parameters<typeof createAccessToken>[0], 'displayName' | 'role' | 'fineGrained'>) =>
    hub.with((await createAccessToken({ ...hub.admin, ...token })).token);
  const reading = await made({ displayName: 'reading', role: 'read' });
  expect(await collect(listUsers(reading))).toHaveLength(1);
  expect((await ask(reading, 'PUT /api/admin/hub', {})).status).toBe(403);
  const fine = await made({ displayName: 'fine', role: 'fineGrained', fineGrained: { scoped: [], global: [] } });
  await expect(listUsers(fine).next()).rejects.toMatchObject({ status: 403 });
});

test('site administrators are told that they are, and nobody else', async () => {
  await using hub = await startHub();
  await hub.people('ada');
  expect((await whoAmI(hub.admin)).isAdmin).toBe(true);
  expect(await whoAmI(hub.as('ada'))).not.toHaveProperty('isAdmin');
});

test('a page examines a limited number of accounts, and names the start of the next page even without matches', async () => {
  await using hub = await startHub();
  await hub.people('ada', ...Array.from({ length: 6 }, (_, at) => `user-${at}`));
  const looked: string[][] = [];
  for (let before: string | undefined, pages = 0; pages === 0 || before !== undefined; pages++) {
    const { rows, next } = await accountPage(hub.database.read, { kind: 'user', search: 'ada', before }, 10, 3);
    looked.push(rows.map(({ name }) => name));
    before = next;
  }
  expect(looked).toEqual([[], [], ['ada']]);
});

test('site administrators create users with unused names and addresses', async () => {
  await using hub = await startHub();
  await hub.apply({ users: [{ ...person('bob'), email: 'bob@example.com' }] });
  const dora = await createUser({ ...hub.admin, name: 'dora', fullname: 'Dora Novak', email: 'dora@example.com' });
  expect(dora).toMatchObject({ name: 'dora', fullname: 'Dora Novak', email: 'dora@example.com', isAdmin: false });
  expect(await getUserEntry({ ...hub.admin, username: 'dora' })).toEqual(dora);
  expect(await createUser({ ...hub.admin, name: 'root', isAdmin: true })).toMatchObject({ isAdmin: true });
  for (const [user, status] of [
    [{ name: 'Dora' }, 409],
    [{ name: 'bob', email: 'other@example.com' }, 409],
    [{ name: 'bobby', email: 'BOB@example.com' }, 409],
    [{ name: 'login' }, 400],
    [{ name: 'a b' }, 400],
    [{ name: 'eve', email: 'nowhere' }, 400],
  ] as const)
    await expect(createUser({ ...hub.admin, ...user })).rejects.toMatchObject({ status });
  await expect(createUser({ ...hub.as('bob'), name: 'eve' })).rejects.toMatchObject({ status: 403 });
  for (const username of ['bobby', 'eve'])
    await expect(getUserEntry({ ...hub.admin, username })).rejects.toMatchObject({ status: 404 });
});
