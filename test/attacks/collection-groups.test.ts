import { createAccessToken } from '@moonbase/client/access-tokens';
import { addCollectionItem, createCollection, getCollection, listCollections } from '@moonbase/client/collections';
import { quickSearch } from '@moonbase/client/discovery';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo } from '@moonbase/client/repositories';
import { createResourceGroup, listResourceGroups } from '@moonbase/client/resource-groups';
import type { Permission } from '@moonbase/contract/route';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../packages/server/test/ask.ts';
import { type Connection, collect, person, startHub, type TestHub } from '../../packages/server/test/harness.ts';

/**
 * Private collections of acme in the group lab are hidden from members of acme outside of the group, and from tokens. ada is
 * admin of acme; will writes there, rob reads; in lab gus is admin, rita writes, and nora reads, who has no access elsewhere.
 */
let hub: TestHub;
let lab: string;
let other: string;
let org: string;
let inside: string;
let outer: string;
const TITLE = 'Unheard of plan';
const OUTSIDE = ['will', 'rob', 'zoe'] as const;

beforeAll(async () => {
  hub = await startHub();
  const roles = { ada: 'admin', will: 'write', gus: 'read', rita: 'read', rob: 'read', nora: 'no_access' } as const;
  await hub.apply({
    users: [...Object.keys(roles), 'zoe'].map(person),
    organizations: [
      { name: 'acme', plan: 'enterprise', members: Object.entries(roles).map(([user, role]) => ({ user, role })) },
    ],
  });
  const ada = hub.as('ada');
  org = (await whoAmI(ada)).orgs[0]?.id ?? '';
  const group = async (name: string, users: { user: string; role: string }[]) =>
    (await createResourceGroup({ ...ada, organization: 'acme', name, users })).id;
  lab = await group('lab', [
    { user: 'gus', role: 'admin' },
    { user: 'rita', role: 'write' },
    { user: 'nora', role: 'read' },
  ]);
  other = await group('other', [{ user: 'rita', role: 'write' }]);
  await createRepo({ ...ada, repo: 'acme/open' });
  const made = { ...ada, namespace: 'acme', item: { type: 'model', id: 'acme/open' } } as const;
  inside = (await createCollection({ ...made, title: TITLE, private: true, resourceGroupId: lab })).slug;
  outer = (await createCollection({ ...made, title: 'Outer', item: { type: 'collection', id: inside } })).slug;
  await addCollectionItem({ ...ada, ...named(outer), item: made.item });
});
afterAll(() => hub[Symbol.asyncDispose]());

function named(full: string) {
  const [namespace = '', slug = ''] = full.split('/');
  return { namespace, slug };
}
const titles = async (caller: Connection, filter: Partial<Parameters<typeof listCollections>[0]> = {}) =>
  (await collect(listCollections({ ...caller, ...filter }))).map(({ title }) => title).toSorted();
const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status;
const search = async (caller: Connection, q: string) => {
  const found = await quickSearch({ ...caller, q, type: ['collection'], limit: 1 });
  return [found.collections.map(({ title }) => title), found.collectionsCount];
};

test('no list and no count tells outsiders of it', async () => {
  for (const user of OUTSIDE) {
    const caller = hub.as(user);
    for (const sort of ['trending', 'lastModified', 'upvotes'] as const)
      expect([user, await titles(caller, { sort })]).toEqual([user, ['Outer']]);
    expect(await titles(caller, { owner: 'acme', pageSize: 1 })).toEqual(['Outer']);
    expect(await titles(caller, { q: 'unheard' })).toEqual([]);
    expect(await titles(caller, { item: 'models/acme/open' })).toEqual(['Outer']);
    expect(await titles(caller, { item: `collections/${inside}` })).toEqual([]);
    expect(await search(caller, 'unheard')).toEqual([[], 0]);
    expect(await search(caller, 'u')).toEqual([['Outer'], 1]);
  }
  expect(await titles(hub.as('nora'), { owner: 'acme' })).toEqual(['Outer', TITLE]);
  expect(await search(hub.as('nora'), 'u')).toEqual([[expect.any(String)], 2]);
});

