import { createAccessToken } from '@moonbase/client/access-tokens';
import { exportAuditLog } from '@moonbase/client/audit-log';
import {
  addCollectionItem,
  createCollection,
  deleteCollection,
  getCollection,
  listCollections,
  updateCollection,
  updateCollectionItem,
  upvoteCollection,
  withdrawCollectionUpvote,
} from '@moonbase/client/collections';
import { deleteOrganization, restoreOrganization, updateOrganization } from '@moonbase/client/organizations';
import { whoAmI } from '@moonbase/client/profiles';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { deleteUser } from '@moonbase/client/users';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { DAY } from './clock.ts';
import { type Connection, collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
beforeEach(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'will', 'cora', 'rita', 'nora', 'zoe'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'team',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'will', role: 'write' },
          { user: 'cora', role: 'contributor' },
          { user: 'rita', role: 'read' },
          { user: 'nora', role: 'no_access' },
        ],
      },
    ],
  });
  await createRepo({ ...hub.as('ada'), repo: 'acme/open' });
  await createRepo({ ...hub.as('ada'), repo: 'acme/secret', private: true });
});
afterEach(() => hub[Symbol.asyncDispose]());

function named({ slug: full }: { readonly slug: string }) {
  const [namespace = '', slug = ''] = full.split('/');
  return { namespace, slug };
}
const idsIn = async (caller: Connection, collection: { slug: string }) =>
  (await getCollection({ ...caller, ...named(collection) })).items.map(({ id, position }) => [id, position]);
const titles = async (caller: Connection, filter: { owner?: string; item?: string; q?: string } = {}) =>
  (await collect(listCollections({ ...caller, ...filter }))).map(({ title }) => title);
const statusOf = async (...request: Parameters<typeof ask>) => (await ask(...request)).status;
const model = (id: string) => ({ type: 'model' as const, id });

/** Creates a collection of acme with the repositories `acme/secret` and `acme/open`, in this order. */
async function makeMixed(isPrivate: boolean) {
  const created = await createCollection({
    ...hub.as('ada'),
    ...{ title: 'Mixed', namespace: 'acme', private: isPrivate, item: model('acme/secret') },
  });
  return addCollectionItem({ ...hub.as('ada'), ...named(created), item: model('acme/open') });
}

test('those with the role write change an organization’s collections, its readers read private ones', async () => {
  const mixed = await makeMixed(true);
  for (const [user, read, write] of [
    ['ada', 200, 200],
    ['will', 200, 200],
    ['cora', 200, 403],
    ['rita', 200, 403],
    ['nora', 404, 404],
    ['zoe', 404, 404],
  ] as const) {
    const caller = hub.as(user);
    const path = `/api/collections/${mixed.slug}` as const;
    expect([user, await statusOf(caller, `GET ${path}`)]).toEqual([user, read]);
    expect([user, await statusOf(caller, `PATCH ${path}`, { theme: 'pink' })]).toEqual([user, write]);
    expect([user, await titles(caller)]).toEqual([user, read === 200 ? ['Mixed'] : []]);
    const created = await statusOf(caller, 'POST /api/collections', { title: `By ${user}`, namespace: 'acme' });
    expect([user, created]).toEqual([user, write === 200 ? 200 : 403]);
    await hub.database.transaction((tx) => tx.deleteFrom('collections').where('title', '=', `By ${user}`).execute());
  }
  await updateCollection({ ...hub.as('will'), ...named(mixed), private: false });
  expect(await titles(hub.as('zoe'))).toEqual(['Mixed']);
  const { slug } = await createCollection({ ...hub.as('rita'), title: 'Own', private: true });
  expect(await statusOf(hub.as('ada'), `GET /api/collections/${slug}`)).toBe(404);
  expect(await statusOf(hub.admin, `GET /api/collections/${slug}`)).toBe(404);
  expect(await statusOf({ hubUrl: hub.url }, `GET /api/collections/${slug}`)).toBe(401);
});

test('items that a caller may not read are hidden and keep their positions', async () => {
  const mixed = await makeMixed(false);
  const zoe = hub.as('zoe');
  expect(await idsIn(hub.as('rita'), mixed)).toEqual([
    ['acme/secret', 0],
    ['acme/open', 1],
  ]);
  expect(await idsIn(zoe, mixed)).toEqual([['acme/open', 1]]);
  const [listed] = await collect(listCollections(zoe));
  expect(listed?.items.map(({ id }) => id)).toEqual(['acme/open']);
  expect(await titles(zoe, { item: 'models/acme/open' })).toEqual(['Mixed']);
  expect(await titles(zoe, { item: 'models/acme/secret' })).toEqual([]);
  expect(await titles(hub.as('rita'), { item: 'models/acme/secret' })).toEqual(['Mixed']);
  await updateRepoSettings({ ...hub.as('ada'), type: 'model', repo: 'acme/secret', settings: { private: false } });
  expect(await idsIn(zoe, mixed)).toHaveLength(2);

  const outer = await createCollection({ ...hub.as('will'), title: 'Outer' });
  await addCollectionItem({ ...hub.as('will'), ...named(outer), item: { type: 'collection', id: mixed.slug } });
  expect(await titles(zoe, { item: `collections/${mixed.slug}` })).toEqual(['Outer']);
  await updateCollection({ ...hub.as('ada'), ...named(mixed), private: true });
  expect(await idsIn(zoe, outer)).toEqual([]);
  expect(await idsIn(hub.as('rita'), outer)).toHaveLength(1);
  expect(await titles(zoe, { item: `collections/${mixed.slug}` })).toEqual([]);
});

