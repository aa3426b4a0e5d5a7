import {
  createCustomRole,
  deleteCustomRole,
  explainAccess,
  listCustomRoles,
  updateCustomRole,
} from '@moonbase/client/custom-roles';
import { updateOrganization } from '@moonbase/client/organizations';
import { whoAmI } from '@moonbase/client/profiles';
import {
  createBucket,
  createRepo,
  getRepo,
  listOrganizationRepos,
  moveRepo,
  updateRepoSettings,
} from '@moonbase/client/repositories';
import {
  addResourceGroupUsers,
  configureResourceGroup,
  createResourceGroup,
  deleteResourceGroup,
  getRepoResourceGroup,
  getResourceGroup,
  listResourceGroups,
  removeResourceGroupUser,
  setRepoResourceGroup,
  updateResourceGroup,
  updateResourceGroupUser,
} from '@moonbase/client/resource-groups';
import { listWatched, updateWatched } from '@moonbase/client/watching';
import { createWebhook, listDeliveries } from '@moonbase/client/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
const audited: { type: string; data?: unknown }[] = [];
const audit = {
  async record(_tx: unknown, _caller: unknown, event: { type: string; data?: unknown }) {
    audited.push(event);
  },
};

/** ada is admin, will writes, carl contributes, rita and rob read, nora has no access, zoe is a stranger. */
beforeAll(async () => {
  hub = await startHub({}, { audit });
  await hub.apply({ users: ['ada', 'will', 'carl', 'rita', 'rob', 'nora', 'zoe', 'late', 'later'].map(person) });
  await hub.apply({
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'will', role: 'write' },
          { user: 'carl', role: 'contributor' },
          { user: 'rita', role: 'read' },
          { user: 'rob', role: 'read' },
          { user: 'nora', role: 'no_access' },
        ],
      },
    ],
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

const acme = (user: string) => ({ ...hub.as(user), organization: 'acme' });
const role = (user: string, role: string) => ({ user, role });
let made = 0;
/** Creates a group with a private model; returns both. */
async function lab(users: { user: string; role: string }[] = []) {
  made += 1;
  const { id } = await createResourceGroup({ ...acme('ada'), name: `lab ${made}`, users });
  const repo = `acme/secret-${made}`;
  await createRepo({ ...hub.as('ada'), repo, private: true, resourceGroupId: id });
  return { group: { ...acme('ada'), resourceGroupId: id }, repo, id };
}
const reads = async (user: string, repo: string) => (await ask(hub.as(user), `GET /api/models/${repo}`)).status === 200;
const writes = async (user: string, repo: string) =>
  (await ask(hub.as(user), `PUT /api/models/${repo}/settings`, { gated: 'auto' })).status;
const readers = async (repo: string) => {
  const people = ['ada', 'will', 'carl', 'rita', 'rob', 'nora', 'zoe'];
  const answers = await Promise.all(people.map((user) => reads(user, repo)));
  return people.filter((_, at) => answers[at]).join(' ');
};
const statusOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