test('in another collection it is left out for outsiders, with its place kept', async () => {
  const shown = async (caller: Connection) => {
    const [listed] = await collect(listCollections({ ...caller, q: 'outer' }));
    const { items } = await getCollection({ ...caller, ...named(outer) });
    expect(listed?.items).toEqual(items);
    return items.map(({ type, position }) => `${type} ${position}`);
  };
  for (const user of OUTSIDE) expect([user, await shown(hub.as(user))]).toEqual([user, ['model 1']]);
  for (const user of ['ada', 'nora']) expect(await shown(hub.as(user))).toEqual(['collection 0', 'model 1']);
});

test('for outsiders it does not exist, whatever they ask', async () => {
  const id = inside.slice(-24);
  const absent = 'f'.repeat(24);
  const asked = (at: string): [`${'GET' | 'POST' | 'PATCH' | 'DELETE'} ${string}`, unknown?][] => [
    [`GET /api/collections/acme/plan-${at}`],
    [`GET /api/collections/${at}`],
    [`GET /api/collections/zoe/${at}`],
    [`GET /api/collections/acme/${at}/resource-group`],
    [`POST /api/collections/acme/${at}/resource-group`, { resourceGroupId: null }],
    [`POST /api/collections/acme/${at}/resource-group`, { resourceGroupId: lab }],
    [`PATCH /api/collections/acme/${at}`, { private: false }],
    [`POST /api/collections/acme/${at}/items`, { item: { type: 'model', id: 'acme/open' } }],
    [`POST /api/collections/acme/${at}/upvote`],
    [`DELETE /api/collections/acme/${at}/upvote`],
    [`DELETE /api/collections/acme/${at}`],
    ['POST /api/collections', { title: 'Nesting', item: { type: 'collection', id: at } }],
  ];
  for (const user of OUTSIDE) {
    const caller = hub.as(user);
    const answers = async (at: string) => {
      const told: unknown[] = [];
      for (const request of asked(at)) {
        const answer = await ask(caller, ...request);
        told.push([answer.status, (await answer.text()).replaceAll(at, '…')]);
      }
      return told;
    };
    const hidden = await answers(id);
    expect(hidden).toEqual(await answers(absent));
    expect(hidden.every((told) => Array.isArray(told) && told[0] === 404)).toBe(true);
  }
  expect(await getCollection({ ...hub.as('ada'), ...named(inside) })).toMatchObject({ private: true, upvotes: 0 });
});

test('a title in use is refused without the slug of a collection in a group', async () => {
  const error = 'This namespace has a collection with this title';
  const create = async (user: string, title: string) => {
    const answer = await ask(hub.as(user), 'POST /api/collections', { title, namespace: 'acme' });
    return [answer.status, await answer.json()];
  };
  expect(await create('will', TITLE.toUpperCase())).toEqual([409, { error }]);
  const renamed = await ask(hub.as('will'), `PATCH /api/collections/${outer}`, { title: TITLE });
  expect([renamed.status, await renamed.json()]).toEqual([409, { error }]);
  expect(await create('ada', TITLE)).toEqual([409, { error, slug: inside }]);
  const within = { title: TITLE, namespace: 'acme', resourceGroupId: other };
  const answer = await ask(hub.as('rita'), 'POST /api/collections', within);
  expect([answer.status, await answer.json()]).toEqual([409, { error, slug: inside }]);
});

async function token(user: string, scopes: Readonly<Record<string, readonly Permission[]>>) {
  const scoped = Object.entries(scopes).map(([_id, permissions]) => ({
    entity: { _id, type: _id === org ? ('org' as const) : ('resource-group' as const) },
    permissions: [...permissions],
  }));
  const displayName = `${user} ${JSON.stringify(Object.values(scopes))} ${Object.keys(scopes).join()}`;
  const made = { displayName: displayName.slice(0, 90), role: 'fineGrained', fineGrained: { scoped } } as const;
  return hub.with((await createAccessToken({ ...hub.as(user), ...made })).token);
}

