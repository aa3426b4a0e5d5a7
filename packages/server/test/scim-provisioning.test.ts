import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { newUser, PATCH, startScim } from './scim-fixture.ts';

test('a user with an account is invited, accepts, is deactivated and returns', async () => {
  await using fixture = await startScim();
  const { invited, org, hub } = fixture;
  expect((await invited('POST /Users', newUser('nobody'))).status).toBe(404);
  const made = await invited('POST /Users', newUser('bob', { name: undefined }));
  expect([made.status, made.body.userName, made.body.active, made.body.emails]).toEqual([
    201,
    'bob',
    true,
    [{ value: 'bob@acme.test', type: 'work', primary: true }],
  ]);
  expect(made.body.meta.location).toContain('/scim-provisioning/v2/Users/');
  const path = `/Users/${made.body.id}`;
  expect((await invited('POST /Users', newUser('bob'))).body).toMatchObject({ status: '409', scimType: 'uniqueness' });
  expect((await org('GET /members')).body).toHaveLength(1);
  expect((await invited('GET /Users')).body.totalResults).toBe(2);
  const [invitation] = (await org('GET /invitations')).body;
  expect([invitation.user, invitation.role]).toEqual(['bob', 'read']);

  const off = await invited(`PATCH ${path}`, PATCH({ op: 'replace', path: 'active', value: false }));
  expect([off.status, off.body.active]).toEqual([200, false]);
  expect((await org('GET /invitations')).body).toEqual([]);
  expect((await invited(`PATCH ${path}`, PATCH({ op: 'replace', path: 'active', value: true }))).body.active).toBe(
    true,
  );
  const [again] = (await org('GET /invitations')).body;
  expect((await ask(hub.as('bob'), `POST /api/settings/invitations/${again.id}/accept`)).status).toBe(200);
  expect((await invited(`GET ${path}`)).body.active).toBe(true);

  await org('PUT /members/bob/role', { role: 'contributor' });
  const put = await invited(`PUT ${path}`, { schemas: [], externalId: 'new', active: false, userName: 'robert' });
  expect([put.status, put.body.userName, put.body.externalId, put.body.active]).toEqual([200, 'bob', 'new', false]);
  expect((await org('GET /members')).body).toHaveLength(1);
  await invited(`PUT ${path}`, { schemas: [], externalId: 'new' });
  const [back] = (await org('GET /invitations')).body;
  expect(back.role).toBe('contributor');

  expect((await invited(`PATCH ${path}`, PATCH({ op: 'remove', path: 'externalId' }))).body.scimType).toBe(
    'mutability',
  );
  const named = await invited(`PATCH ${path}`, PATCH({ op: 'replace', path: 'name.givenName', value: 'Mallory' }));
  expect([named.status, named.body.name.formatted]).toEqual([200, 'bob']);
  expect((await invited(`DELETE ${path}`)).status).toBe(204);
  expect((await org('GET /invitations')).body).toEqual([]);
  expect((await invited(`DELETE ${path}`)).status).toBe(404);
  expect(await fixture.rows(`select name from accounts where name = 'bob'`)).toEqual([{ name: 'bob' }]);
});

test('an account that the other API created is not erased here', async () => {
  await using fixture = await startScim();
  const { id } = (await fixture.scim('POST /Users', newUser('grace'))).body;
  expect((await fixture.invited(`DELETE /Users/${id}`)).status).toBe(204);
  expect(await fixture.rows(`select name from accounts where id = '${id}'`)).toEqual([{ name: 'grace' }]);
});

test('an existing member stays a member', async () => {
  await using fixture = await startScim();
  await fixture.org('PUT /members/bob', { role: 'write' });
  const made = await fixture.invited('POST /Users', newUser('bob'));
  expect([made.status, made.body.active]).toEqual([201, true]);
  expect((await fixture.org('GET /invitations')).body).toEqual([]);
});