describe('a private repository in a resource group', () => {
  test('is for members of the group and admins of the organization, regardless of other roles', async () => {
    const { repo } = await lab([role('rita', 'write'), role('nora', 'read')]);
    expect(await readers(repo)).toBe('ada rita nora');
    expect([await writes('rita', repo), await writes('nora', repo), await writes('will', repo)]).toEqual([
      200, 403, 404,
    ]);
  });

  test('can be changed with the better of the two roles', async () => {
    const { repo } = await lab([role('will', 'read'), role('carl', 'contributor')]);
    expect([await writes('will', repo), await writes('carl', repo)]).toEqual([200, 403]);
  });

  test('is listed for them alone', async () => {
    const { repo } = await lab([role('nora', 'read')]);
    const listed = async (user: string) =>
      (await collect(listOrganizationRepos(acme(user)))).some(({ id }) => id === repo);
    expect([await listed('ada'), await listed('nora'), await listed('will')]).toEqual([true, true, false]);
  });

  test('is open to everybody when it becomes public, with their roles', async () => {
    const { repo } = await lab([role('rita', 'write')]);
    await updateRepoSettings({ ...hub.as('ada'), type: 'model', repo, settings: { private: false } });
    expect(await readers(repo)).toBe('ada will carl rita rob nora zoe');
    expect([await writes('will', repo), await writes('rita', repo), await writes('rob', repo)]).toEqual([
      200, 200, 403,
    ]);
  });

  test('follows what happens to the group at once', async () => {
    const { group, repo, id } = await lab();
    await addResourceGroupUsers({ ...group, users: [{ name: 'rob', role: 'read' }, role('rita', 'read')] });
    expect(await readers(repo)).toBe('ada rita rob');
    await updateResourceGroupUser({ ...group, username: 'Rob', role: 'write' });
    expect(await writes('rob', repo)).toBe(200);
    await removeResourceGroupUser({ ...group, username: 'rob' });
    expect(await readers(repo)).toBe('ada rita');
    const { id: other } = await lab([role('nora', 'read')]);
    await setRepoResourceGroup({ ...hub.as('ada'), type: 'model', repo, resourceGroupId: other });
    expect(await readers(repo)).toBe('ada nora');
    expect((await getResourceGroup(group)).repos).toEqual([]);
    await deleteResourceGroup({ ...acme('ada'), resourceGroupId: other });
    expect(await readers(repo)).toBe('ada will carl rita rob');
    await setRepoResourceGroup({ ...hub.as('ada'), type: 'model', repo, resourceGroupId: id });
    await setRepoResourceGroup({ ...hub.as('ada'), type: 'model', repo, resourceGroupId: null });
    expect(await readers(repo)).toBe('ada will carl rita rob');
  });

  test('leaves the group with the organization', async () => {
    const { group, repo } = await lab([role('rita', 'read')]);
    await moveRepo({ ...hub.as('ada'), from: repo, to: repo.replace('acme', 'ada') });
    expect((await getResourceGroup(group)).repos).toEqual([]);
    expect(await readers(repo.replace('acme', 'ada'))).toBe('ada');
  });

  test('is renamed within it', async () => {
    const { group, repo } = await lab([role('rita', 'write')]);
    await updateResourceGroupUser({ ...group, username: 'rita', role: 'admin' });
    await moveRepo({ ...hub.as('ada'), from: repo, to: `${repo}-new` });
    expect((await getResourceGroup(group)).repos).toMatchObject([
      { name: `${repo}-new`, private: true, addedBy: 'ada' },
    ]);
  });

  test('of a user who leaves the organization is hidden, and stays hidden after rejoining', async () => {
    const { repo } = await lab([role('rob', 'write')]);
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'rob', state: 'absent' }] }] });
    expect(await reads('rob', repo)).toBe(false);
    await hub.apply({ organizations: [{ name: 'acme', members: [role('rob', 'read')] }] });
    expect(await reads('rob', repo)).toBe(false);
  });

  test('is indistinguishable from a missing one', async () => {
    const { repo, id } = await lab();
    const missing = { repo: 'acme/no-such', id: 'f'.repeat(24) };
    const seen = async (user: string, path: string) => {
      const answer = await ask(hub.as(user), `GET ${path}`);
      const headers = Object.fromEntries(answer.headers);
      for (const name of ['x-request-id', 'date']) delete headers[name];
      return { status: answer.status, headers, body: await answer.text() };
    };
    for (const user of ['will', 'rob', 'nora', 'zoe']) {
      for (const path of ['', '/resource-group', '/auth-check', '/discussions'])
        expect(await seen(user, `/api/models/${repo}${path}`)).toEqual(
          await seen(user, `/api/models/${missing.repo}${path}`),
        );
      const groups = '/api/organizations/acme/resource-groups';
      expect(await seen(user, `${groups}/${id}`)).toEqual(await seen(user, `${groups}/${missing.id}`));
      expect(await seen(user, `/api/organizations/acme/access?repo=${repo}`)).toEqual(
        await seen(user, `/api/organizations/acme/access?repo=${missing.repo}`),
      );
    }
  });
});

