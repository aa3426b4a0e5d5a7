import { exportAuditLog } from '@moonbase/client/audit-log';
import {
  addCollectionItem,
  createCollection,
  getCollection,
  listCollections,
  updateCollection,
} from '@moonbase/client/collections';
import { createCustomRole, updateCustomRole } from '@moonbase/client/custom-roles';
import {
  addResourceGroupUsers,
  createResourceGroup,
  deleteResourceGroup,
  getCollectionResourceGroup,
  getResourceGroup,
  removeResourceGroupUser,
  updateResourceGroupUser,
} from '@moonbase/client/resource-groups';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

/**
 * ada is admin of acme, will writes, carl contributes, rita and rob read, nora has no access, zoe is a stranger. In the group
 * lab gus is admin, rita writes, carl contributes, and nora reads.
 */
let hub: TestHub;
let lab: string;
const PEOPLE = { ada: 'admin', gus: 'read', will: 'write', carl: 'contributor', rita: 'read', rob: 'read' } as const;
const ALL = [...Object.keys(PEOPLE), 'nora', 'zoe'];
const role = (user: string, role: string) => ({ user, role });
beforeEach(async () => {
  hub = await startHub();
  await hub.apply({
    users: ALL.map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [...Object.entries(PEOPLE), ['nora', 'no_access']].map(([user = '', role = '']) => ({ user, role })),
      },
    ],
  });
  lab = await group('lab', [
    role('gus', 'admin'),
    role('rita', 'write'),
    role('carl', 'contributor'),
    role('nora', 'read'),
  ]);
});
afterEach(() => hub[Symbol.asyncDispose]());

const acme = (user: string) => ({ ...hub.as(user), organization: 'acme' });
const group = async (name: string, users: { user: string; role: string }[] = []) =>
  (await createResourceGroup({ ...acme('ada'), name, users })).id;
function named({ slug: full }: { readonly slug: string }) {
  const [namespace = '', slug = ''] = full.split('/');
  return { namespace, slug };
}
/** Creates a collection of acme, private and in lab unless the test says otherwise. */
const make = (title: string, given: { by?: string; private?: boolean; resourceGroupId?: string | null } = {}) => {
  const { by = 'ada', ...more } = given;
  return createCollection({
    ...{ ...hub.as(by), title, namespace: 'acme' },
    ...{ private: true, resourceGroupId: lab, ...more },
  });
};
const statusOf = async (
  user: string,
  ...request: Parameters<typeof ask> extends [unknown, ...infer Rest] ? Rest : never
) => (await ask(hub.as(user), ...request)).status;
const readersOf = async ({ slug }: { slug: string }) => {
  const readers: string[] = [];
  for (const user of ALL) if ((await statusOf(user, `GET /api/collections/${slug}`)) === 200) readers.push(user);
  return readers.join(' ');
};
const put = (user: string, { slug }: { slug: string }, resourceGroupId: string | null) =>
  statusOf(user, `POST /api/collections/${slug}/resource-group`, { resourceGroupId });

test('a private collection in a group is for members of the group and admins of the organization', async () => {
  const inside = await make('Inside');
  expect(await readersOf(inside)).toBe('ada gus carl rita nora');
  for (const user of ALL) {
    const titles = (await collect(listCollections({ ...hub.as(user), owner: 'acme' }))).map(({ title }) => title);
    expect([user, titles]).toEqual([user, (await readersOf(inside)).includes(user) ? ['Inside'] : []]);
  }
  await updateCollection({ ...hub.as('gus'), ...named(inside), private: false });
  expect(await readersOf(inside)).toBe(ALL.join(' '));
});

