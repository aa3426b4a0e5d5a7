import { listOrganizations } from '@moonbase/client/admin';
import { deleteOrganization } from '@moonbase/client/organizations';
import { expect, test } from 'vitest';
import { ask } from './ask.ts';
import { collect, person, startHub } from './harness.ts';

test('only site administrators list all organizations, newest first, with their counts', async () => {
  await using hub = await startHub();
  await hub.apply({
    users: [person('ada'), person('bob')],
    organizations: [
      { name: 'acme', fullname: 'Acme Labs', plan: 'team', members: [{ user: 'ada', role: 'admin' }, { user: 'bob' }] },
      { name: 'globex' },
    ],
    repos: [{ name: 'acme/bert', private: true }, { name: 'ada/tiny' }],
  });
  const [globex, acme, ...others] = await collect(listOrganizations(hub.admin));
  expect(others).toEqual([]);
  expect(acme).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{24}$/),
    type: 'org',
    name: 'acme',
    fullname: 'Acme Labs',
    avatarUrl: `${hub.url}/avatars/${acme?.id}.svg`,
    plan: 'team',
    numMembers: 2,
    numRepos: 1,
    createdAt: new Date(hub.clock.now()).toISOString(),
  });
  expect(globex).toMatchObject({ name: 'globex', plan: 'free', numMembers: 1, numRepos: 0 });
  await expect(listOrganizations(hub.as('ada')).next()).rejects.toMatchObject({ status: 403 });
  await expect(listOrganizations({ hubUrl: hub.url }).next()).rejects.toMatchObject({ status: 401 });
});

test('a deleted organization is listed as deleted, under its name, until it is purged', async () => {
  await using hub = await startHub();
  await hub.apply({
    users: [person('ada')],
    organizations: [{ name: 'Acme', members: [{ user: 'ada', role: 'admin' }] }],
  });
  hub.clock.advance(1000);
  await deleteOrganization({ ...hub.as('ada'), name: 'acme' });
  const deletedAt = new Date(hub.clock.now()).toISOString();
  expect(await collect(listOrganizations({ ...hub.admin, search: 'acme' }))).toMatchObject([
    { name: 'Acme', deletedAt },
  ]);
  await hub.drain();
  hub.clock.advance(31 * 86_400_000);
  await hub.drain();
  expect(await collect(listOrganizations(hub.admin))).toEqual([]);
});

test('organizations are found by name and full name, over several pages', async () => {
  await using hub = await startHub();
  const names = Array.from({ length: 23 }, (_, at) => `lab-${at}`);
  await hub.apply({
    users: [{ name: 'lab-user' }],
    organizations: [...names.map((name) => ({ name })), { name: 'acme', fullname: 'The LABoratory' }],
  });
  const found = await collect(listOrganizations({ ...hub.admin, search: 'Lab', pageSize: 10 }));
  expect(found.map(({ name }) => name)).toEqual(['acme', ...names.toReversed()]);
  expect(await collect(listOrganizations({ ...hub.admin, search: 'orat' }))).toHaveLength(1);
  expect(await collect(listOrganizations({ ...hub.admin, search: 'nothing' }))).toEqual([]);
  expect((await ask(hub.admin, 'GET /api/admin/organizations?cursor=x')).status).toBe(400);
});