describe('a resource group', () => {
  test('is returned with its users and repositories', async () => {
    const ungroupedRepo = `acme/free-${made}`;
    const { id: repoId } = await createRepo({ ...hub.as('carl'), type: 'dataset', repo: ungroupedRepo });
    const group = await createResourceGroup({
      ...acme('ada'),
      name: 'Research',
      description: 'Ours',
      users: [role('rita', 'admin'), role('NORA', 'read')],
      repos: [{ type: 'dataset', name: ungroupedRepo }],
      autoJoin: { enabled: false },
    });
    expect(repoId).toHaveLength(24);
    expect(group).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Research',
      description: 'Ours',
      autoJoin: { enabled: false },
      users: ['rita', 'nora'].map((name) => ({
        type: 'user',
        _id: expect.any(String),
        name,
        fullname: name,
        avatarUrl: expect.stringMatching(/^http/),
        role: name === 'rita' ? 'admin' : 'read',
        addedBy: 'ada',
      })),
      repos: [{ name: ungroupedRepo, type: 'dataset', private: false, addedBy: 'ada' }],
      collections: [],
    });
    const one = { ...acme('nora'), resourceGroupId: group.id };
    expect(await getResourceGroup(one)).toEqual(group);
    expect((await listResourceGroups(acme('nora'))).find(({ id }) => id === group.id)).toEqual(group);
    expect((await listResourceGroups(acme('will'))).some(({ id }) => id === group.id)).toBe(false);
    expect((await listResourceGroups(acme('ada'))).length).toBeGreaterThan(1);
    expect(await getRepoResourceGroup({ ...hub.as('nora'), type: 'dataset', repo: ungroupedRepo })).toEqual({
      id: group.id,
      name: 'Research',
      numUsers: 2,
    });
    expect(await updateResourceGroup({ ...one, ...acme('rita'), name: 'R', description: '' })).toMatchObject({
      name: 'R',
      description: '',
    });
  });

  test('lets its contributors create repositories in it, but not outside', async () => {
    const { id } = await lab([role('rob', 'contributor'), role('rita', 'read')]);
    const make = (user: string, resourceGroupId: string | null) => {
      made += 1;
      return statusOf(createRepo({ ...hub.as(user), repo: `acme/made-${made}`, private: true, resourceGroupId }));
    };
    expect([await make('rob', id), await make('rob', null), await make('rita', id)]).toEqual([200, 403, 403]);
    expect([await make('will', id), await make('will', 'e'.repeat(24)), await make('zoe', id)]).toEqual([
      404, 404, 404,
    ]);
    expect(await make('rob', id.toUpperCase())).toBe(200);
    expect(await writes('rob', `acme/made-${made}`)).toBe(200);
    await createBucket({ ...hub.as('rob'), repo: 'acme/pail', resourceGroupId: id });
    expect(await statusOf(createRepo({ ...hub.as('rob'), repo: 'rob/own', resourceGroupId: id }))).toBe(404);
  });

  test('accepts a repository only from users who may change it', async () => {
    const { group, id } = await lab([role('rita', 'admin'), role('carl', 'admin')]);
    await createRepo({ ...hub.as('carl'), repo: 'acme/of-carl', private: true });
    const put = (user: string, resourceGroupId: string | null) =>
      statusOf(setRepoResourceGroup({ ...hub.as(user), type: 'model', repo: 'acme/of-carl', resourceGroupId }));
    expect([await put('rita', id), await put('rob', id), await put('carl', id)]).toEqual([403, 404, 200]);
    const { id: other } = await lab([role('carl', 'admin')]);
    await updateResourceGroupUser({ ...group, username: 'carl', role: 'contributor' });
    expect([await put('carl', other), await put('carl', null), await put('rita', null)]).toEqual([403, 403, 200]);
    expect(await put('carl', other)).toBe(200);
  });

  test('can be created by admins and, if the settings allow it, by members who name an admin of it', async () => {
    const create = (user: string, users: { user: string; role: string }[] = []) =>
      statusOf(createResourceGroup({ ...acme(user), name: 'x', users }));
    expect([await create('will', [role('will', 'admin')]), await create('rita'), await create('nora')]).toEqual([
      403, 403, 403,
    ]);
  });

  test.each([
    ['an unknown user', [role('rita', 'read'), role('nobody', 'read')], 400],
    ['an organization', [role('acme', 'read')], 400],
    ['a user named twice', [role('rita', 'read'), role('Rita', 'write')], 400],
    ['an unknown role', [role('rita', 'boss')], 400],
    ['no_access, which is not a role here', [role('rita', 'no_access')], 400],
    ['somebody outside the organization', [role('zoe', 'read')], 403],
    ['somebody who is in it', [role('rob', 'read')], 403],
    ['nobody', [], 400],
  ])('does not accept %s, and then adds none of the users', async (_, users, status) => {
    const { group } = await lab([role('rob', 'read')]);
    expect(await statusOf(addResourceGroupUsers({ ...group, users }))).toBe(status);
    expect((await getResourceGroup(group)).users.map(({ name }) => name)).toEqual(['rob']);
  });
});

