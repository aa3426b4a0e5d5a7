import {
  addCollectionItem,
  createCollection,
  deleteCollection,
  deleteCollectionItem,
  getCollection,
  getCollectionById,
  listCollections,
  updateCollection,
  updateCollectionItem,
  updateCollectionItems,
  upvoteCollection,
  withdrawCollectionUpvote,
} from '@moonbase/client/collections';
import { createBucket, createRepo, deleteRepo, moveRepo } from '@moonbase/client/repositories';
import type { CollectionItemType } from '@moonbase/contract/repositories/collections';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { DAY, MINUTE } from './clock.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'bob'].map(person),
    organizations: [{ name: 'acme', plan: 'team', members: [{ user: 'ada', role: 'admin' }] }],
    papers: [{ id: '2401.00001', title: 'On letters' }],
  });
  for (const name of ['bert', 'llama', 'moved', 'deleted', 'gpt', 'small'])
    await createRepo({ ...hub.as('ada'), repo: `ada/${name}` });
  await createRepo({ ...hub.as('ada'), type: 'dataset', repo: 'ada/letters' });
  await createRepo({ ...hub.as('ada'), type: 'space', repo: 'ada/show', sdk: 'static' });
  await createBucket({ ...hub.as('ada'), repo: 'ada/pail' });
});
afterAll(() => hub[Symbol.asyncDispose]());

/** Splits a slug into the parameters of the client. */
function named({ slug: full }: { readonly slug: string }) {
  const [namespace = '', slug = ''] = full.split('/');
  return { namespace, slug };
}
const idOf = ({ slug }: { readonly slug: string }) => slug.slice(-24);
const ada = () => hub.as('ada');
const make = (title: string, more: { readonly namespace?: string; readonly private?: boolean } = {}) =>
  createCollection({ ...ada(), title, ...more });
const add = (to: { slug: string }, id: string, type: CollectionItemType = 'model', note?: string) =>
  addCollectionItem({ ...ada(), ...named(to), item: { type, id }, note });
const shown = async (collection: { slug: string }) =>
  (await getCollection({ ...ada(), ...named(collection) })).items.map(({ id, position }) => [id, position]);

