import { expect, test } from 'vitest';
import { person } from './harness.ts';
import { newUser, PATCH, startScim } from './scim-fixture.ts';

const newGroup = (displayName: string, ids: string[] = []) => ({
  displayName,
  members: ids.map((value) => ({ value })),
});
const idOf = (answer: { body: { id: string } }) => answer.body.id;

test('a user with an open invitation does not become a member through the other API', async () => {
  await using fixture = await startScim();
  const { scim, invited, org } = fixture;
  const id = idOf(await invited('POST /Users', newUser('carol')));
  await scim(`PATCH /Users/${id}`, PATCH({ op: 'replace', path: 'active', value: false }));
  const back = await scim(`PATCH /Users/${id}`, PATCH({ op: 'replace', path: 'active', value: true }));
  expect([back.status, back.body.active]).toEqual([200, true]);
  expect((await org('GET /members')).body.map((member: { user: string }) => member.user)).toEqual(['ada']);
  expect((await org('GET /invitations')).body).toMatchObject([{ user: 'carol' }]);
});

test('an operation on the schema URN of members keeps the members', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const u1 = idOf(await scim('POST /Users', newUser('u1')));
  const group = idOf(await scim('POST /Groups', newGroup('Staff', [u1])));
  for (const path of ['members.$ref', `members[value eq "${u1}"].$ref`]) {
    const answer = await scim(`PATCH /Groups/${group}`, PATCH({ op: 'remove', path }));
    expect([path, answer.status, answer.body.scimType]).toEqual([path, 400, 'mutability']);
  }
  expect((await scim(`GET /Groups/${group}`)).body.members).toHaveLength(1);
});

test('a renamed custom role stays the same role for links and for returning users', async () => {
  await using fixture = await startScim();
  const { scim, org } = fixture;
  await org('POST /roles', { name: 'editor', base: 'write' });
  const [u1, u2] = [idOf(await scim('POST /Users', newUser('u1'))), idOf(await scim('POST /Users', newUser('u2')))];
  await org('PUT /members/u2/role', { role: 'editor' });
  const groupId = idOf(await scim('POST /Groups', newGroup('Staff', [u1])));
  const resourceGroupId = idOf(await org('POST /resource-groups', { name: 'lab' }));
  await org('POST /scim/links', { groupId, resourceGroupId, role: 'editor' });
  await org('POST /scim/links', { groupId, role: 'editor' });
  await scim(`PATCH /Users/${u2}`, PATCH({ op: 'replace', path: 'active', value: false }));
  expect((await org('PATCH /roles/editor', { name: 'author' })).status).toBe(200);
  expect((await org('GET /scim/links')).body.map((link: { role: string }) => link.role)).toEqual(['author', 'author']);
  await scim(`PATCH /Users/${u2}`, PATCH({ op: 'replace', path: 'active', value: true }));
  const added = await scim(`PATCH /Groups/${groupId}`, PATCH({ op: 'add', path: 'members', value: [{ value: u2 }] }));
  expect(added.status).toBe(200);
  const roles = async () =>
    (await org('GET /members')).body.map((member: { user: string; role: string }) => [member.user, member.role]);
  expect(await roles()).toEqual([
    ['ada', 'admin'],
    ['u1', 'author'],
    ['u2', 'author'],
  ]);
  expect(await fixture.rows('select role, base_role from resource_group_users')).toEqual([
    { role: 'author', base_role: 'write' },
    { role: 'author', base_role: 'write' },
  ]);
  await scim(`PATCH /Groups/${groupId}`, PATCH({ op: 'remove', path: 'members' }));
  expect(await roles()).toEqual([
    ['ada', 'admin'],
    ['u1', 'read'],
    ['u2', 'author'],
  ]);
});

test('a custom role that a link gives, or that a member had before a group gave one, is in use', async () => {
  await using fixture = await startScim();
  const { scim, org } = fixture;
  await org('POST /roles', { name: 'editor', base: 'write' });
  const groupId = idOf(await scim('POST /Groups', newGroup('Staff')));
  await org('POST /scim/links', { groupId, role: 'editor' });
  expect((await org('DELETE /roles/editor')).status).toBe(409);
  await org('POST /roles', { name: 'author', base: 'write' });
  const u1 = idOf(await scim('POST /Users', newUser('u1')));
  await org('PUT /members/u1/role', { role: 'author' });
  const owners = idOf(await scim('POST /Groups', newGroup('Owners', [u1])));
  await org('POST /scim/links', { groupId: owners, role: 'admin' });
  expect((await org('DELETE /roles/author')).status).toBe(409);
  await scim(`DELETE /Groups/${owners}`);
  expect((await org('GET /members')).body.find((member: { user: string }) => member.user === 'u1').role).toBe('author');
});