describe('bodies', () => {
  const org = '/api/organizations/acme/resource-groups';
  const text = (length: number) => 'x'.repeat(length);
  test.each<[string, unknown, number]>([
    ['a name of 1', { name: 'x' }, 200],
    ['a name of 200', { name: text(200) }, 200],
    ['no name', {}, 400],
    ['an empty name', { name: '' }, 400],
    ['a name of 201', { name: text(201) }, 400],
    ['a number as name', { name: 7 }, 400],
    ['a description of 500', { name: 'w', description: text(500) }, 200],
    ['a description of 501', { name: 'x', description: text(501) }, 400],
    ['null as description', { name: 'x', description: null }, 400],
    ['users without a role', { name: 'x', users: [{ user: 'rita' }] }, 400],
    ['users by `name`', { name: 'x', users: [{ name: 'rita', role: 'read' }] }, 400],
    ['an empty role', { name: 'x', users: [{ user: 'rita', role: '' }] }, 400],
    ['repos with another field', { name: 'x', repos: [{ type: 'model', name: 'acme/a', id: '1' }] }, 400],
    ['repos of an unknown type', { name: 'x', repos: [{ type: 'paper', name: 'acme/a' }] }, 400],
    ['a repo of another namespace', { name: 'x', repos: [{ type: 'model', name: 'rita/a' }] }, 400],
    ['a repo without a namespace', { name: 'x', repos: [{ type: 'model', name: 'a' }] }, 400],
    ['a missing repo', { name: 'x', repos: [{ type: 'model', name: 'acme/none' }] }, 404],
    ['auto-join without a role', { name: 'x', autoJoin: { enabled: true } }, 400],
    ['auto-join with no_access', { name: 'x', autoJoin: { enabled: true, role: 'no_access' } }, 400],
    ['auto-join as a text', { name: 'x', autoJoin: { enabled: 'true', role: 'read' } }, 400],
    ['auto-join with an unknown scope', { name: 'x', autoJoin: { enabled: true, role: 'read', scope: 'some' } }, 400],
    ['an unknown field', { name: 'y', colour: 'red' }, 200],
    ['a list', [], 400],
  ])('a new group: %s', async (_, body, status) => {
    expect((await ask(hub.as('ada'), `POST ${org}`, body)).status).toBe(status);
  });

  test.each<[string, string, unknown, number]>([
    ['PATCH', '', {}, 200],
    ['PATCH', '', { name: `z${text(199)}`, description: text(500) }, 200],
    ['PATCH', '', { name: '' }, 400],
    ['PATCH', '', { name: text(201) }, 400],
    ['PATCH', '', { description: text(501) }, 400],
    ['POST', '/settings', {}, 200],
    ['POST', '/settings', { autoJoin: { enabled: 'true', role: 'read' } }, 200],
    ['POST', '/settings', { autoJoin: { enabled: true, role: 'write', scope: 'read_plus' } }, 200],
    ['POST', '/settings', { autoJoin: { enabled: 'false' } }, 200],
    ['POST', '/settings', { autoJoin: { enabled: false } }, 200],
    ['POST', '/settings', { autoJoin: { enabled: 'yes' } }, 400],
    ['POST', '/settings', { autoJoin: { enabled: true } }, 400],
    ['POST', '/settings', { autoJoin: { enabled: true, role: 'boss' } }, 400],
    ['POST', '/settings', { autoJoin: { enabled: true, role: 'read', scope: 'some' } }, 400],
    ['POST', '/users', {}, 400],
    ['POST', '/users', { users: [] }, 400],
    ['POST', '/users', { users: [{ role: 'read' }] }, 400],
    ['POST', '/users', { users: [{ name: 'will', role: 'read' }] }, 200],
    ['PATCH', '/users/rita', { role: 'write' }, 200],
    ['PATCH', '/users/rita', {}, 400],
    ['PATCH', '/users/rita', { role: 'no_access' }, 400],
    ['PATCH', '/users/rita', { role: 'boss' }, 400],
    ['PATCH', '/users/will', { role: 'read' }, 404],
    ['PATCH', '/users/nobody', { role: 'read' }, 404],
    ['DELETE', '/users/will', undefined, 404],
  ])('%s of a group%s with %j is %i', async (method, path, body, status) => {
    const { id } = await lab([role('rita', 'read')]);
    expect((await ask(hub.as('ada'), `${method as 'POST'} ${org}/${id}${path}`, body)).status).toBe(status);
  });

  test.each<[unknown, number]>([
    [{ resourceGroupId: 'x' }, 400],
    [{ resourceGroupId: 'F'.repeat(24) }, 400],
    [{ resourceGroupId: 7 }, 400],
    [{}, 400],
    [{ resourceGroupId: 'f'.repeat(24) }, 404],
    [{ resourceGroupId: null }, 200],
  ])('the group of a repository: %j is %i', async (body, status) => {
    const { repo } = await lab();
    expect((await ask(hub.as('ada'), `POST /api/models/${repo}/resource-group`, body)).status).toBe(status);
  });

  test.each(['x', '7'.repeat(23), 'g'.repeat(24), 'f'.repeat(24), '%20'])('there is no group %s', async (id) => {
    expect((await ask(hub.as('ada'), `GET ${org}/${id}`)).status).toBe(404);
  });

  test('an unknown organization, or a user in its place', async () => {
    for (const name of ['none', 'ada'])
      expect((await ask(hub.as('ada'), `GET /api/organizations/${name}/resource-groups`)).status).toBe(404);
  });
});

