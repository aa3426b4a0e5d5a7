import { listDatasets, listModels, listSpaces } from '@huggingface/hub';
import { uploadFiles } from '@moonbase/client/files';
import { createRepo, listModels as ownList } from '@moonbase/client/repositories';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../browser/world.ts';
import { startWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  const bob = world.as('bob');
  const make = async (type: 'model' | 'dataset' | 'space', repo: string, card: string, config = '{}') => {
    await createRepo({ ...bob, type, repo, ...(type === 'space' && { sdk: 'static' }) });
    const files = [
      { path: 'README.md', content: `---\n${card}\n---\n` },
      { path: 'config.json', content: config },
    ];
    await uploadFiles({ ...bob, type, repo, files, summary: 'Begin' });
  };
  await createRepo({ ...world.as('alice'), repo: 'alice/lists-bert' });
  const card = 'license: mit\ntags: [chat]\npipeline_tag: text-generation';
  await make('model', 'bob/lists-llama', card, JSON.stringify({ model_type: 'llama' }));
  await createRepo({ ...world.as('alice'), repo: 'acme/lists-hidden', private: true });
  await make('dataset', 'bob/lists-letters', 'task_categories: [text-classification]');
  await make('space', 'bob/lists-show', 'sdk: static\nmodels: [bob/lists-llama]');
  // The hub reads the files shortly after a commit.
  for (const path of [
    'models?filter=chat',
    'datasets?filter=task_categories:text-classification',
    'spaces?linked=true',
  ])
    await until(
      async () => (await fetch(`${world.hubUrl}/api/${path}`, { headers: { authorization: bearer } })).json(),
      (found) => JSON.stringify(found).includes(path.startsWith('spaces') ? 'bob/lists-llama' : 'bob/lists-'),
    );
});
afterAll(() => world[Symbol.asyncDispose]());

const bearer = 'Bearer hf_bobOnHisLaptop00';

test.each(['newest', 'previous', 'before-xet'] as const)(
  'huggingface_hub (%s) lists models, datasets and Spaces with every filter',
  (client) => world.python('lists', {}, client),
);

test.each(['newest', 'previous'] as const)('huggingface_hub (%s) finds tags by type and Spaces', (client) =>
  world.python('discovery', {}, client),
);

test('hf searches Spaces', async () => {
  expect(await world.hfJson('carol', 'spaces', 'search', 'a show of lists')).toMatchObject([
    { id: 'bob/lists-show', title: 'lists-show', sdk: 'static', score: 0.75 },
  ]);
});

test.each(['newest', 'previous'] as const)('huggingface_hub (%s) takes likes back and lists who likes what', (client) =>
  world.python('likes', {}, client),
);

test.each(['newest', 'previous'] as const)('huggingface_hub (%s) lists followers and reads profiles', (client) =>
  world.python('followers', {}, client),
);

test('hf lists what it is asked for', async () => {
  expect(await world.hfJson('bob', 'models', 'list', '--search', 'lists-llama')).toMatchObject([
    { id: 'bob/lists-llama' },
  ]);
  expect(await world.hfJson('bob', 'datasets', 'list', '--search', 'lists')).toMatchObject([
    { id: 'bob/lists-letters' },
  ]);
  expect(await world.hfJson('bob', 'spaces', 'list', '--author', 'bob')).toMatchObject([{ id: 'bob/lists-show' }]);
});

test('@huggingface/hub lists with fields of its own', async () => {
  const all = async <T>(found: AsyncIterable<T>) => {
    const items: T[] = [];
    for await (const item of found) items.push(item);
    return items;
  };
  const bob = world.as('bob');
  expect(await all(listModels({ ...bob, search: { query: 'lists', owner: 'bob', tags: ['chat'] } }))).toMatchObject([
    { name: 'bob/lists-llama', private: false, task: 'text-generation', downloads: 0, gated: false, likes: 0 },
  ]);
  expect(await all(listDatasets({ ...bob, search: { query: 'lists' }, additionalFields: ['author'] }))).toMatchObject([
    { name: 'bob/lists-letters', author: 'bob' },
  ]);
  expect(await all(listSpaces({ ...bob, search: { owner: 'bob' } }))).toMatchObject([
    { name: 'bob/lists-show', sdk: 'static' },
  ]);
  expect((await all(listModels({ ...bob, search: { query: 'lists' }, limit: 1 }))).length).toBe(1);
});

test('the client of the hub walks through the pages', async () => {
  const found: string[] = [];
  for await (const { id } of ownList({ ...world.as('bob'), search: ['lists'], pageSize: 1 })) found.push(id);
  expect(found.toSorted()).toEqual(['acme/lists-hidden', 'alice/lists-bert', 'bob/lists-llama']);
});