test('when a custom role gets another base role, the best role of the groups is applied', async () => {
  await using fixture = await startScim();
  const { scim, org } = fixture;
  await org('POST /roles', { name: 'editor', base: 'write' });
  const u1 = idOf(await scim('POST /Users', newUser('u1')));
  const staff = idOf(await scim('POST /Groups', newGroup('Staff', [u1])));
  const crew = idOf(await scim('POST /Groups', newGroup('Crew', [u1])));
  const resourceGroupId = idOf(await org('POST /resource-groups', { name: 'lab' }));
  await org('POST /scim/links', { groupId: staff, resourceGroupId, role: 'editor' });
  await org('POST /scim/links', { groupId: crew, resourceGroupId, role: 'contributor' });
  await org('POST /scim/links', { groupId: staff, role: 'editor' });
  await org('POST /scim/links', { groupId: crew, role: 'contributor' });
  const roles = async () => [
    (await org('GET /members')).body[1].role,
    ...(await fixture.rows<{ role: string }>('select role from resource_group_users')).map(({ role }) => role),
  ];
  expect(await roles()).toEqual(['editor', 'editor']);
  await org('PATCH /roles/editor', { base: 'read' });
  expect(await roles()).toEqual(['contributor', 'contributor']);
  await org('PATCH /roles/editor', { base: 'admin' });
  expect(await roles()).toEqual(['editor', 'editor']);
});

test('erasing an account is recorded in the audit log, even if the user was not a member', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const id = idOf(await scim('POST /Users', newUser('grace', { active: false })));
  await scim(`DELETE /Users/${id}`);
  expect((await fixture.audit()).at(-1)).toEqual(['org.update_settings', 'Erased the account grace']);
});

test('a list that ends with an empty page reports the number that was read', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const ids: string[] = [];
  for (const name of ['u1', 'u2', 'u3']) {
    fixture.hub.clock.advance(1000);
    ids.push(idOf(await scim('POST /Users', newUser(name))));
  }
  await scim('GET /Users?startIndex=1&count=2');
  for (const id of ids.slice(1)) await scim(`DELETE /Users/${id}`);
  expect((await scim('GET /Users?startIndex=3&count=2')).body).toMatchObject({ totalResults: 2, Resources: [] });
});

test('the last owner cannot be demoted through groups', async () => {
  await using fixture = await startScim();
  const { scim, org } = fixture;
  await org('PUT /members/bob', { role: 'read' });
  const u1 = idOf(await scim('POST /Users', newUser('bob')));
  const other = idOf(await scim('POST /Users', newUser('u2')));
  const groupId = idOf(await scim('POST /Groups', newGroup('Owners', [u1])));
  const linkId = idOf(await org('POST /scim/links', { groupId, role: 'admin' }));
  await org('PUT /members/ada/role', { role: 'admin' });
  const asU1 = fixture.hub.as('bob');
  const { ask } = await import('./ask.ts');
  const left = await ask(asU1, 'PUT /api/organizations/acme/members/ada/role', { role: 'read' });
  expect(left.status).toBe(200);
  const call = async (request: string, body?: unknown) => {
    const [method, path] = request.split(' ');
    return (await ask(asU1, `${method} /api/organizations/acme/scim${path}` as never, body)).status;
  };
  for (const [request, body] of [
    [`PATCH /v2/Groups/${groupId}`, PATCH({ op: 'remove', path: 'members' })],
    [`PUT /v2/Groups/${groupId}`, newGroup('Owners', [])],
    [`DELETE /v2/Groups/${groupId}`, undefined],
    [`PATCH /links/${linkId}`, { role: 'write' }],
    [`DELETE /links/${linkId}`, undefined],
    [`PATCH /v2/Users/${u1}`, PATCH({ op: 'replace', path: 'active', value: 'False' })],
    [`DELETE /v2/Users/${u1}`, undefined],
  ] as const)
    expect([request, await call(request, body)]).toEqual([request, 409]);
  expect(await call(`PUT /v2/Groups/${groupId}`, newGroup('Owners', [other]))).toBe(200);
});