test('the better of both roles changes it; contributors change none', async () => {
  const changes = async (collection: { slug: string }) => {
    const statuses: string[] = [];
    for (const user of ALL) {
      const shown = await ask(hub.as(user), `GET /api/collections/${collection.slug}`);
      const { isEditableByUser = false } = (await shown.json()) as { isEditableByUser?: boolean };
      const status = await statusOf(user, `PATCH /api/collections/${collection.slug}`, { theme: 'pink' });
      expect([user, isEditableByUser]).toEqual([user, status === 200]);
      statuses.push(`${user} ${status}`);
    }
    return statuses.join(', ');
  };
  const inside = await make('Inside');
  expect(await changes(inside)).toBe('ada 200, gus 200, will 404, carl 403, rita 200, rob 404, nora 403, zoe 404');
  const open = await make('Open', { private: false });
  expect(await changes(open)).toBe('ada 200, gus 200, will 200, carl 403, rita 200, rob 403, nora 403, zoe 403');
  const outside = await make('Outside', { resourceGroupId: null });
  expect(await changes(outside)).toBe('ada 200, gus 403, will 200, carl 403, rita 403, rob 403, nora 404, zoe 404');

  await addResourceGroupUsers({ ...acme('gus'), resourceGroupId: lab, users: [role('will', 'read')] });
  expect(await statusOf('will', `PATCH /api/collections/${inside.slug}`, { theme: 'blue' })).toBe(200);
  const item = { type: 'collection' as const, id: open.slug };
  expect((await addCollectionItem({ ...hub.as('rita'), ...named(inside), item })).items).toHaveLength(1);
  expect(await statusOf('carl', `POST /api/collections/${inside.slug}/items`, { item })).toBe(403);
  expect(await statusOf('nora', `POST /api/collections/${inside.slug}/upvote`)).toBe(200);
  expect(await statusOf('rita', `DELETE /api/collections/${inside.slug}`)).toBe(200);
});

test('a group’s members with the role write create collections in it, and only there', async () => {
  const create = (user: string, more: object = {}) =>
    statusOf(user, 'POST /api/collections', { title: `By ${user}`, namespace: 'acme', private: true, ...more });
  const statuses = await Promise.all(
    ALL.map(async (user) => `${user} ${await create(user, { resourceGroupId: lab })}`),
  );
  expect(statuses.join(', ')).toBe('ada 200, gus 200, will 404, carl 403, rita 200, rob 404, nora 403, zoe 404');
  expect(await create('rita', { title: 'Outside' })).toBe(403);
  expect(await create('rita', { title: 'Large letters', resourceGroupId: lab.toUpperCase() })).toBe(200);
  expect(await create('ada', { resourceGroupId: 'e'.repeat(24), title: 'x' })).toBe(404);
  expect(await create('ada', { resourceGroupId: 'lab', title: 'x' })).toBe(400);
  expect(await create('ada', { resourceGroupId: lab, namespace: 'ada' })).toBe(404);
  expect(await create('will', { resourceGroupId: null })).toBe(200);
});

test('moves need the role admin in both groups, and the right to change it', async () => {
  const inside = await make('Inside');
  const outside = await make('Outside', { resourceGroupId: null });
  const other = await group('other', [role('gus', 'admin'), role('will', 'admin')]);
  expect([await put('rita', inside, null), await put('gus', inside, other)]).toEqual([403, 200]);
  // gus reads what is in no group, and may not change it.
  expect([await put('gus', outside, lab), await put('rita', outside, lab), await put('nora', outside, lab)]).toEqual([
    403, 403, 404,
  ]);
  expect([await put('will', outside, lab), await put('will', outside, other)]).toEqual([404, 200]);
  expect([await put('will', outside, null), await put('ada', outside, lab)]).toEqual([200, 200]);
  expect([await put('ada', outside, 'e'.repeat(24)), await put('zoe', outside, null)]).toEqual([404, 404]);
  const own = await createCollection({ ...hub.as('ada'), title: 'Own' });
  expect([await put('ada', own, lab), await put('ada', own, null), await put('zoe', own, null)]).toEqual([
    404, 200, 403,
  ]);
  expect(await statusOf('ada', `POST /api/collections/${inside.slug}/resource-group`, {})).toBe(400);

  const { lastUpdated } = await getCollection({ ...hub.as('ada'), ...named(outside) });
  expect(lastUpdated).toBe(outside.lastUpdated);
});

test('the group of a collection is told to those who may see both', async () => {
  const open = await make('Open', { private: false });
  const group = (user: string, slug = open.slug) => statusOf(user, `GET /api/collections/${slug}/resource-group`);
  expect(await getCollectionResourceGroup({ ...hub.as('nora'), ...named(open) })).toEqual({
    ...{ id: lab, name: 'lab', numUsers: 4 },
  });
  expect([await group('ada'), await group('will'), await group('zoe')]).toEqual([200, 404, 404]);
  const outside = await make('Outside', { resourceGroupId: null });
  expect(await group('ada', outside.slug)).toBe(404);
  const inside = await make('Inside');
  expect([await group('nora', inside.slug), await group('will', inside.slug)]).toEqual([200, 404]);
  const { collections } = await getResourceGroup({ ...acme('nora'), resourceGroupId: lab });
  expect(collections).toEqual([
    { slug: open.slug, title: 'Open', private: false },
    { slug: inside.slug, title: 'Inside', private: true },
  ]);
});