test('a list shows the first four items that the caller may read', async () => {
  const { slug } = await makeMixed(false);
  for (const name of ['b', 'c', 'd', 'e']) {
    await createRepo({ ...hub.as('ada'), repo: `acme/${name}`, private: name === 'b' });
    await addCollectionItem({ ...hub.as('ada'), ...named({ slug }), item: model(`acme/${name}`) });
  }
  const shown = async (user: string) => {
    const [listed] = await collect(listCollections(hub.as(user)));
    return listed?.items.map(({ id, position }) => `${id} ${position}`);
  };
  expect(await shown('zoe')).toEqual(['acme/open 1', 'acme/c 3', 'acme/d 4', 'acme/e 5']);
  expect(await shown('rita')).toEqual(['acme/secret 0', 'acme/open 1', 'acme/b 2', 'acme/c 3']);
});

test('a token does what its role and its permissions allow, on the accounts they name', async () => {
  const mixed = await makeMixed(true);
  const own = await createCollection({ ...hub.as('ada'), title: 'Own', private: true });
  const { id: adaId, orgs } = await whoAmI(hub.as('ada'));
  const acmeId = orgs[0]?.id ?? '';
  const tokenWith = async (
    entity: string,
    permissions: ('collection.read' | 'collection.write' | 'repo.content.read' | 'repo.write')[],
  ) => {
    const scoped = [
      { entity: { _id: entity, type: entity === adaId ? ('user' as const) : ('org' as const) }, permissions },
    ];
    const displayName = `${entity} ${permissions.join()}`;
    return hub.with(
      (await createAccessToken({ ...hub.as('ada'), displayName, role: 'fineGrained', fineGrained: { scoped } })).token,
    );
  };
  const reading = hub.with((await createAccessToken({ ...hub.as('ada'), displayName: 'reading', role: 'read' })).token);
  const at = `/api/collections/${mixed.slug}` as const;
  const attempts = (caller: Connection) =>
    Promise.all([
      statusOf(caller, `GET ${at}`),
      statusOf(caller, `PATCH ${at}`, { theme: 'blue' }),
      statusOf(caller, `POST ${at}/upvote`),
      statusOf(caller, 'POST /api/collections', { title: 'Own', namespace: 'ada' }),
    ]);
  expect(await attempts(reading)).toEqual([200, 403, 403, 403]);
  expect(await titles(reading)).toEqual(['Own', 'Mixed']);
  expect(await attempts(await tokenWith(acmeId, ['collection.read']))).toEqual([200, 403, 403, 403]);
  const onAcme = await tokenWith(acmeId, ['collection.write']);
  expect(await attempts(onAcme)).toEqual([200, 200, 403, 403]);
  expect(await titles(onAcme)).toEqual(['Mixed']);
  expect(await idsIn(onAcme, mixed)).toEqual([['acme/open', 1]]);
  expect(await idsIn(await tokenWith(acmeId, ['collection.read', 'repo.content.read']), mixed)).toHaveLength(2);
  const onAda = await tokenWith(adaId, ['collection.write']);
  // The namespace has the title already: the token may create there.
  expect(await attempts(onAda)).toEqual([404, 404, 404, 409]);
  expect(await titles(onAda)).toEqual(['Own']);
  expect(await statusOf(onAcme, `GET /api/collections/${own.slug}`)).toBe(404);
  expect(await statusOf(await tokenWith(acmeId, ['repo.write']), `GET ${at}`)).toBe(404);
  const { items } = await getCollection({ ...hub.as('ada'), ...named(mixed) });
  await expect(
    updateCollectionItem({ ...reading, ...named(mixed), itemId: items[0]?._id ?? '', position: 1 }),
  ).rejects.toMatchObject({ status: 403 });
  await expect(
    addCollectionItem({ ...onAcme, ...named(mixed), item: { type: 'collection', id: own.slug } }),
  ).rejects.toMatchObject({ status: 404 });
});

test('a title in use is refused without the slug of a collection that the token may not read', async () => {
  const ada = hub.as('ada');
  const open = await createCollection({ ...ada, title: 'Open' });
  const secret = await createCollection({ ...ada, title: 'Secret plan', private: true });
  const { token } = await createAccessToken({
    ...{ ...ada, displayName: 'one collection', role: 'fineGrained' },
    fineGrained: {
      scoped: [{ entity: { _id: open.slug.slice(-24), type: 'collection' }, permissions: ['collection.write'] }],
    },
  });
  const narrow = hub.with(token);
  const rename = async (caller: Connection) => {
    const answer = await ask(caller, `PATCH /api/collections/${open.slug}`, { title: 'secret plan' });
    return [answer.status, await answer.json()];
  };
  const error = 'This namespace has a collection with this title';
  expect(await rename(narrow)).toEqual([409, { error }]);
  expect(await rename(ada)).toEqual([409, { error, slug: secret.slug }]);
  expect(await getCollection({ ...narrow, ...named(open) })).toMatchObject({ title: 'Open' });
});

