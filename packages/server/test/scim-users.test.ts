import { expect, test } from 'vitest';
import { newUser, PATCH, startScim } from './scim-fixture.ts';

test('a user is created, read, found, changed and erased', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const made = await scim('POST /Users', newUser('grace@acme.test'));
  expect([made.status, made.body]).toEqual([
    201,
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      externalId: 'ext-grace@acme.test',
      userName: 'grace@acme.test',
      displayName: 'Grace Hopper',
      name: { givenName: 'Grace', familyName: 'Hopper', formatted: 'Grace Hopper' },
      emails: [{ value: 'grace@acme.test', type: 'work', primary: true }],
      active: true,
      meta: expect.objectContaining({ resourceType: 'User' }),
    },
  ]);
  const { id, meta } = made.body;
  expect(made.headers.get('location')).toBe(meta.location);
  expect(meta.location).toBe(`${fixture.hub.url}/api/organizations/acme/scim/v2/Users/${id}`);
  expect(made.headers.get('etag')).toBe(meta.version);
  expect((await scim(`GET /Users/${id}`)).body).toEqual(made.body);
  for (const filter of [
    'userName eq "GRACE@acme.test"',
    'externalId eq "ext-grace@acme.test"',
    'emails[type eq "work"].value eq "grace@acme.test"',
    'name.familyName sw "hop" and active eq true',
    `id eq "${id}"`,
  ]) {
    const { body } = await scim(`GET /Users?filter=${encodeURIComponent(filter)}`);
    expect([filter, body.totalResults, body.Resources]).toEqual([filter, 1, [made.body]]);
  }
  const search = { filter: 'userName sw "grace"', attributes: ['userName'], count: 1 };
  expect((await scim('POST /Users/.search', search)).body).toMatchObject({
    totalResults: 1,
    Resources: [{ id, userName: 'grace@acme.test' }],
  });
  const account = await fixture.rows("select name, fullname, email from accounts where name_key = 'grace'");
  expect(account).toEqual([{ name: 'grace', fullname: 'Grace Hopper', email: null }]);

  const replaced = await scim(`PUT /Users/${id}`, {
    ...newUser('grace.hopper@acme.test', { externalId: 'e1', emails: [] }),
    name: { givenName: 'G', familyName: 'H' },
  });
  expect([replaced.status, replaced.body]).toEqual([
    200,
    expect.objectContaining({ userName: 'grace.hopper@acme.test', externalId: 'e1', emails: [], displayName: 'G H' }),
  ]);
  expect(await fixture.rows(`select name, fullname, email from accounts where id = '${id}'`)).toEqual([
    { name: 'grace-hopper', fullname: 'G H', email: null },
  ]);

  expect((await scim(`DELETE /Users/${id}`)).status).toBe(204);
  expect((await scim(`GET /Users/${id}`)).status).toBe(404);
  expect(await fixture.rows(`select id from accounts where id = '${id}'`)).toEqual([]);
  expect((await fixture.audit()).slice(-4)).toEqual([
    ['org.add_user', 'Added grace with the role read'],
    ['org.update_settings', expect.stringContaining('Changed userName, externalId')],
    ['org.remove_user', 'Removed grace-hopper'],
    ['org.update_settings', 'Erased the account grace-hopper'],
  ]);
});

test('an existing member becomes managed, and the account stays unchanged', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  await fixture.org('PUT /members/bob', { role: 'write' });
  const before = await fixture.rows(`select * from accounts where name = 'bob'`);
  const listed = (await scim('GET /Users')).body;
  expect(listed.Resources.map((user: { userName: string }) => user.userName)).toEqual(['ada', 'bob']);
  const made = await scim('POST /Users', newUser('Bob', { externalId: 'b', emails: [{ value: 'b@x.test' }] }));
  expect([made.status, made.body.id, made.body.userName, made.body.emails[0].value]).toEqual([
    201,
    listed.Resources[1].id,
    'Bob',
    'bob@home.test',
  ]);
  expect((await scim('POST /Users', newUser('bob'))).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
  const { id } = made.body;
  const put = await scim(`PUT /Users/${id}`, newUser('robert', { externalId: 'b2', name: { givenName: 'Mallory' } }));
  expect([put.status, put.body.userName, put.body.externalId, put.body.name.givenName]).toEqual([
    200,
    'Bob',
    'b2',
    'bob',
  ]);
  expect(await fixture.rows(`select * from accounts where name = 'bob'`)).toEqual(before);
  expect((await scim(`DELETE /Users/${id}`)).status).toBe(204);
  expect(await fixture.rows(`select * from accounts where name = 'bob'`)).toEqual(before);
  expect((await fixture.org('GET /members')).body.map((member: { user: string }) => member.user)).toEqual(['ada']);
  expect((await scim(`GET /Users/${id}`)).status).toBe(404);
});

test('an account outside the organization cannot be taken over', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  expect((await scim('POST /Users', newUser('carol'))).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
  const made = await scim('POST /Users', newUser('carol@acme.test', { emails: [{ value: 'carol@home.test' }] }));
  expect(made.status).toBe(201);
  const [account] = await fixture.rows<{ name: string }>(`select name from accounts where id = '${made.body.id}'`);
  expect(account?.name).toBe('carol-2');
  expect(
    (await scim(`PATCH /Users/${made.body.id}`, PATCH({ op: 'replace', path: 'userName', value: 'dan' }))).body,
  ).toMatchObject({ status: '409', scimType: 'uniqueness' });
});