describe('a collection', () => {
  test('is found by the id in its slug, whatever its title was', async () => {
    const created = await make('My cool stuff: 2026');
    expect(created).toMatchObject({
      title: 'My cool stuff: 2026',
      owner: { name: 'ada', type: 'user' },
      private: false,
      position: 0,
      upvotes: 0,
      isUpvotedByUser: false,
      gating: false,
      items: [],
      lastUpdated: new Date(hub.clock.now()).toISOString(),
    });
    expect(created).not.toHaveProperty('description');
    expect(created.slug).toMatch(/^ada\/my-cool-stuff-2026-[0-9a-f]{24}$/);
    hub.clock.advance(MINUTE);
    const { data } = await updateCollection({
      ...ada(),
      ...named(created),
      ...{ title: 'Élan', description: ' About ', position: 3, theme: 'pink', private: true },
    });
    expect(data).toMatchObject({ title: 'Élan', description: 'About', position: 3, theme: 'pink', private: true });
    expect(data.lastUpdated).toBe(new Date(hub.clock.now()).toISOString());
    expect(data.slug).toBe(`ada/elan-${idOf(created)}`);
    for (const slug of [created.slug, data.slug, `ada/${idOf(created)}`, `nobody/else-${idOf(created)}`, 'ada/elan'])
      expect(await getCollection({ ...ada(), ...named({ slug }) })).toEqual(data);
    expect(await getCollectionById({ ...ada(), collectionId: idOf(created) })).toEqual(data);

    expect(await deleteCollection({ ...ada(), ...named(created) })).toEqual({ success: true });
    await expect(deleteCollection({ ...ada(), ...named(created) })).rejects.toMatchObject({ status: 404 });
    await expect(getCollection({ ...ada(), ...named(created) })).rejects.toMatchObject({ status: 404 });
  });

  test('has a title of its own in its namespace', async () => {
    const first = await make('Twice');
    const second = await ask(ada(), 'POST /api/collections', { title: ' twice', namespace: 'ada' });
    expect([second.status, await second.json()]).toEqual([409, { error: expect.any(String), slug: first.slug }]);
    const other = await make('Once');
    const renamed = await ask(ada(), `PATCH /api/collections/${other.slug}`, { title: 'TWICE' });
    expect([renamed.status, await renamed.json()]).toMatchObject([409, { slug: first.slug }]);
    expect((await getCollection({ ...ada(), ...named(other) })).title).toBe('Once');
    expect((await make('Twice', { namespace: 'acme' })).slug).toMatch(/^acme\/twice-/);
    expect((await make('日本語')).slug).toMatch(/^ada\/[0-9a-f]{24}$/);
  });

  test.each([
    { title: '' },
    { title: ' ' },
    { title: 'x'.repeat(61) },
    { title: 'A', description: 'x'.repeat(151) },
    { title: 'A', resourceGroupId: 'lab' },
    { title: 'A', item: { type: 'kernel', id: 'ada/bert' } },
    { title: 'A', item: { type: 'model', id: 'ada/bert', note: 'x'.repeat(501) } },
    { title: 'a\u0000b' },
    { title: 'a\ud800' },
    { title: 'A', description: '\udc00' },
    { title: 'A', item: { type: 'model', id: '\ud800/bert' } },
  ])('is not created from %j', async (body) => {
    expect((await ask(ada(), 'POST /api/collections', body)).status).toBe(400);
  });

  test.each([{ theme: 'black' }, { position: -1 }, { position: 0.5 }, { gating: { mode: 'auto' } }, { title: '' }])(
    'is not changed by %j',
    async (body) => {
      const { slug } = await make(`Unchanged by ${JSON.stringify(body)}`);
      const before = await getCollection({ ...ada(), ...named({ slug }) });
      expect((await ask(ada(), `PATCH /api/collections/${slug}`, body)).status).toBe(400);
      expect(await getCollection({ ...ada(), ...named({ slug }) })).toEqual(before);
    },
  );

  test('is not created with an item that is not there', async () => {
    const item = { type: 'model', id: 'ada/none' };
    expect((await ask(ada(), 'POST /api/collections', { title: 'With nothing', item })).status).toBe(404);
    const created = await createCollection({
      ...ada(),
      title: 'With nothing',
      item: { type: 'model', id: 'ada/bert', note: 'Begin' },
    });
    expect(created.items).toMatchObject([{ id: 'ada/bert', note: { text: 'Begin' } }]);
  });
});