describe('auto-join', () => {
  const join = async (user: string, role: 'read' | 'no_access' = 'read') => {
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user, role }] }] });
    await hub.drain();
  };
  const leave = async (user: string) => {
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user, state: 'absent' }] }] });
    await hub.drain();
  };
  const namesIn = async (group: Parameters<typeof getResourceGroup>[0]) =>
    (await getResourceGroup(group)).users.map(({ name }) => name);

  test('adds all members at once, later ones when they join, and removes nobody when it ends', async () => {
    const { group, repo } = await lab([role('rita', 'admin')]);
    const autoJoin = { enabled: true, role: 'read' } as const;
    const { users, ...rest } = await configureResourceGroup({ ...group, autoJoin });
    expect(rest.autoJoin).toEqual(autoJoin);
    expect(users.map(({ name, role }) => `${name} ${role}`).sort()).toEqual(
      ['ada read', 'carl read', 'nora read', 'rita admin', 'rob read', 'will read'].sort(),
    );
    expect(await reads('nora', repo)).toBe(true);
    await join('late');
    expect(await namesIn(group)).toContain('late');
    await removeResourceGroupUser({ ...group, username: 'late' });
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'late', role: 'write' }] }] });
    await hub.drain();
    expect(await namesIn(group)).not.toContain('late');
    const after = await configureResourceGroup({ ...group, autoJoin: { enabled: false } });
    expect(after.autoJoin).toEqual({ enabled: false });
    expect(after.users).toHaveLength(6);
    await join('later');
    expect(await namesIn(group)).not.toContain('later');
    for (const user of ['late', 'later']) await leave(user);
  });

  test('with read_plus waits until a member has access', async () => {
    const { group } = await lab();
    const autoJoin = { enabled: true, role: 'write', scope: 'read_plus' } as const;
    expect((await configureResourceGroup({ ...group, autoJoin })).autoJoin).toEqual(autoJoin);
    expect(await namesIn(group)).not.toContain('nora');
    await join('late', 'no_access');
    expect(await namesIn(group)).not.toContain('late');
    await join('late', 'read');
    expect(await namesIn(group)).toContain('late');
    await leave('late');
    expect(await namesIn(group)).not.toContain('late');
  });

  test('from the start of a group', async () => {
    const autoJoin = { enabled: true, role: 'contributor' } as const;
    const { users } = await createResourceGroup({
      ...acme('ada'),
      name: 'all',
      autoJoin,
      users: [role('rob', 'admin')],
    });
    expect(users.find(({ name }) => name === 'rob')?.role).toBe('admin');
    expect(users.find(({ name }) => name === 'nora')).toMatchObject({ role: 'contributor' });
    expect(users).toHaveLength(6);
  });
});