test('a name, a deletion and a restored organization', async () => {
  const mixed = await makeMixed(false);
  const ada = hub.as('ada');
  await updateOrganization({ ...ada, name: 'acme', change: { name: 'apex' } });
  const renamed = await getCollection({ ...ada, ...named(mixed) });
  expect([renamed.slug, renamed.owner.name]).toEqual([mixed.slug.replace('acme/', 'apex/'), 'apex']);
  expect(renamed.items[1]?.id).toBe('apex/open');
  const outer = await createCollection({
    ...hub.as('zoe'),
    ...{ title: 'Outer', item: { type: 'collection', id: mixed.slug } },
  });
  await upvoteCollection({ ...hub.as('zoe'), ...named(mixed) });

  await deleteOrganization({ ...ada, name: 'apex' });
  for (const user of ['ada', 'rita', 'zoe']) {
    expect(await statusOf(hub.as(user), `GET /api/collections/${mixed.slug}`)).toBe(404);
    expect(await titles(hub.as(user))).toEqual(['Outer']);
  }
  expect(await statusOf(ada, `DELETE /api/collections/${mixed.slug}`)).toBe(404);
  expect(await idsIn(hub.as('zoe'), outer)).toEqual([]);
  await restoreOrganization({ ...ada, name: 'apex' });
  expect(await getCollection({ ...ada, ...named(mixed) })).toEqual({ ...renamed, upvotes: 1 });
  expect(await idsIn(hub.as('zoe'), outer)).toHaveLength(1);

  await deleteOrganization({ ...ada, name: 'apex' });
  hub.clock.advance(31 * DAY);
  await hub.drain();
  const rows = await hub.database.read.selectFrom('collections').select('title').execute();
  expect(rows).toEqual([{ title: 'Outer' }]);
  expect(await hub.database.read.selectFrom('collection_items').select('id').execute()).toEqual([]);
  expect(await hub.database.read.selectFrom('collection_upvotes').select('user_id').execute()).toEqual([]);
});

test('a deleted user leaves no collections, items and upvotes behind', async () => {
  const mixed = await makeMixed(false);
  const zoe = hub.as('zoe');
  await createRepo({ ...zoe, repo: 'zoe/bert' });
  const own = await createCollection({ ...zoe, title: 'Of zoe', item: model('zoe/bert') });
  for (const item of [model('zoe/bert'), { type: 'collection' as const, id: own.slug }])
    await addCollectionItem({ ...hub.as('ada'), ...named(mixed), item });
  for (const user of ['zoe', 'rita']) await upvoteCollection({ ...hub.as(user), ...named(mixed) });
  await deleteUser({ ...zoe, username: 'zoe' });
  await hub.drain();
  expect(await titles(hub.as('ada'))).toEqual(['Mixed']);
  expect(await idsIn(hub.as('ada'), mixed)).toEqual([
    ['acme/secret', 0],
    ['acme/open', 1],
  ]);
  expect(await withdrawCollectionUpvote({ ...hub.as('rita'), ...named(mixed) })).toMatchObject({ upvotes: 0 });
  expect(await statusOf(hub.as('ada'), `GET /api/collections/${own.slug}`)).toBe(404);
});

test('an organization’s audit log records its collections, but not those of users', async () => {
  const mixed = await makeMixed(true);
  await createCollection({ ...hub.as('ada'), title: 'Own' });
  await deleteCollection({ ...hub.as('ada'), ...named(mixed) });
  const log = await exportAuditLog({ ...hub.as('ada'), name: 'acme' });
  const data = { collection: { _id: mixed.slug.slice(-24), slug: mixed.slug, title: 'Mixed' }, private: true };
  expect(log.filter(({ type }) => type.startsWith('collection.')).map(({ message, data }) => [message, data])).toEqual([
    [`Deleted the collection ${mixed.slug}`, data],
    [`Created the collection ${mixed.slug}`, data],
  ]);
});

test('equal items, titles and upvotes at once are there once', async () => {
  const mixed = await makeMixed(false);
  const four = [1, 2, 3, 4];
  await createRepo({ ...hub.as('will'), repo: 'will/bert' });
  const at = `/api/collections/${mixed.slug}` as const;
  const adding = await Promise.all(
    four.map(() => statusOf(hub.as('will'), `POST ${at}/items`, { item: model('will/bert') })),
  );
  expect(adding.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  const making = await Promise.all(four.map(() => ask(hub.as('will'), 'POST /api/collections', { title: 'Once' })));
  expect(making.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  await Promise.all(four.map(() => upvoteCollection({ ...hub.as('rita'), ...named(mixed) })));
  const { items, upvotes } = await getCollection({ ...hub.as('ada'), ...named(mixed) });
  expect([items.map(({ position }) => position), upvotes]).toEqual([[0, 1, 2], 1]);
});