describe('the items of a collection', () => {
  test('are repositories, papers and collections with notes', async () => {
    const [collection, nested] = [await make('Everything'), await make('Inside')];
    await add(collection, 'ada/bert', 'model', 'See <b>it</b>');
    await add(collection, 'ADA/Letters', 'dataset');
    await add(collection, 'ada/show', 'space');
    await add(collection, 'ada/pail', 'bucket');
    await add(collection, '2401.00001', 'paper');
    await add(collection, nested.slug, 'collection');
    const { items } = await add(collection, idOf(collection), 'collection');
    expect(items).toMatchObject([
      {
        type: 'model',
        id: 'ada/bert',
        position: 0,
        note: { text: 'See <b>it</b>', html: 'See &lt;b&gt;it&lt;/b&gt;' },
        ...{ author: 'ada', likes: 0, downloads: 0, private: false, gated: false, repoType: 'model' },
      },
      { type: 'dataset', id: 'ada/letters', position: 1 },
      { type: 'space', id: 'ada/show', position: 2, sdk: 'static' },
      { type: 'bucket', id: 'ada/pail', position: 3 },
      { type: 'paper', id: '2401.00001', title: 'On letters', position: 4 },
      { type: 'collection', id: idOf(nested), slug: nested.slug, title: 'Inside', owner: { name: 'ada' }, position: 5 },
      { type: 'collection', id: idOf(collection), position: 6 },
    ]);
    expect(items[1]).not.toHaveProperty('note');
    expect(items[2]).not.toHaveProperty('downloads');
    for (const [id, type] of [
      ['ada/bert', 'model'],
      ['2401.00001', 'paper'],
      [nested.slug, 'collection'],
    ] as const)
      await expect(add(collection, id, type)).rejects.toMatchObject({ status: 409 });
    for (const [id, type] of [
      ['ada/bert', 'dataset'],
      ['bert', 'model'],
      ['2401.99999', 'paper'],
      [`ada/x-${'f'.repeat(24)}`, 'collection'],
    ] as const)
      await expect(add(collection, id, type)).rejects.toMatchObject({ status: 404 });
  });

  test('are moved, noted and removed; a move numbers all of them', async () => {
    const collection = await make('In order');
    for (const name of ['bert', 'llama', 'gpt']) await add(collection, `ada/${name}`);
    const { items } = await getCollection({ ...ada(), ...named(collection) });
    const [bert = '', llama = '', gpt = ''] = items.map(({ _id }) => _id);
    const at = { ...ada(), ...named(collection) };
    expect(await updateCollectionItem({ ...at, itemId: gpt, position: 0, note: 'First' })).toEqual({});
    expect(await shown(collection)).toEqual([
      ['ada/gpt', 0],
      ['ada/bert', 1],
      ['ada/llama', 2],
    ]);
    const changes = [
      { action: 'update' as const, _id: gpt, data: { position: 99, note: '' } },
      { action: 'update' as const, _id: llama, data: { position: 0, note: 'Now this' } },
    ];
    await updateCollectionItems({ ...at, changes });
    expect((await getCollection(at)).items.map(({ id, note }) => [id, note?.text])).toEqual([
      ['ada/llama', 'Now this'],
      ['ada/bert', undefined],
      ['ada/gpt', undefined],
    ]);
    const halves = [changes[0]!, { action: 'update' as const, _id: 'f'.repeat(24), data: { position: 0 } }];
    await expect(updateCollectionItems({ ...at, changes: halves })).rejects.toMatchObject({ status: 404 });
    await expect(updateCollectionItem({ ...at, itemId: 'f'.repeat(24) })).rejects.toMatchObject({ status: 404 });
    expect(await deleteCollectionItem({ ...at, itemId: bert })).toEqual({ success: true });
    await expect(deleteCollectionItem({ ...at, itemId: bert })).rejects.toMatchObject({ status: 404 });
    expect(await shown(collection)).toEqual([
      ['ada/llama', 0],
      ['ada/gpt', 2],
    ]);
    expect((await add(collection, 'ada/small')).items.at(-1)).toMatchObject({ id: 'ada/small', position: 3 });
  });

  test('an item of another collection is not found', async () => {
    const [one, other] = [await make('One'), await make('Other')];
    const { items } = await add(one, 'ada/bert');
    const at = { ...ada(), ...named(other), itemId: items[0]?._id ?? '' };
    await expect(updateCollectionItem({ ...at, note: 'x' })).rejects.toMatchObject({ status: 404 });
    await expect(deleteCollectionItem(at)).rejects.toMatchObject({ status: 404 });
    expect(await shown(one)).toHaveLength(1);
  });

  test('follow a repository that is moved, and drop out when it is deleted', async () => {
    const collection = await make('Living');
    for (const name of ['moved', 'deleted', 'bert']) await add(collection, `ada/${name}`);
    await moveRepo({ ...ada(), type: 'model', from: 'ada/moved', to: 'acme/there' });
    await deleteRepo({ ...ada(), type: 'model', repo: 'ada/deleted' });
    expect(await shown(collection)).toEqual([
      ['acme/there', 0],
      ['ada/bert', 2],
    ]);
  });

  test('are at most 1,000', async () => {
    const collection = await make('Full');
    const rows = Array.from({ length: 1000 }, (_, position) => ({
      id: `c${String(position).padStart(23, '0')}`,
      arxiv_id: `2402.${String(position).padStart(5, '0')}`,
      title: 'A paper',
      summary: '',
      created_at: 0,
    }));
    await hub.database.transaction(async (tx) => {
      for (const row of rows) {
        await tx.insertInto('papers').values(row).execute();
        const { id } = row;
        const item = { id, collection_id: idOf(collection), paper_id: id, repo_id: null, nested_id: null, note: null };
        await tx
          .insertInto('collection_items')
          .values({ ...item, position: Number(id.slice(1)) })
          .execute();
      }
    });
    await expect(add(collection, 'ada/bert')).rejects.toMatchObject({ status: 409 });
    const at = { ...ada(), ...named(collection) };
    await updateCollectionItem({ ...at, itemId: rows[999]?.id ?? '', position: 0 });
    const { items } = await getCollection(at);
    expect(items.map(({ position }) => position)).toEqual(rows.map((_, position) => position));
    expect(items[0]).toMatchObject({ id: '2402.00999' });
    await deleteCollection(at);
  });
});

