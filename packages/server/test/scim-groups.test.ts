import type { Method } from '@moonbase/contract/route';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { person } from './harness.ts';
import { newUser, PATCH, type ScimFixture, startScim } from './scim-fixture.ts';

const newGroup = (displayName: string, members: string[] = [], more: object = {}) => ({
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
  displayName,
  members: members.map((value) => ({ value })),
  ...more,
});

async function users({ scim }: ScimFixture, ...names: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push((await scim('POST /Users', newUser(name))).body.id);
  return ids;
}

const valuesOf = (body: { members: { value: string }[] }) => body.members.map(({ value }) => value);

test('a group is created, read, found, changed and deleted', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const [u1 = '', u2 = '', u3 = ''] = await users(fixture, 'u1', 'u2', 'u3');
  const made = await scim('POST /Groups', newGroup('Staff', [u1, u2], { externalId: 'g1' }));
  expect([made.status, made.body]).toEqual([
    201,
    {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      externalId: 'g1',
      displayName: 'Staff',
      members: [expect.objectContaining({ value: u1 }), expect.objectContaining({ value: u2 })],
      meta: expect.objectContaining({ resourceType: 'Group' }),
    },
  ]);
  const { id } = made.body;
  expect(made.headers.get('etag')).toBe(made.body.meta.version);
  expect((await scim(`GET /Groups/${id}`)).body).toEqual(made.body);
  for (const filter of [
    'displayName eq "staff"',
    'externalId eq "g1"',
    `members.value eq "${u1}"`,
    `members[value eq "${u2}"]`,
  ]) {
    const { body } = await scim(`GET /Groups?filter=${encodeURIComponent(filter)}`);
    expect([filter, body.totalResults, body.Resources]).toEqual([filter, 1, [made.body]]);
  }
  expect((await scim(`GET /Groups?filter=${encodeURIComponent(`members.value eq "${u3}"`)}`)).body.totalResults).toBe(
    0,
  );
  const without = (await scim('GET /Groups?excludedAttributes=members')).body.Resources[0];
  expect(without).not.toHaveProperty('members');

  expect((await scim('POST /Groups', newGroup('STAFF'))).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
  const unknown = await scim('POST /Groups', newGroup('Others', ['0'.repeat(24)]));
  expect([unknown.status, unknown.body.scimType]).toEqual([400, 'invalidValue']);
  expect((await scim('GET /Groups')).body.totalResults).toBe(1);

  const changed = await scim(
    `PATCH /Groups/${id}`,
    PATCH({ op: 'remove', path: `members[value eq "${u1}"]` }, { op: 'add', path: 'members', value: [{ value: u3 }] }),
  );
  expect([changed.status, valuesOf(changed.body)]).toEqual([200, [u2, u3]]);
  const stale = await scim(`PATCH /Groups/${id}`, PATCH({ op: 'add', path: 'members', value: [{ value: u1 }] }), {
    'if-match': made.headers.get('etag') ?? '',
  });
  expect(stale.status).toBe(412);
  const half = await scim(
    `PATCH /Groups/${id}`,
    PATCH({ op: 'remove', path: 'members' }, { op: 'add', path: 'members', value: [{ value: 'nobody' }] }),
  );
  expect(half.status).toBe(400);
  expect(valuesOf((await scim(`GET /Groups/${id}`)).body)).toEqual([u2, u3]);
  const put = await scim(`PUT /Groups/${id}`, newGroup('Crew', [u1]));
  expect([put.status, put.body.displayName, put.body.externalId, valuesOf(put.body)]).toEqual([
    200,
    'Crew',
    null,
    [u1],
  ]);
  await scim(`DELETE /Users/${u1}`);
  expect((await scim(`GET /Groups/${id}`)).body.members).toEqual([]);
  expect((await scim(`DELETE /Groups/${id}`)).status).toBe(204);
  expect((await scim(`GET /Groups/${id}`)).status).toBe(404);
});