test('an inactive user leaves the organization, and returns with role and groups', async () => {
  await using fixture = await startScim();
  const { scim, org } = fixture;
  await org('POST /roles', { name: 'editor', base: 'write' });
  const group = (await org('POST /resource-groups', { name: 'lab' })).body.id;
  const { id } = (await scim('POST /Users', newUser('grace'))).body;
  await org('PUT /members/grace/role', { role: 'editor', resourceGroups: [{ id: group, role: 'contributor' }] });
  const setActive = (value: unknown) => scim(`PATCH /Users/${id}`, PATCH({ op: 'Replace', path: 'active', value }));
  const off = await setActive('False');
  expect([off.status, off.body.active]).toEqual([200, false]);
  expect((await org('GET /members')).body).toHaveLength(1);
  expect((await scim(`GET /Users/${id}`)).body.active).toBe(false);
  expect((await scim('GET /Users')).body.totalResults).toBe(2);
  expect((await setActive(false)).body.active).toBe(false);
  expect((await setActive('True')).body.active).toBe(true);
  const [, grace] = (await org('GET /members')).body;
  expect([grace.user, grace.role, grace.resourceGroups]).toEqual([
    'grace',
    'editor',
    [{ id: group, name: 'lab', numUsers: 1, role: 'contributor' }],
  ]);
});

test('the last owner cannot be deactivated, and the refusal is logged', async () => {
  const said: [object, string][] = [];
  const logger = new Proxy(
    {},
    {
      get: (_, name) =>
        name === 'warn'
          ? (details: object, message: string) => said.push([details, message])
          : name === 'level'
            ? 'error'
            : name === 'child'
              ? () => logger
              : () => {},
    },
  ) as never;
  await using fixture = await startScim({ logger });
  const { scim } = fixture;
  const [{ id }] = (await scim('GET /Users')).body.Resources;
  for (const [request, body] of [
    [`PATCH /Users/${id}`, PATCH({ op: 'replace', value: { active: false } })],
    [`PUT /Users/${id}`, newUser('ada', { active: false })],
    [`DELETE /Users/${id}`, undefined],
  ] as const) {
    const answer = await scim(request, body);
    expect([request, answer.status, answer.body.detail]).toEqual([
      request,
      409,
      'An organization keeps at least one admin',
    ]);
  }
  expect(said.map(([, message]) => message)).toEqual(Array(3).fill('SCIM may not remove the last owner'));
  expect((await scim(`GET /Users/${id}`)).body.active).toBe(true);
});

test('of two concurrent creations with one name, one succeeds', async () => {
  await using fixture = await startScim();
  const answers = await Promise.all(
    [1, 2].map((n) => fixture.scim('POST /Users', newUser('grace', { externalId: `${n}` }))),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  const mails = await Promise.all(
    [1, 2].map((n) => fixture.scim('POST /Users', newUser('g.h@acme.test', { externalId: `m${n}` }))),
  );
  expect(mails.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  const same = await Promise.all(
    ['x', 'y'].map((name) => fixture.scim('POST /Users', newUser(name.repeat(3), { externalId: 'same' }))),
  );
  expect(same.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
});

test('If-Match refuses a change of another version than the one read', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const made = await scim('POST /Users', newUser('grace'));
  const path = `/Users/${made.body.id}`;
  const patch = (value: string, tag: string) =>
    scim(`PATCH ${path}`, PATCH({ op: 'replace', path: 'name.givenName', value }), { 'if-match': tag });
  const etag = made.headers.get('etag') ?? '';
  const changed = await patch('Amazing', etag);
  expect([changed.status, changed.body.name.givenName]).toEqual([200, 'Amazing']);
  const stale = await patch('Late', etag);
  expect([stale.status, stale.body.status]).toEqual([412, '412']);
  expect((await scim(`DELETE ${path}`, undefined, { 'if-match': etag })).status).toBe(412);
  expect((await patch('Any', '*')).status).toBe(200);
});

test('pages are stable while users join in any way', async () => {
  await using fixture = await startScim();
  const { scim, org, hub } = fixture;
  const names = async (query: string) => {
    const { body } = await scim(`GET /Users?${query}`);
    return [body.totalResults, body.startIndex, body.Resources.map((user: { userName: string }) => user.userName)];
  };
  for (const name of ['u1', 'u2', 'u3']) {
    hub.clock.advance(1000);
    await scim('POST /Users', newUser(name));
  }
  hub.clock.advance(1000);
  await org('PUT /members/bob', { role: 'read' });
  hub.clock.advance(1000);
  await scim('POST /Users', newUser('u4'));
  expect(await names('startIndex=1&count=2')).toEqual([6, 1, ['ada', 'u1']]);
  expect(await names('startIndex=3&count=2')).toEqual([6, 3, ['u2', 'u3']]);
  expect(await names('startIndex=5&count=2')).toEqual([6, 5, ['bob', 'u4']]);
  expect(await names('startIndex=4&count=3')).toEqual([6, 4, ['u3', 'bob', 'u4']]);
  expect(await names('startIndex=7&count=2')).toEqual([6, 7, []]);
  expect(await names('startIndex=50')).toEqual([6, 50, []]);
  expect(await names('count=0')).toEqual([6, 1, []]);
  await scim('POST /Users', newUser('bob'));
  expect(await names('startIndex=5&count=2')).toEqual([6, 5, ['bob', 'u4']]);
  // A user on an earlier page is deleted, and later pages skip nobody.
  expect(await names('startIndex=1&count=3')).toEqual([6, 1, ['ada', 'u1', 'u2']]);
  const { body } = await scim('GET /Users?filter=userName%20eq%20%22u1%22');
  await scim(`DELETE /Users/${body.Resources[0].id}`);
  expect((await names('startIndex=4&count=3'))[2]).toEqual(['u3', 'bob', 'u4']);
});