describe('custom roles', () => {
  const auditor = { name: 'auditor', base: 'read' as const, description: 'Looks at everything' };

  test('are created, listed, changed, assigned, and deleted once nobody has them', async () => {
    const made = await createCustomRole({ ...acme('ada'), ...auditor });
    expect(made).toEqual({ name: 'auditor', base: 'read', description: 'Looks at everything', members: 0 });
    expect(await statusOf(createCustomRole({ ...acme('ada'), ...auditor, name: 'AUDITOR' }))).toBe(409);
    await hub.apply({ organizations: [{ name: 'acme', members: [role('nora', 'auditor')] }] });
    expect((await collect(listCustomRoles(acme('rob')))).filter(({ name }) => name === 'auditor')).toEqual([
      { ...made, members: 1 },
    ]);
    await createRepo({ ...hub.as('ada'), repo: 'acme/books', private: true });
    expect([await reads('nora', 'acme/books'), await writes('nora', 'acme/books')]).toEqual([true, 403]);
    expect((await whoAmI(hub.as('nora'))).orgs[0]?.roleInOrg).toBe('read');

    const one = { ...acme('ada'), role: 'Auditor' };
    expect(await updateCustomRole({ ...one, base: 'write', description: null })).toEqual({
      name: 'auditor',
      base: 'write',
      members: 1,
    });
    expect(await writes('nora', 'acme/books')).toBe(200);
    await updateCustomRole({ ...one, base: 'no_access' });
    expect(await reads('nora', 'acme/books')).toBe(false);
    expect(await statusOf(deleteCustomRole(one))).toBe(409);
    await hub.apply({ organizations: [{ name: 'acme', members: [role('nora', 'no_access')] }] });
    expect(await deleteCustomRole(one)).toEqual({ success: true });
    expect(await statusOf(deleteCustomRole(one))).toBe(404);
    expect(await statusOf(updateCustomRole({ ...one, base: 'read' }))).toBe(404);
  });

  test('that do not exist are reported as an error of a document', async () => {
    const document = { organizations: [{ name: 'acme', members: [{ user: 'nora', role: 'king' }] }] };
    const answer = await ask(hub.admin, 'PUT /api/admin/hub', document);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ issues: [{ path: 'body.organizations.0.members.0.role' }] });
  });

  test('count in groups, and are kept while a group has them', async () => {
    await createCustomRole({ ...acme('ada'), name: 'keeper', base: 'write' });
    const one = { ...acme('ada'), role: 'keeper' };
    const { group, repo } = await lab([role('nora', 'keeper')]);
    expect(await writes('nora', repo)).toBe(200);
    expect((await getResourceGroup(group)).users[0]?.role).toBe('keeper');
    await updateCustomRole({ ...one, base: 'read' });
    expect(await writes('nora', repo)).toBe(403);
    expect(await statusOf(deleteCustomRole(one))).toBe(409);
    await updateCustomRole({ ...one, base: 'no_access' });
    expect(await reads('nora', repo)).toBe(false);
    expect((await listResourceGroups(acme('nora'))).some(({ id }) => id === group.resourceGroupId)).toBe(false);
    expect(await statusOf(updateResourceGroupUser({ ...group, username: 'nora', role: 'keeper' }))).toBe(400);
    await removeResourceGroupUser({ ...group, username: 'nora' });
    await updateCustomRole({ ...one, base: 'read' });
    await configureResourceGroup({ ...group, autoJoin: { enabled: true, role: 'keeper', scope: 'read_plus' } });
    expect(await statusOf(deleteCustomRole(one))).toBe(409);
    // Nobody joins with a role that no longer gives access.
    await updateCustomRole({ ...one, base: 'no_access' });
    await hub.apply({ organizations: [{ name: 'acme', members: [role('late', 'read')] }] });
    await hub.drain();
    expect((await getResourceGroup(group)).users.map(({ name }) => name)).not.toContain('late');
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'late', state: 'absent' }] }] });
    await deleteResourceGroup(group);
    await deleteCustomRole(one);
  });

  test('the custom role of the last admin cannot be lowered', async () => {
    await createCustomRole({ ...acme('ada'), name: 'chief', base: 'admin' });
    await hub.apply({ organizations: [{ name: 'acme', members: [role('ada', 'chief')] }] });
    const one = { ...acme('ada'), role: 'chief' };
    expect(await statusOf(updateCustomRole({ ...one, base: 'write' }))).toBe(409);
    expect(await statusOf(updateCustomRole({ ...one, description: 'Boss' }))).toBe(200);
    await hub.apply({ organizations: [{ name: 'acme', members: [role('ada', 'admin')] }] });
    await deleteCustomRole(one);
  });

  test.each<[string, unknown, number]>([
    ['1 letter', { name: 'a', base: 'read' }, 200],
    ['64 letters', { name: 'y'.repeat(64), base: 'no_access', description: 'd'.repeat(500) }, 200],
    ['65 letters', { name: 'y'.repeat(65), base: 'read' }, 400],
    ['no letters', { name: '', base: 'read' }, 400],
    ['a blank at the end', { name: 'a ', base: 'read' }, 400],
    ['a slash', { name: 'a/b', base: 'read' }, 400],
    ['admin', { name: 'admin', base: 'read' }, 400],
    ['Write', { name: 'Write', base: 'read' }, 400],
    ['NO_ACCESS', { name: 'NO_ACCESS', base: 'read' }, 400],
    ['owner', { name: 'owner', base: 'read' }, 400],
    ['no base', { name: 'b' }, 400],
    ['a custom role as base', { name: 'b', base: 'a' }, 400],
    ['a long description', { name: 'b', base: 'read', description: 'd'.repeat(501) }, 400],
  ])('a name: %s', async (_, body, status) => {
    expect((await ask(hub.as('ada'), 'POST /api/organizations/acme/roles', body)).status).toBe(status);
  });

  test('are listed page after page, newest first', async () => {
    for (let at = 0; at < 25; at++) {
      hub.clock.advance(at % 2);
      await createCustomRole({ ...acme('ada'), name: `page ${at}`, base: 'read' });
    }
    const listed = (await collect(listCustomRoles({ ...acme('rob'), pageSize: 10 }))).map(({ name }) => name);
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed.filter((name) => name.startsWith('page'))).toHaveLength(25);
    expect(listed[0]).toMatch(/^page 2/);
  });
});