async function linkedPlace() {
  const fixture = await startScim();
  const { scim, org } = fixture;
  const ids = await users(fixture, 'u1', 'u2', 'u3');
  const [u1 = '', u2 = ''] = ids;
  const staff = (await scim('POST /Groups', newGroup('Staff', [u1, u2]))).body.id as string;
  const leads = (await scim('POST /Groups', newGroup('Leads', [u2]))).body.id as string;
  const lab = (await org('POST /resource-groups', { name: 'lab' })).body.id as string;
  const inLab = async () => {
    const { users: inside } = (await org(`GET /resource-groups/${lab}`)).body as {
      users: { name: string; role: string }[];
    };
    return Object.fromEntries(inside.map(({ name, role }) => [name, role]));
  };
  const roles = async () => {
    const { body } = await org('GET /members');
    return Object.fromEntries(body.map(({ user, role }: { user: string; role: string }) => [user, role]));
  };
  const link = async (groupId: string, role: string, resourceGroupId?: string) =>
    org('POST /scim/links', { groupId, role, ...(resourceGroupId && { resourceGroupId }) });
  return { fixture, scim, org, ids, staff, leads, lab, inLab, roles, link };
}

test('a linked resource group follows the groups: the best role wins, and manual changes are refused', async () => {
  const { fixture, scim, org, ids, staff, leads, lab, inLab, link } = await linkedPlace();
  await using _ = fixture;
  const [u1, u2, u3] = ids;
  const first = await link(staff, 'read', lab);
  expect([first.status, first.body]).toEqual([
    201,
    expect.objectContaining({
      group: { id: staff, displayName: 'Staff' },
      resourceGroup: { id: lab, name: 'lab' },
      role: 'read',
    }),
  ]);
  expect(await inLab()).toEqual({ u1: 'read', u2: 'read' });
  const second = await link(leads, 'admin', lab);
  expect(await inLab()).toEqual({ u1: 'read', u2: 'admin' });
  expect((await link(leads, 'read', lab)).status).toBe(409);

  expect((await org(`POST /resource-groups/${lab}/users`, { users: [{ user: 'u3', role: 'read' }] })).status).toBe(403);
  expect((await org(`PATCH /resource-groups/${lab}/users/u1`, { role: 'write' })).status).toBe(403);
  expect((await org(`DELETE /resource-groups/${lab}/users/u1`)).status).toBe(403);

  await scim(`PATCH /Groups/${staff}`, PATCH({ op: 'add', path: 'members', value: [{ value: u3 }] }));
  expect(await inLab()).toEqual({ u1: 'read', u2: 'admin', u3: 'read' });
  await scim(`PATCH /Groups/${leads}`, PATCH({ op: 'Remove', path: 'members', value: [{ value: u2 }] }));
  expect(await inLab()).toEqual({ u1: 'read', u2: 'read', u3: 'read' });
  await org(`PATCH /scim/links/${first.body.id}`, { role: 'contributor' });
  expect(await inLab()).toEqual({ u1: 'contributor', u2: 'contributor', u3: 'contributor' });

  await scim(`PATCH /Users/${u1}`, PATCH({ op: 'replace', path: 'active', value: false }));
  expect(await inLab()).toEqual({ u2: 'contributor', u3: 'contributor' });
  await scim(`PATCH /Users/${u1}`, PATCH({ op: 'replace', path: 'active', value: true }));
  expect(await inLab()).toEqual({ u1: 'contributor', u2: 'contributor', u3: 'contributor' });
  // A member who is removed and added by hand gets the roles of the groups again.
  await org('DELETE /members/u3');
  expect(await inLab()).toEqual({ u1: 'contributor', u2: 'contributor' });
  await org('PUT /members/u3', { role: 'read' });
  expect(await inLab()).toEqual({ u1: 'contributor', u2: 'contributor', u3: 'contributor' });

  await scim(`PATCH /Groups/${leads}`, PATCH({ op: 'add', path: 'members', value: [{ value: u2 }] }));
  expect((await scim(`DELETE /Groups/${staff}`)).status).toBe(204);
  expect(await inLab()).toEqual({ u2: 'admin' });
  expect((await org('GET /scim/links')).body.map(({ id }: { id: string }) => id)).toEqual([second.body.id]);
  expect((await org(`DELETE /scim/links/${second.body.id}`)).status).toBe(200);
  expect(await inLab()).toEqual({});
  expect((await org(`POST /resource-groups/${lab}/users`, { users: [{ user: 'u1', role: 'read' }] })).status).toBe(200);
  expect((await link(leads, 'read', lab)).status).toBe(409);
  const types = (await fixture.audit()).map(([type]) => type);
  expect(types).toEqual(
    expect.arrayContaining([
      'resource_group.add_users',
      'resource_group.change_role',
      'resource_group.remove_users',
      'resource_group.settings',
    ]),
  );
});