test('a token for the group reaches its collections alone', async () => {
  const outside = await createCollection({ ...hub.as('ada'), title: 'Outside', namespace: 'acme', private: true });
  const at = `/api/collections/${inside}` as const;
  const attempts = async (caller: Connection) => [
    await titles(caller, { owner: 'acme' }),
    await statusOf(caller, `GET ${at}`),
    await statusOf(caller, `PATCH ${at}`, { theme: 'pink' }),
    await statusOf(caller, `PATCH /api/collections/${outside.slug}`, { theme: 'pink' }),
  ];
  const groups = async (caller: Connection) =>
    (await listResourceGroups({ ...caller, organization: 'acme' })).map(({ collections }) => collections.length);
  expect(await attempts(await token('rita', { [lab]: ['collection.read'] }))).toEqual([
    ...[['Outer', TITLE], 200, 403, 404],
  ]);
  expect(await attempts(await token('rita', { [lab]: ['collection.write'] }))).toEqual([
    ...[['Outer', TITLE], 200, 200, 404],
  ]);
  expect(await attempts(await token('rita', { [org]: ['collection.write'] }))).toEqual([
    ...[['Outer', 'Outside', TITLE], 200, 200, 403],
  ]);
  for (const without of [
    await token('rita', { [lab]: ['repo.content.read', 'repo.write', 'resourceGroup.write'] }),
    await token('rita', { [other]: ['collection.write'] }),
    await token('will', { [lab]: ['collection.write'] }),
  ])
    expect(await attempts(without)).toEqual([['Outer'], 404, 404, 404]);
  expect(await attempts(await token('will', { [org]: ['collection.write'] }))).toEqual([
    ...[['Outer', 'Outside'], 404, 404, 200],
  ]);
  expect(await groups(await token('rita', { [org]: ['org.read'] }))).toEqual([0, 0]);
  expect(await groups(await token('rita', { [org]: ['org.read', 'collection.read'] }))).toEqual([1, 0]);

  const create = (caller: Connection, resourceGroupId: string | null) =>
    statusOf(caller, 'POST /api/collections', { title: `T ${Math.random()}`, namespace: 'acme', resourceGroupId });
  const onLab = await token('rita', { [lab]: ['collection.read', 'collection.write'] });
  expect([await create(onLab, lab), await create(onLab, other), await create(onLab, null)]).toEqual([200, 403, 403]);
  const onOrg = await token('rita', { [org]: ['collection.read'] });
  expect(await create(onOrg, lab)).toBe(403);
});

test('leaving the group, or becoming public, needs resourceGroup.write of the token as well', async () => {
  const { slug } = await createCollection({
    ...{ ...hub.as('rita'), title: 'Moved', namespace: 'acme', private: true, resourceGroupId: lab },
  });
  const out = (caller: Connection) =>
    statusOf(caller, `POST /api/collections/${slug}/resource-group`, { resourceGroupId: null });
  const open = (caller: Connection) => statusOf(caller, `PATCH /api/collections/${slug}`, { private: false });
  const writing = await token('gus', { [lab]: ['collection.write'] });
  const moving = await token('gus', { [lab]: ['resourceGroup.write'] });
  const both = await token('gus', { [lab]: ['collection.write', 'resourceGroup.write'] });
  expect([await out(writing), await open(writing)]).toEqual([403, 403]);
  expect([await out(moving), await open(moving)]).toEqual([404, 404]);
  expect(await statusOf(hub.as('rob'), `GET /api/collections/${slug}`)).toBe(404);
  expect([await open(both), await out(both)]).toEqual([200, 200]);
});