test('only admins of the group or the organization make it public', async () => {
  const inside = await make('Inside');
  const setPrivate = (user: string, isPrivate: boolean) =>
    statusOf(user, `PATCH /api/collections/${inside.slug}`, { private: isPrivate });
  expect([await setPrivate('rita', false), await setPrivate('rita', true)]).toEqual([403, 200]);
  expect(await readersOf(inside)).toBe('ada gus carl rita nora');
  expect([await setPrivate('gus', false), await setPrivate('will', true), await setPrivate('ada', false)]).toEqual([
    200, 200, 200,
  ]);
});

test('what happens to the group and its members counts at once', async () => {
  const inside = await make('Inside');
  const one = { ...acme('ada'), resourceGroupId: lab };
  await addResourceGroupUsers({ ...one, users: [role('rob', 'read')] });
  expect(await readersOf(inside)).toBe('ada gus carl rita rob nora');
  await updateResourceGroupUser({ ...one, username: 'rob', role: 'write' });
  expect(await statusOf('rob', `PATCH /api/collections/${inside.slug}`, { theme: 'pink' })).toBe(200);
  await removeResourceGroupUser({ ...one, username: 'rob' });
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'rita', state: 'absent' }] }] });
  expect(await readersOf(inside)).toBe('ada gus carl nora');

  await createCustomRole({ ...acme('ada'), name: 'scribe', base: 'read' });
  await updateResourceGroupUser({ ...one, username: 'carl', role: 'scribe' });
  const edit = () => statusOf('carl', `PATCH /api/collections/${inside.slug}`, { theme: 'blue' });
  expect(await edit()).toBe(403);
  await updateCustomRole({ ...acme('ada'), role: 'scribe', base: 'write' });
  expect(await edit()).toBe(200);

  await deleteResourceGroup(one);
  expect(await readersOf(inside)).toBe('ada gus will carl rob');
  const log = await exportAuditLog({ ...hub.as('ada'), name: 'acme' });
  expect(log.find(({ type }) => type === 'resource_group.delete')?.data).toEqual({
    ...{ id: lab, name: 'lab', repos: 0, collections: 1 },
  });
});

test('with too low a plan the group stays in force, and nobody moves anything', async () => {
  const inside = await make('Inside');
  await hub.apply({ organizations: [{ name: 'acme', plan: 'team' }] });
  expect(await readersOf(inside)).toBe('ada gus carl rita nora');
  expect([await put('ada', inside, null), await put('gus', inside, null), await put('rita', inside, null)]).toEqual([
    402, 402, 403,
  ]);
  expect(await statusOf('ada', `GET /api/collections/${inside.slug}/resource-group`)).toBe(402);
  const body = { title: 'One more', namespace: 'acme', resourceGroupId: lab };
  expect([
    await statusOf('ada', 'POST /api/collections', body),
    await statusOf('rita', 'POST /api/collections', body),
  ]).toEqual([402, 402]);
  expect(await statusOf('rita', `PATCH /api/collections/${inside.slug}`, { title: 'Still ours' })).toBe(200);
});

test('a group that is deleted while collections enter it leaves them whole, or refuses them', async () => {
  const outside = await Promise.all([1, 2, 3].map((at) => make(`Outside ${at}`, { resourceGroupId: null })));
  const [deleted, ...moved] = await Promise.all([
    statusOf('ada', `DELETE /api/organizations/acme/resource-groups/${lab}`),
    ...outside.map((collection) => put('ada', collection, lab)),
    ...[1, 2, 3].map((at) =>
      statusOf('ada', 'POST /api/collections', { title: `New ${at}`, namespace: 'acme', resourceGroupId: lab }),
    ),
  ]);
  expect([deleted, moved.filter((status) => status !== 200 && status !== 404)]).toEqual([200, []]);
  const rows = await hub.database.read.selectFrom('collections').select('resource_group_id').execute();
  expect(rows.filter(({ resource_group_id }) => resource_group_id !== null)).toEqual([]);
});
