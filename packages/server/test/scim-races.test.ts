import { expect, test } from 'vitest';
import { newUser, PATCH, startScim } from './scim-fixture.ts';

const newGroup = (displayName: string, ids: string[] = []) => ({
  displayName,
  members: ids.map((value) => ({ value })),
});
const idOf = (answer: { body: { id: string } }) => answer.body.id;

test('concurrent changes are serialized and cause no server error', async () => {
  await using fixture = await startScim();
  const { scim, org } = fixture;
  const resourceGroupId = idOf(await org('POST /resource-groups', { name: 'lab' }));
  for (let round = 0; round < 6; round++) {
    const ids: string[] = [];
    for (const n of [1, 2, 3]) ids.push(idOf(await scim('POST /Users', newUser(`u${round}-${n}`))));
    const [u1 = '', u2 = '', u3 = ''] = ids;
    const group = idOf(await scim('POST /Groups', newGroup(`g${round}`, [u1])));
    await org('POST /scim/links', { groupId: group, resourceGroupId, role: 'write' });
    const answers = await Promise.all([
      scim(`PATCH /Users/${u1}`, PATCH({ op: 'replace', path: 'active', value: false })),
      scim(`PATCH /Groups/${group}`, PATCH({ op: 'add', path: 'members', value: [{ value: u2 }, { value: u3 }] })),
      scim(`DELETE /Users/${u2}`),
      scim(`PATCH /Users/${u2}`, PATCH({ op: 'replace', path: 'name.givenName', value: 'X' })),
      scim(`PUT /Groups/${group}`, newGroup(`g${round}`, [u1, u3])),
      org(`DELETE /members/u${round}-3`),
      scim('POST /Groups', newGroup(`G${round}`)),
    ]);
    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    const rows = await fixture.rows(
      `select user_id from resource_group_users where user_id in ('${u1}', '${u2}', '${u3}')`,
    );
    expect(rows).toEqual([]);
  }
});

test('organizations that erase members of both do not deadlock', async () => {
  await using fixture = await startScim();
  const { scim } = fixture;
  const beta = await fixture.beta();
  for (let round = 0; round < 6; round++) {
    const a = idOf(await scim('POST /Users', newUser(`a${round}`)));
    const b = idOf(await beta('POST /scim/v2/Users', newUser(`b${round}`)));
    expect((await beta(`PUT /members/a${round}`, { role: 'write' })).status).toBeLessThan(300);
    expect((await fixture.org(`PUT /members/b${round}`, { role: 'write' })).status).toBeLessThan(300);
    const wrong = await scim(`DELETE /Groups/${a}`);
    expect(wrong.status).toBe(404);
    const answers = await Promise.all([scim(`DELETE /Users/${a}`), beta(`DELETE /scim/v2/Users/${b}`)]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204]);
  }
});

test('an organization cannot change or erase an account that another one created', async () => {
  await using fixture = await startScim();
  const { scim, org } = fixture;
  const beta = await fixture.beta();
  const id = idOf(await scim('POST /Users', newUser('grace')));
  const group = idOf(await scim('POST /Groups', newGroup('Staff', [id])));
  const link = idOf(await org('POST /scim/links', { groupId: group, role: 'write' }));
  const lab = idOf(await org('POST /resource-groups', { name: 'lab' }));
  const own = idOf(await beta('POST /scim/v2/Groups', newGroup('Own')));
  for (const [request, body, status] of [
    [`GET /scim/v2/Users/${id}`, undefined, 404],
    [`PUT /scim/v2/Users/${id}`, newUser('mallory'), 404],
    [`PATCH /scim/v2/Users/${id}`, PATCH({ op: 'replace', path: 'active', value: false }), 404],
    [`DELETE /scim/v2/Users/${id}`, undefined, 404],
    [`DELETE /scim-provisioning/v2/Users/${id}`, undefined, 404],
    [`PUT /scim/v2/Groups/${group}`, newGroup('x'), 404],
    [`DELETE /scim/v2/Groups/${group}`, undefined, 404],
    ['POST /scim/v2/Groups', newGroup('x', [id]), 400],
    [`PATCH /scim/v2/Groups/${own}`, PATCH({ op: 'add', path: 'members', value: [{ value: id }] }), 400],
    ['POST /scim/links', { groupId: group, role: 'read' }, 404],
    ['POST /scim/links', { groupId: own, resourceGroupId: lab, role: 'read' }, 404],
    [`PATCH /scim/links/${link}`, { role: 'admin' }, 404],
    [`DELETE /scim/links/${link}`, undefined, 404],
    ['POST /scim/v2/Users', newUser('grace'), 409],
  ] as const)
    expect([request, (await beta(request, body)).status]).toEqual([request, status]);
  // The account was invited to beta and then adopted, so beta may only end the membership.
  await beta('PUT /members/grace', { role: 'read' });
  expect((await beta('POST /scim/v2/Users', newUser('grace', { externalId: 'b' }))).status).toBe(201);
  const before = await fixture.rows(`select * from accounts where id = '${id}'`);
  await beta(`PUT /scim/v2/Users/${id}`, newUser('mallory', { emails: [{ value: 'm@x.test' }] }));
  expect((await beta(`DELETE /scim/v2/Users/${id}`)).status).toBe(204);
  expect(await fixture.rows(`select * from accounts where id = '${id}'`)).toEqual(before);
});

test('a resource group that SCIM manages cannot be changed by any route', async () => {
  await using fixture = await startScim();
  const { scim, org } = fixture;
  const u1 = idOf(await scim('POST /Users', newUser('u1')));
  await scim('POST /Users', newUser('u2'));
  const groupId = idOf(await scim('POST /Groups', newGroup('Staff', [u1])));
  const lab = idOf(await org('POST /resource-groups', { name: 'lab' }));
  await org('POST /scim/links', { groupId, resourceGroupId: lab, role: 'write' });
  const before = await fixture.rows('select * from resource_group_users');
  for (const [request, body, status] of [
    [`POST /resource-groups/${lab}/users`, { users: [{ user: 'u2', role: 'read' }] }, 403],
    [`PATCH /resource-groups/${lab}/users/u1`, { role: 'admin' }, 403],
    [`DELETE /resource-groups/${lab}/users/u1`, undefined, 403],
    [`POST /resource-groups/${lab}/settings`, { autoJoin: { enabled: true, role: 'read' } }, 409],
    ['PUT /members/u2/role', { role: 'read', resourceGroups: [{ id: lab, role: 'read' }] }, 403],
    ['PUT /members/u1/role', { role: 'read', resourceGroups: [{ id: lab, role: 'admin' }] }, 403],
    ['PUT /members/u1/role', { role: 'read', resourceGroups: [] }, 200],
  ] as const)
    expect([request, (await org(request, body)).status]).toEqual([request, status]);
  expect(await fixture.rows('select * from resource_group_users')).toEqual(before);
});

test('an address that another organization gave an account matches no user here', async () => {
  await using fixture = await startScim();
  const { scim, org } = fixture;
  const beta = await fixture.beta();
  const mallory = { ...newUser('mallory'), emails: [{ value: 'chief@acme.test' }] };
  expect((await beta('POST /scim/v2/Users', mallory)).status).toBe(201);
  await org('PUT /members/mallory', { role: 'read' });
  const made = await scim('POST /Users', newUser('chief@acme.test'));
  expect(made.status).toBe(201);
  const [account] = await fixture.rows<{ id: string }>(`select id from accounts where name = 'mallory'`);
  expect(made.body.id).not.toBe(account?.id);
});