test('too many addresses are refused, and many operations on members become one step', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const id = idOf(await scim('POST /Users', newUser('u1')));
  const group = idOf(await scim('POST /Groups', newGroup('Staff', [id])));
  const emails = Array.from({ length: 101 }, (_, n) => ({ value: `${n}@a.test`, type: `t${n}` }));
  for (const operations of [
    [{ op: 'add', path: 'emails', value: emails }],
    emails.map((value) => ({ op: 'add', path: 'emails', value })),
  ])
    expect((await scim(`PATCH /Users/${id}`, PATCH(...operations))).body).toMatchObject({
      status: '400',
      scimType: 'invalidValue',
    });
  const removed = Array.from({ length: 1999 }, (_, n) => ({ op: 'remove', path: `members[value eq "${n}"]` }));
  const last = { op: 'remove', path: `members[value eq "${id}"]` };
  expect((await scim(`PATCH /Groups/${group}`, PATCH(...removed, last))).body.members).toEqual([]);
});

test('letters beyond ASCII match in either case', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  await scim('POST /Users', newUser('u1', { name: { givenName: 'Émile', familyName: 'Ödön' } }));
  for (const filter of ['name.givenName eq "ÉMILE"', 'name.familyName sw "ö"', 'displayName co "éMILE ö"'])
    expect([filter, (await scim(`GET /Users?filter=${encodeURIComponent(filter)}`)).body.totalResults]).toEqual([
      filter,
      1,
    ]);
});

test('members whose names are invalid in SCIM can be deactivated', async () => {
  await using fixture = await startScim();
  const { scim, org, hub } = fixture;
  const email = `x@${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(30)}.test`;
  await hub.apply({ users: [person('erin')] });
  // An earlier version stored such a value.
  await hub.database.transaction((tx) =>
    tx.updateTable('accounts').set({ email }).where('name', '=', 'erin').execute(),
  );
  await org('PUT /members/erin', { role: 'read' });
  const { Resources } = (await scim('GET /Users?filter=userName%20eq%20erin')).body;
  const off = await scim(`PATCH /Users/${Resources[0].id}`, PATCH({ op: 'replace', path: 'active', value: false }));
  expect([off.status, off.body.active]).toEqual([200, false]);
});

test('prototype names and attributes repeated in another case have no side effects', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const id = idOf(await scim('POST /Users', newUser('u1')));
  const group = idOf(await scim('POST /Groups', newGroup('Staff', [id])));
  const before = [(await scim(`GET /Users/${id}`)).body, (await scim(`GET /Groups/${group}`)).body];
  const hostile = (path: string, key: string) =>
    [
      { op: 'replace', path: key, value: 'x' },
      { op: 'add', path: `${path}[${key} eq "x"].value`, value: 'x' },
      { op: 'replace', value: { [key]: { active: false } } },
      { op: 'remove', path: `${path}[${key} pr]` },
      { op: key, value: {} },
    ] as const;
  for (const key of ['constructor', 'toString', 'prototype', 'hasOwnProperty', '__proto__'])
    for (const [target, path] of [
      [`Users/${id}`, 'emails'],
      [`Groups/${group}`, 'members'],
    ] as const)
      for (const operation of hostile(path, key)) {
        const { status } = await scim(`PATCH /${target}`, PATCH(operation));
        expect([operation, status < 500]).toEqual([operation, true]);
        const filter = encodeURIComponent(`addresses[${key} eq "x"] or not (urn:x:${key} pr)`);
        expect((await scim(`GET /${target.split('/')[0]}?filter=${filter}`)).status).toBeLessThan(500);
      }
  expect([(await scim(`GET /Users/${id}`)).body, (await scim(`GET /Groups/${group}`)).body]).toEqual(before);
  const twice = { ...newUser('u2'), USERNAME: 'ada', Active: false, id: 'x', owned: 0 };
  // The last of each kind counts, which is ada, the last owner.
  expect((await scim('POST /Users', twice)).body).toMatchObject({ status: '409' });
  expect((await scim('GET /Users')).body.totalResults).toBe(2);
});