describe('upvotes', () => {
  test('count once for each reader, and sort lists', async () => {
    const [old, fresh, none] = [await make('Vote old'), await make('Vote fresh'), await make('Vote none')];
    const vote = (user: string, { slug }: { slug: string }) =>
      upvoteCollection({ ...hub.as(user), ...named({ slug }) });
    expect(await vote('ada', old)).toEqual({ upvotes: 1, isUpvotedByUser: true });
    expect(await vote('bob', old)).toEqual({ upvotes: 2, isUpvotedByUser: true });
    expect(await vote('bob', old)).toEqual({ upvotes: 2, isUpvotedByUser: true });
    hub.clock.advance(7 * DAY);
    await vote('bob', fresh);
    const list = async (sort: 'upvotes' | 'trending' | 'lastModified') =>
      (await collect(listCollections({ ...ada(), q: 'VOTE', sort }))).map(({ title, upvotes }) => [title, upvotes]);
    expect(await list('upvotes')).toEqual([
      ['Vote old', 2],
      ['Vote fresh', 1],
      ['Vote none', 0],
    ]);
    expect((await list('trending')).map(([title]) => title)).toEqual(['Vote fresh', 'Vote old', 'Vote none']);
    await updateCollection({ ...ada(), ...named(none), theme: 'blue' });
    expect((await list('lastModified'))[0]).toEqual(['Vote none', 0]);
    expect(await getCollection({ ...ada(), ...named(fresh) })).toMatchObject({ upvotes: 1, isUpvotedByUser: false });

    const withdraw = (user: string) => withdrawCollectionUpvote({ ...hub.as(user), ...named(old) });
    expect(await withdraw('ada')).toEqual({ upvotes: 1, isUpvotedByUser: false });
    expect(await withdraw('ada')).toEqual({ upvotes: 1, isUpvotedByUser: false });
    expect(await withdraw('bob')).toEqual({ upvotes: 0, isUpvotedByUser: false });
    expect((await list('trending')).map(([title]) => title)).toEqual(['Vote fresh', 'Vote none', 'Vote old']);
  });
});