describe('the permissions of a user are explained', () => {
  test('by the organization and its groups', async () => {
    await createCustomRole({ ...acme('ada'), name: 'guest', base: 'contributor' });
    await hub.apply({ organizations: [{ name: 'acme', members: [role('nora', 'guest')] }] });
    const { repo, id } = await lab([role('nora', 'write')]);
    const name = `lab ${made}`;
    const report = await explainAccess({ ...acme('ada'), user: 'nora' });
    expect(report.role).toBe('contributor');
    expect(report.may).toEqual(['org.read', 'repo.content.read', 'repo.write']);
    expect(report.grants).toContainEqual({ source: 'custom-role', name: 'guest', role: 'contributor' });
    expect(report.grants).toContainEqual({ source: 'resource-group', name, role: 'write' });
    expect(await explainAccess({ ...acme('nora'), repo })).toEqual({
      role: 'write',
      may: ['repo.content.read', 'repo.write', 'discussion.write'],
      grants: [
        { source: 'custom-role', name: 'guest', role: 'contributor' },
        { source: 'resource-group', name, role: 'write' },
      ],
    });
    expect(await explainAccess({ ...acme('ada'), user: 'will', repo: repo.slice('acme/'.length) })).toEqual({
      role: null,
      may: [],
      grants: [],
    });
    expect(id).toHaveLength(24);
    await hub.apply({ organizations: [{ name: 'acme', members: [role('nora', 'no_access')] }] });
  });

  test('with public access, and without groups that do not count', async () => {
    await createRepo({ ...hub.as('ada'), type: 'space', repo: 'acme/open' });
    const open = { type: 'space', repo: 'acme/open' } as const;
    expect(await explainAccess({ ...acme('nora'), ...open })).toMatchObject({
      role: 'read',
      grants: [{ source: 'public', role: 'read' }],
    });
    expect(await explainAccess({ ...acme('ada'), ...open, user: 'zoe' })).toMatchObject({ role: 'read' });
    expect(await explainAccess({ ...acme('ada'), user: 'zoe' })).toEqual({ role: null, may: [], grants: [] });
    expect((await explainAccess(acme('ada'))).may).toEqual([
      'org.read',
      'org.write',
      'resourceGroup.write',
      'repo.content.read',
      'repo.write',
    ]);
    expect(await statusOf(explainAccess({ ...acme('ada'), user: 'nobody' }))).toBe(404);
    expect(await statusOf(explainAccess({ ...acme('ada'), repo: 'rita/open' }))).toBe(404);
  });
});

test('a user who can no longer read a repository no longer watches it', async () => {
  const { group, repo } = await lab([role('rita', 'read'), role('rob', 'read')]);
  const target = { type: 'repo' as const, id: repo };
  for (const user of ['rita', 'rob', 'ada']) await updateWatched({ ...hub.as(user), add: [target] });
  await removeResourceGroupUser({ ...group, username: 'rita' });
  await hub.drain();
  await addResourceGroupUsers({ ...group, users: [role('rita', 'read')] });
  const watches = async (user: string) => (await collect(listWatched(hub.as(user)))).some(({ name }) => name === repo);
  expect([await watches('rita'), await watches('rob'), await watches('ada')]).toEqual([false, true, true]);
  const { id: other } = await lab([role('rita', 'read')]);
  await setRepoResourceGroup({ ...hub.as('ada'), type: 'model', repo, resourceGroupId: other });
  await hub.drain();
  await setRepoResourceGroup({ ...hub.as('ada'), type: 'model', repo, resourceGroupId: null });
  expect([await watches('rob'), await watches('ada')]).toEqual([false, true]);
});

test('webhooks of those who may read it get its events, up to its deletion', async () => {
  const webhook = {
    url: 'http://127.0.0.1:9/hook',
    watched: [{ type: 'org' as const, name: 'acme' }],
    domains: ['repo' as const],
  };
  const hooks = new Map<string, string>();
  for (const user of ['nora', 'will']) hooks.set(user, (await createWebhook({ ...hub.as(user), webhook })).webhook.id);
  const { repo } = await lab([role('nora', 'read')]);
  await hub.apply({ repos: [{ name: repo, state: 'absent' }] });
  await hub.drain();
  const heard = async (user: string) => {
    const log = await collect(listDeliveries({ ...hub.as(user), webhookId: hooks.get(user) ?? '' }));
    return log.filter((entry) => entry.repo.name === repo);
  };
  const told = await heard('nora');
  expect(told.map(({ event }) => event.action).sort()).toEqual(['create', 'delete']);
  // Nothing listens there, so the error differs from that of a webhook whose owner may not read.
  expect(told.every(({ error }) => error !== undefined && !error.includes('read the repository'))).toBe(true);
  expect(await heard('will')).toEqual([]);
});

