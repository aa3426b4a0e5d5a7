import { createCollection, deleteCollection, listCollections } from '@huggingface/hub';
import { applyHub } from '@moonbase/client/admin';
import { createRepo } from '@moonbase/client/repositories';
import { createResourceGroup } from '@moonbase/client/resource-groups';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test.each(['newest', 'previous', 'before-xet'] as const)(
  'huggingface_hub (%s) creates, fills, changes, lists and deletes collections',
  (client) => world.python('collections_story', {}, client),
);

// The release from before Xet knows nothing of the resource groups of collections.
test.each(['newest', 'previous'] as const)(
  'huggingface_hub (%s) creates collections in a resource group, and moves them',
  async (client) => {
    const member = (user: string, role: 'admin' | 'read') => ({ user, role });
    const members = [member('alice', 'admin'), member('bob', 'read'), member('carol', 'read')];
    await applyHub({
      ...world.as('admin'),
      document: { organizations: [{ name: 'guild', plan: 'enterprise', members }] },
    });
    const users = [{ user: 'carol', role: 'write' }];
    const { id: group } = await createResourceGroup({
      ...{ ...world.as('alice'), organization: 'guild', name: `lab of ${client}`, users },
    });
    await world.python('collection_groups_story', { group }, client);
  },
);

test('hf has eight commands for collections', async () => {
  const hf = async (...args: string[]) => {
    const { status, stdout, stderr } = await world.hf('bob', ['collections', ...args]);
    expect([args[0], status, stderr]).toEqual([args[0], 0, expect.any(String)]);
    return stdout;
  };
  await createRepo({ ...world.as('bob'), repo: 'bob/shelf' });
  await hf('create', 'By hand', '--description', 'Of bob');
  const list = async () =>
    (await world.hfJson('bob', 'collections', 'list', '--owner', 'bob')) as { slug: string; title: string }[];
  const [created] = await list();
  expect(created).toMatchObject({ title: 'By hand', slug: expect.stringMatching(/^bob\/by-hand-/) });
  const slug = created?.slug ?? '';
  await hf('create', 'By hand', '--exists-ok');
  expect(await list()).toHaveLength(1);
  await hf('add-item', slug, 'bob/shelf', 'model', '--note', 'Begin here');
  const info = async () =>
    (await world.hfJson('bob', 'collections', 'info', slug)) as { title: string; theme: string; items: Item[] };
  const [item] = (await info()).items;
  expect(item).toMatchObject({ item_id: 'bob/shelf', item_type: 'model', position: 0, note: 'Begin here' });
  const itemId = item?.item_object_id ?? '';
  await hf('update-item', slug, itemId, '--note', 'Or here');
  await hf('update', slug, '--title', 'By machine', '--theme', 'green');
  expect(await info()).toMatchObject({ title: 'By machine', theme: 'green', items: [{ note: 'Or here' }] });
  await hf('delete-item', slug, itemId);
  expect((await info()).items).toEqual([]);
  await hf('delete', slug);
  await hf('delete', slug, '--missing-ok');
  expect(await list()).toEqual([]);
});

interface Item {
  readonly item_object_id: string;
}

test('@huggingface/hub creates, lists and deletes collections', async () => {
  const carol = world.as('carol');
  const given = { title: 'From a script', namespace: 'carol', description: 'Short', private: true };
  const { slug } = await createCollection({ ...carol, collection: given });
  expect(slug).toMatch(/^carol\/from-a-script-[0-9a-f]{24}$/);
  const slugs = async (search: { owner?: string[]; q?: string }) => {
    const found: string[] = [];
    for await (const each of listCollections({ ...carol, search })) found.push(each.slug);
    return found;
  };
  expect(await slugs({ owner: ['carol'], q: 'script' })).toEqual([slug]);
  expect(await slugs({ owner: ['alice'] })).toEqual([]);
  await deleteCollection({ ...carol, slug });
  expect(await slugs({ owner: ['carol'] })).toEqual([]);
});
