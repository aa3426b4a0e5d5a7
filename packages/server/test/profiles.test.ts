import { createDiscussion } from '@moonbase/client/discussions';
import { getOrganizationOverview, getUserOverview, whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { REPO_TYPES } from '@moonbase/contract/primitives';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY } from './clock.ts';
import { person, startHub, type TestHub } from './harness.ts';

const idOf = async (hub: TestHub, user: string) => (await whoAmI(hub.as(user))).id;
const ID = expect.stringMatching(/^[0-9a-f]{24}$/);

describe('who am I', () => {
  test('returns the user and the token', async () => {
    await using hub = await startHub();
    await hub.people('alice');
    const me = await whoAmI(hub.as('alice'));
    expect(me).toEqual({
      type: 'user',
      id: ID,
      name: 'alice',
      fullname: 'alice',
      avatarUrl: `${hub.url}/avatars/${me.id}.svg`,
      isPro: false,
      orgs: [],
      auth: {
        type: 'access_token',
        accessToken: { displayName: 'test', role: 'write', createdAt: '2026-01-05T12:00:00.000Z' },
      },
    });
  });

  test('returns the full name, the address, the picture and the other known fields', async () => {
    await using hub = await startHub();
    await hub.apply({
      users: [
        {
          ...person('alice'),
          fullname: 'Alice Liddell',
          email: 'alice@example.com',
          pro: true,
          avatarUrl: 'https://example.com/alice.png',
        },
      ],
    });
    expect(await whoAmI(hub.as('alice'))).toMatchObject({
      fullname: 'Alice Liddell',
      email: 'alice@example.com',
      emailVerified: true,
      isPro: true,
      avatarUrl: 'https://example.com/alice.png',
    });
  });

  test('lists the organizations in the order of joining, each with plan and role', async () => {
    await using hub = await startHub();
    await hub.people('alice', 'bob');
    const member = (role: 'admin' | 'no_access') => [
      { user: 'alice', role },
      { user: 'bob', role: 'admin' as const },
    ];
    await hub.apply({ organizations: [{ name: 'zebra', plan: 'plus', members: member('admin') }] });
    hub.clock.advance(DAY);
    await hub.apply({ organizations: [{ name: 'acme', fullname: 'Acme Inc.', members: member('no_access') }] });
    const { orgs } = await whoAmI(hub.as('alice'));
    const avatarUrl = expect.stringMatching(/\/avatars\/[0-9a-f]{24}\.svg$/);
    expect(orgs).toEqual([
      { type: 'org', id: ID, name: 'zebra', fullname: 'zebra', avatarUrl, plan: 'plus', roleInOrg: 'admin' },
      { type: 'org', id: ID, name: 'acme', fullname: 'Acme Inc.', avatarUrl, roleInOrg: 'no_access' },
    ]);
  });

  test('shows what a fine-grained token may do', async () => {
    await using hub = await startHub();
    const scopes = {
      scoped: [
        {
          entity: { _id: '65a0c0ffee00000000000001', name: 'acme', type: 'org' },
          permissions: ['repo.write', 'repo.content.read'],
        },
      ],
      global: ['discussion.write'],
    };
    const token = 'hf_fineGrained00';
    await hub.apply({ users: [{ name: 'alice', tokens: [{ name: 'ci', role: 'fineGrained', token, scopes }] }] });
    expect((await whoAmI(hub.with(token))).auth.accessToken).toEqual({
      displayName: 'ci',
      role: 'fineGrained',
      createdAt: '2026-01-05T12:00:00.000Z',
      fineGrained: scopes,
    });
  });

  test('works with every kind of token, but requires one', async () => {
    await using hub = await startHub();
    const token = 'hf_onlyReading00';
    await hub.apply({ users: [{ name: 'alice', tokens: [{ name: 'reading', role: 'read', token }] }] });
    expect((await whoAmI(hub.with(token))).auth.accessToken?.role).toBe('read');
    await expect(whoAmI({ hubUrl: hub.url })).rejects.toMatchObject({ status: 401 });
    await expect(whoAmI(hub.with('hf_unknownUnknown'))).rejects.toMatchObject({
      status: 401,
      message: 'Invalid credentials in Authorization header',
    });
  });
});

/**
 * Starts a hub where alice owns one public and one private repository of each type, and so does acme, where bob reads.
 */
async function furnishedHub() {
  const hub = await startHub();
  await hub.people('alice', 'bob', 'zoe');
  await hub.apply({
    organizations: [
      {
        name: 'acme',
        plan: 'team',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'bob', role: 'read' },
        ],
      },
    ],
  });
  for (const owner of ['alice', 'acme']) {
    for (const type of REPO_TYPES) {
      await createRepo({ ...hub.as('alice'), type, repo: `${owner}/open` });
      await createRepo({ ...hub.as('alice'), type, repo: `${owner}/closed`, private: true });
    }
    for (const name of ['open', 'closed'])
      await createDiscussion({
        ...hub.as('alice'),
        type: 'model',
        repo: `${owner}/${name}`,
        title: 'A note',
        description: '',
      });
  }
  return hub;
}