test('every change is recorded, with its type; what changes nothing is not', async () => {
  const { group, repo, id } = await lab();
  audited.length = 0;
  await updateResourceGroup({ ...group, name: 'Laboratory' });
  await updateResourceGroup({ ...group, name: 'Laboratory' });
  await addResourceGroupUsers({ ...group, users: [role('rita', 'read')] });
  await updateResourceGroupUser({ ...group, username: 'rita', role: 'write' });
  await updateResourceGroupUser({ ...group, username: 'rita', role: 'write' });
  await removeResourceGroupUser({ ...group, username: 'rita' });
  await configureResourceGroup({ ...group, autoJoin: { enabled: false } });
  await setRepoResourceGroup({ ...hub.as('ada'), type: 'model', repo, resourceGroupId: null });
  await setRepoResourceGroup({ ...hub.as('ada'), type: 'model', repo, resourceGroupId: null });
  await deleteResourceGroup(group);
  await createCustomRole({ ...acme('ada'), name: 'clerk', base: 'read' });
  await updateCustomRole({ ...acme('ada'), role: 'clerk', base: 'read' });
  await updateCustomRole({ ...acme('ada'), role: 'clerk', base: 'write' });
  await deleteCustomRole({ ...acme('ada'), role: 'clerk' });
  expect(audited.map(({ type }) => type)).toEqual([
    'resource_group.settings',
    'resource_group.add_users',
    'resource_group.change_role',
    'resource_group.remove_users',
    'repo.update_resource_group',
    'resource_group.delete',
    'org.custom_role.create',
    'org.custom_role.update',
    'org.custom_role.delete',
  ]);
  expect(audited[4]?.data).toMatchObject({ repo: { name: repo }, before: id, after: null });
});

test('a token that may read what is in a group may read nothing else', async () => {
  const { repo, id } = await lab();
  const { repo: another } = await lab();
  const scopes = { scoped: [{ entity: { _id: id, type: 'resource-group' }, permissions: ['repo.content.read'] }] };
  const token = 'hf_onlyThisGroup00';
  await hub.apply({ users: [{ name: 'ada', tokens: [{ name: 'group', role: 'fineGrained', token, scopes }] }] });
  expect((await getRepo({ ...hub.with(token), type: 'model', repo })).id).toBe(repo);
  expect(await statusOf(getRepo({ ...hub.with(token), type: 'model', repo: another }))).toBe(404);
  const listed = await collect(listOrganizationRepos({ ...hub.with(token), organization: 'acme', search: 'secret' }));
  const hidden = listed.filter(({ visibility }) => visibility === 'private');
  expect(hidden.map(({ id: name }) => name)).toEqual([repo]);
});

describe('the name of a group', () => {
  const create = (name: string) => ask(hub.as('ada'), 'POST /api/organizations/acme/resource-groups', { name });
  const rename = (id: string, name: string) =>
    ask(hub.as('ada'), `PATCH /api/organizations/acme/resource-groups/${id}`, { name });
  const names = async () => (await listResourceGroups(acme('ada'))).map(({ name }) => name);

  test.each(['', ' ', '\t\n', '\u00a0\u2003', '\u200b', '\u202e\u2066'])('%j is blank and refused', async (name) => {
    const { id } = await lab();
    const before = await names();
    for (const answer of [await create(name), await rename(id, name)])
      expect([answer.status, await answer.json()]).toMatchObject([400, { issues: [{ path: 'body.name' }] }]);
    expect(await names()).toEqual(before);
  });

  test('is unique in its organization regardless of case and of the blanks around it', async () => {
    const first = (await (await create(' Ärzte Nord ')).json()) as { id: string; name: string };
    expect(first.name).toBe('Ärzte Nord');
    const { id } = await lab();
    const before = await names();
    for (const name of ['Ärzte Nord', 'ÄRZTE NORD', 'a\u0308rzte nord', '  ärzte nord\n'])
      for (const answer of [await create(name), await rename(id, name)]) expect(answer.status).toBe(409);
    expect(await names()).toEqual(before);
    expect((await rename(first.id, 'ÄRZTE nord')).status).toBe(200);
    expect((await rename(first.id, 'Ärzte Süd')).status).toBe(200);
    expect((await create('ärzte nord')).status).toBe(200);
    await hub.apply({
      organizations: [{ name: 'other', plan: 'enterprise', members: [{ user: 'ada', role: 'admin' }] }],
    });
    await createResourceGroup({ ...hub.as('ada'), organization: 'other', name: 'ärzte nord' });
    await deleteResourceGroup({ ...acme('ada'), resourceGroupId: first.id });
    expect((await create('Ärzte Süd')).status).toBe(200);
  });

  test('goes to one of several who request it at the same time', async () => {
    const { id } = await lab();
    const answers = await Promise.all([...['race', 'RACE', 'Race', ' race '].map(create), rename(id, 'rAcE')]);
    expect(answers.map(({ status }) => status).sort((one, other) => one - other)).toEqual([200, 409, 409, 409, 409]);
  });

  test('is reported as taken to somebody who does not see the group, and nothing more', async () => {
    const { id } = await lab();
    await rename(id, 'hidden from will');
    await updateOrganization({ ...hub.as('ada'), name: 'acme', change: { groupCreators: 'write' } });
    const users = [role('will', 'admin')];
    const answer = await ask(hub.as('will'), 'POST /api/organizations/acme/resource-groups', {
      name: 'Hidden from WILL',
      users,
    });
    expect([answer.status, await answer.json()]).toEqual([
      409,
      { error: 'A resource group named Hidden from WILL already exists' },
    ]);
  });
});