describe('lists of collections', () => {
  test('filter by owner, item and title, and cut items to four', async () => {
    const [one, two] = [await make('Listed one'), await make('Listed two', { namespace: 'acme' })];
    for (const name of ['small', 'bert', 'llama', 'gpt']) await add(one, `ada/${name}`);
    await add(one, '2401.00001', 'paper');
    await add(two, 'ada/small');
    await add(two, one.slug, 'collection');
    const slugs = async (query: string) => {
      const answer = await ask(ada(), `GET /api/collections?${query}`);
      const found: { slug: string }[] = JSON.parse(await answer.text());
      return found.map(({ slug }) => slug).sort();
    };
    const both = [one.slug, two.slug].sort();
    expect(await slugs('q=listed')).toEqual(both);
    expect(await slugs('q=LISTED%20two')).toEqual([two.slug]);
    expect(await slugs('q=listed&owner=ADA')).toEqual([one.slug]);
    expect(await slugs('q=listed&owner=ada&owner=acme')).toEqual(both);
    expect(await slugs('q=listed&owner=nobody')).toEqual([]);
    expect(await slugs('q=listed&item=models/ada/small')).toEqual(both);
    expect(await slugs('q=listed&item=papers/2401.00001')).toEqual([one.slug]);
    expect(await slugs(`item=collections/${one.slug}`)).toEqual([two.slug]);
    expect(await slugs(`item=papers/2401.00001&item=collections/${one.slug}&q=listed&expand=true`)).toEqual(both);
    expect(await slugs('item=datasets/squad')).toEqual([]);
    const [first] = await collect(listCollections({ ...ada(), owner: 'ada', q: 'listed' }));
    expect(first?.items.map(({ id }) => id)).toEqual(['ada/small', 'ada/bert', 'ada/llama', 'ada/gpt']);
    expect(first).not.toHaveProperty('position');
  });

  test('are read page by page, and a cursor continues no other list', async () => {
    for (let n = 0; n < 5; n += 1) await make(`Paged ${n}`, { private: n % 2 === 0 });
    const titles: string[] = [];
    let next = `${hub.url}/api/collections?q=paged&limit=2`;
    for (let pages = 0; next !== '' && pages < 9; pages += 1) {
      const answer = await ask(ada(), `GET ${next.slice(hub.url.length)}`);
      const found: { title: string }[] = JSON.parse(await answer.text());
      titles.push(...found.map(({ title }) => title));
      next = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
      if (pages === 0) {
        const cursor = new URL(next).searchParams.get('cursor');
        expect((await ask(ada(), `GET /api/collections?q=other&cursor=${cursor}`)).status).toBe(400);
      }
    }
    expect(titles).toEqual(['Paged 4', 'Paged 3', 'Paged 2', 'Paged 1', 'Paged 0']);
  });

  test.each([
    'limit=0',
    'limit=10001',
    'sort=name',
    'cursor=x',
    'item=kernels/a/b',
    'item=ada',
    `q=${'x'.repeat(201)}`,
  ])('refuse %s', async (query) => {
    expect((await ask(ada(), `GET /api/collections?${query}`)).status).toBe(400);
  });
});

test.each([
  'GET /api/collections/ada/a%00b',
  'GET /api/collections/%00/b',
  'GET /api/collections/a%00b',
  'GET /api/collections/ada/%ff',
  'GET /api/collections?q=%00',
  'GET /api/collections?owner=%00',
  'GET /api/collections?item=models/ada%00/bert',
  'GET /api/collections?item=papers/%00',
  'GET /api/collections?item=collections/a/%00',
  'GET /api/collections?item=collections/%00',
  'DELETE /api/collections/ada/in-order/items/%00',
  'GET /api/collections?item=collections/a/b/c/d',
  `GET /api/collections?item=models/${'x'.repeat(300)}`,
] as const)('%s is answered without an error of the hub', async (request) => {
  expect((await ask(ada(), request)).status).toBeLessThan(500);
});

test.each([{ note: 'a\u0000b' }, { note: '\ud800' }, { position: 1e300 }, { position: null }])(
  'an item is not changed by %j',
  async (body) => {
    const collection = await createCollection({
      ...ada(),
      ...{ title: `Odd ${JSON.stringify(body)}`.slice(0, 60), item: { type: 'model', id: 'ada/bert' } },
    });
    const path = `/api/collections/${collection.slug}/items/${collection.items[0]?._id}` as const;
    expect((await ask(ada(), `PATCH ${path}`, body)).status).toBe(400);
    expect((await getCollection({ ...ada(), ...named(collection) })).items).toEqual(collection.items);
  },
);