let furnished: TestHub;
beforeAll(async () => {
  furnished = await furnishedHub();
});
afterAll(() => furnished[Symbol.asyncDispose]());

describe('the overview of a user', () => {
  test('returns `user` and no `name`, between which one client cannot distinguish', async () => {
    const hub = furnished;
    const overview = await getUserOverview({ ...hub.as('zoe'), username: 'ALICE' });
    expect(overview).toMatchObject({
      _id: await idOf(hub, 'alice'),
      user: 'alice',
      fullname: 'alice',
      type: 'user',
      isPro: false,
      createdAt: '2026-01-05T12:00:00.000Z',
      orgs: [{ id: ID, name: 'acme', fullname: 'acme' }],
    });
    expect(overview).not.toHaveProperty('name');
  });

  test.each([
    ['the owner', 'alice', 2, 4],
    ['a member of the organization', 'bob', 1, 3],
    ['a stranger', 'zoe', 1, 2],
  ])('counts only what the caller may see: %s', async (_, caller, repos, discussions) => {
    const hub = furnished;
    expect(await getUserOverview({ ...hub.as(caller), username: 'alice' })).toMatchObject({
      numModels: repos,
      numDatasets: repos,
      numSpaces: repos,
      numBuckets: repos,
      numKernels: repos,
      numDiscussions: discussions,
    });
  });
});

describe('the overview of an organization', () => {
  test('returns name, plan and the number of members', async () => {
    const hub = furnished;
    expect(await getOrganizationOverview({ ...hub.as('zoe'), name: 'acme' })).toMatchObject({
      _id: ID,
      name: 'acme',
      fullname: 'acme',
      type: 'org',
      plan: 'team',
      numUsers: 2,
      isVerified: false,
    });
  });

  test.each([
    ['an admin', 'alice', 2],
    ['a reader', 'bob', 2],
    ['a stranger', 'zoe', 1],
    ['a site administrator', 'admin', 1],
  ])('counts only what the caller may see: %s', async (_, caller, repos) => {
    const hub = furnished;
    const connection = caller === 'admin' ? hub.admin : hub.as(caller);
    expect(await getOrganizationOverview({ ...connection, name: 'acme' })).toMatchObject({
      numModels: repos,
      numDatasets: repos,
      numSpaces: repos,
    });
  });
});

test('a token that does not reach private repositories does not learn how many there are', async () => {
  const hub = furnished;
  const { id, orgs } = await whoAmI(hub.as('alice'));
  const modelsSeenWith = async (scopes: { entityIds: string[]; permissions: string[] }) => {
    const token = 'hf_fineGrained00';
    const scoped = scopes.entityIds.map((_id) => ({ entity: { _id, type: 'user' }, permissions: scopes.permissions }));
    await hub.apply({
      users: [{ name: 'alice', tokens: [{ name: 'fine', role: 'fineGrained', token, scopes: { scoped } }] }],
    });
    const caller = hub.with(token);
    const user = await getUserOverview({ ...caller, username: 'alice' });
    const organization = await getOrganizationOverview({ ...caller, name: 'acme' });
    return [user.numModels, organization.numModels, user.numDiscussions];
  };
  const acme = orgs[0]?.id ?? '';
  expect(await modelsSeenWith({ entityIds: [], permissions: [] })).toEqual([1, 1, 2]);
  expect(await modelsSeenWith({ entityIds: [id], permissions: ['discussion.write'] })).toEqual([1, 1, 2]);
  expect(await modelsSeenWith({ entityIds: [id], permissions: ['repo.content.read'] })).toEqual([2, 1, 3]);
  expect(await modelsSeenWith({ entityIds: [acme], permissions: ['repo.write'] })).toEqual([1, 2, 3]);
  expect(await modelsSeenWith({ entityIds: [id, acme], permissions: ['repo.write'] })).toEqual([2, 2, 4]);
});

test('the overview of an unknown name, or of a user as an organization or vice versa, is not found', async () => {
  const hub = furnished;
  const zoe = hub.as('zoe');
  for (const username of ['nobody', 'acme', 'a b', '.'.repeat(3)])
    await expect(getUserOverview({ ...zoe, username })).rejects.toMatchObject({ status: 404 });
  for (const name of ['nobody', 'alice'])
    await expect(getOrganizationOverview({ ...zoe, name })).rejects.toMatchObject({ status: 404 });
  await expect(getOrganizationOverview({ hubUrl: hub.url, name: 'nobody' })).rejects.toMatchObject({ status: 404 });
});