test('a group may give a role in the organization, and never takes one away', async () => {
  const { fixture, scim, org, ids, staff, leads, roles, link } = await linkedPlace();
  await using _ = fixture;
  const [u1, u2] = ids;
  await org('PUT /members/u1/role', { role: 'write' });
  const toStaff = (await link(staff, 'contributor')).body;
  expect(await roles()).toEqual({ ada: 'admin', u1: 'write', u2: 'contributor', u3: 'read' });
  await link(leads, 'admin');
  expect(await roles()).toEqual({ ada: 'admin', u1: 'write', u2: 'admin', u3: 'read' });
  expect((await link(leads, 'read')).status).toBe(409);
  expect((await link(leads, 'no_access')).status).toBe(400);
  await scim(`PATCH /Users/${u2}`, PATCH({ op: 'replace', path: 'active', value: false }));
  expect((await scim(`PATCH /Users/${u2}`, PATCH({ op: 'replace', path: 'active', value: true }))).body.active).toBe(
    true,
  );
  expect((await roles()).u2).toBe('admin');
  await scim(`PUT /Groups/${leads}`, newGroup('Leads'));
  expect((await roles()).u2).toBe('contributor');
  await org(`DELETE /scim/links/${toStaff.id}`);
  expect(await roles()).toEqual({ ada: 'admin', u1: 'write', u2: 'read', u3: 'read' });
  expect(u1).toBeDefined();
});

test('the role that a group gives is not taken from the last owner', async () => {
  const { fixture, scim, org, leads, roles, link } = await linkedPlace();
  await using _ = fixture;
  await link(leads, 'admin');
  await fixture.hub.apply({ users: [person('u2')] });
  expect((await org('PUT /members/ada/role', { role: 'read' })).status).toBe(200);
  expect((await scim('GET /Groups')).status).toBe(403);
  const asU2 = (request: `${Method} ${string}`, body?: object) => {
    const [method, path] = request.split(' ');
    return ask(fixture.hub.as('u2'), `${method as Method} /api/organizations/acme/scim/v2${path}`, body);
  };
  const refused = await asU2(`PATCH /Groups/${leads}`, PATCH({ op: 'remove', path: 'members' }));
  expect([refused.status, ((await refused.json()) as { status: string }).status]).toEqual([409, '409']);
  expect((await asU2(`DELETE /Groups/${leads}`)).status).toBe(409);
  expect((await roles()).u2).toBe('admin');
});

test('links require an owner, and a valid group and target', async () => {
  const { fixture, org, staff, lab, link } = await linkedPlace();
  await using _ = fixture;
  expect((await link('0'.repeat(24), 'read', lab)).status).toBe(404);
  expect((await link(staff, 'read', '0'.repeat(24))).status).toBe(404);
  expect((await link(staff, 'boss', lab)).status).toBe(400);
  expect((await link(staff, 'no_access', lab)).status).toBe(400);
  const auto = (await org('POST /resource-groups', { name: 'auto', autoJoin: { enabled: true, role: 'read' } })).body
    .id;
  expect((await link(staff, 'read', auto)).status).toBe(409);
  await link(staff, 'read', lab);
  expect(
    (await org(`POST /resource-groups/${lab}/settings`, { autoJoin: { enabled: true, role: 'read' } })).status,
  ).toBe(409);
  await org('POST /roles', { name: 'editor', base: 'write' });
  const second = (await org('POST /resource-groups', { name: 'second' })).body.id;
  expect((await link(staff, 'editor', second)).body.role).toBe('editor');
  expect((await org('DELETE /roles/editor')).status).toBe(409);
});
