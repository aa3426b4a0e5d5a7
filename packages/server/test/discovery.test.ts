import { applyHub } from '@moonbase/client/admin';
import { createCollection } from '@moonbase/client/collections';
import { listModelTags, listTrending, quickSearch, quickSearchByBody, searchSpaces } from '@moonbase/client/discovery';
import { deleteOrganization } from '@moonbase/client/organizations';
import { createBucket, createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { disableUser } from '@moonbase/client/users';
import type { QuickSearchResult } from '@moonbase/contract/repositories/discovery';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { MINUTE } from './clock.ts';
import { contentHub } from './content-hub.ts';
import { person } from './harness.ts';

type At = Awaited<ReturnType<typeof contentHub>>;

let at: At;
beforeAll(async () => {
  at = await contentHub();
  await applyHub({
    ...at.hub.admin,
    document: {
      users: ['rita', 'zoe', 'whaler', 'gone'].map(person),
      organizations: [
        {
          name: 'whales',
          fullname: 'Friends of Whales',
          members: [
            { user: 'ada', role: 'admin' },
            { user: 'rita', role: 'read' },
          ],
        },
        { name: 'old-whales', members: [{ user: 'ada', role: 'admin' }] },
      ],
      papers: [{ id: '2401.00001', title: 'Songs of Whales', summary: 'Long', authors: [{ name: 'ada' }] }],
    },
  });
  const readme = (...lines: string[]) => ({ 'README.md': `---\n${lines.join('\n')}\n---\n# A repository\n` });
  const make = async (repo: string, files: Record<string, string>, type: 'model' | 'dataset' | 'space' = 'model') => {
    at.hub.clock.advance(MINUTE);
    await createRepo({ ...at.hub.as('ada'), type, repo, ...(type === 'space' && { sdk: 'gradio' }) });
    await at.commit({ files }, { repo: `${type}s/${repo}` });
  };
  const hide = (repo: string, type: 'model' | 'space' = 'model') =>
    updateRepoSettings({ ...at.hub.as('ada'), type, repo, settings: { private: true } });
  await make(
    'ada/whale-song',
    readme('license: mit', 'language: fr', 'pipeline_tag: text-to-audio', 'library_name: nemo', 'tags: [Deep]'),
  );
  await make('whales/whale-hidden', readme('license: secret-license', 'tags: [hidden-tag]'));
  await hide('whales/whale-hidden');
  await make('ada/whale-data', readme('license: mit', 'language: fr', 'task_categories: [translation]'), 'dataset');
  await make(
    'ada/show',
    readme('sdk: gradio', 'title: Draw a Whale', 'emoji: 🐳', 'short_description: Makes pictures', 'tags: [art]'),
    'space',
  );
  await make('ada/plain', readme('sdk: gradio', 'title: Makes noise'), 'space');
  await make('whales/secret', readme('sdk: gradio', 'title: Draw pictures of a whale'), 'space');
  await hide('whales/secret', 'space');
  await createBucket({ ...at.hub.as('ada'), repo: 'ada/whale-bucket', private: true });
  await createCollection({ ...at.hub.as('ada'), title: 'Whale watching', private: true });
  await createCollection({ ...at.hub.as('rita'), title: 'About whales', description: 'All' });
  await at.hub.drain();
});
afterAll(() => at[Symbol.asyncDispose]());

const stranger = () => ({ hubUrl: at.hub.url, retry: false as const });
const callerOf = (user: string | undefined) => (user === undefined ? stranger() : at.hub.as(user));
const ids = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);

describe('tags by type', () => {
  test('are those of public models, in the form that clients know', async () => {
    const tags = await listModelTags(stranger());
    expect(tags).toMatchObject({
      license: [{ id: 'license:mit', label: 'mit', type: 'license', clickable: true }],
      language: [{ id: 'fr', label: 'French', type: 'language' }],
      pipeline_tag: [{ id: 'text-to-audio', label: 'text-to-audio' }],
      library: [{ id: 'nemo' }],
      other: [{ id: 'deep', label: 'deep' }],
      dataset: [],
    });
    expect(JSON.stringify(await listModelTags(at.hub.as('ada')))).not.toContain('hidden');
    expect(await listModelTags({ ...stranger(), type: 'license' })).toEqual({ license: tags.license });
    expect((await at.ask('/api/models-tags-by-type?type=nothing')).status).toBe(400);
  });

  test('of datasets have prefixes, and follow a change within a minute', async () => {
    const tags = async () => (await (await at.ask('/api/datasets-tags-by-type')).json()) as object;
    const french = [{ id: 'language:fr', label: 'French', type: 'language', clickable: true }];
    const translation = [{ id: 'task_categories:translation', label: 'translation' }];
    expect(await tags()).toMatchObject({ language: french, task_categories: translation, other: [] });
    const set = (isPrivate: boolean) =>
      updateRepoSettings({
        ...at.hub.as('ada'),
        type: 'dataset',
        repo: 'ada/whale-data',
        settings: { private: isPrivate },
      });
    await set(true);
    at.hub.clock.advance(MINUTE);
    expect(await tags()).toMatchObject({ language: [], task_categories: [] });
    await set(false);
    at.hub.clock.advance(MINUTE);
    expect(await tags()).toMatchObject({ language: french });
  });
});

describe('quick search', () => {
  const search = (q: string, user?: string, more: object = {}): Promise<QuickSearchResult> =>
    quickSearch({ ...callerOf(user), q, ...more });

  test('finds everything with a name, and what is private only for those who may read it', async () => {
    const open = {
      ...{ q: 'WHALE', models: [{ id: 'ada/whale-song', trendingWeight: 0 }], modelsCount: 1 },
      ...{ datasets: [{ id: 'ada/whale-data' }], datasetsCount: 1, spaces: [], spacesCount: 0, kernelsCount: 0 },
      ...{ buckets: [], bucketsCount: 0, papers: [{ id: '2401.00001', title: 'Songs of Whales' }], papersCount: 1 },
      users: [{ user: 'whaler' }],
    };
    for (const user of [undefined, 'zoe']) {
      const result = await search('WHALE', user);
      expect(result).toMatchObject(open);
      expect(result.orgs.map(({ name }) => name)).toEqual(['whales', 'old-whales']);
      expect(JSON.stringify(result)).not.toMatch(/hidden|secret|watching|bucket"/);
      expect(result.collections.map(({ title }) => title)).toEqual(user === undefined ? [] : ['About whales']);
    }
    const own = await search('whale', 'ada');
    expect(own).toMatchObject({ modelsCount: 2, spacesCount: 1, bucketsCount: 1, collectionsCount: 2 });
    expect(own.buckets).toMatchObject([{ id: 'ada/whale-bucket', private: true }]);
    expect(ids(own.models).toSorted()).toEqual(['ada/whale-song', 'whales/whale-hidden']);
    expect(await search('whale', 'rita')).toMatchObject({ modelsCount: 2, bucketsCount: 0, collectionsCount: 1 });
  });

  test('asks for types, names, tags and numbers, and counts beyond what it shows', async () => {
    const one = await search('whale', 'ada', { limit: 1, type: ['model', 'org'] });
    expect(one).toMatchObject({ modelsCount: 2, datasets: [], datasetsCount: 0, orgsCount: 2, users: [] });
    expect([one.models.length, one.orgs.length]).toEqual([1, 1]);
    expect(await search('friends of', 'zoe')).toMatchObject({ orgs: [{ name: 'whales' }], orgsCount: 1 });
    expect(ids((await search('', 'ada', { namespace: 'WHALES' })).models)).toEqual(['whales/whale-hidden']);
    expect(await search('whale', 'ada', { namespace: 'nobody' })).toMatchObject({ modelsCount: 0, papersCount: 0 });
    const excluded = { exclude: ['ada/Whale-Song'] };
    expect(ids((await search('whale', 'ada', excluded)).models)).toEqual(['whales/whale-hidden']);
    expect(ids((await search('', undefined, { library: ['NeMo'], lang: ['fr'] })).models)).toEqual(['ada/whale-song']);
    expect(await search('wh', 'zoe')).toMatchObject({ modelsCount: 1, orgsCount: 2, usersCount: 1 });
    for (const query of ['limit=21', 'limit=0', 'type=nothing', `q=${'x'.repeat(251)}`])
      expect([query, (await at.ask(`/api/quicksearch?${query}`)).status]).toEqual([query, 400]);
  });

  test('finds by a body what it finds by a query', async () => {
    for (const user of [undefined, 'zoe', 'rita', 'ada'])
      for (const more of [{}, { limit: 1, type: ['model', 'org'] }, { namespace: 'WHALES' }])
        expect(await quickSearchByBody({ ...callerOf(user), q: 'WHALE', ...more })).toEqual(
          await search('WHALE', user, more),
        );
    const excluded = { q: 'whale', exclude: ['models/ada/Whale-Song', 'datasets/whales/whale-hidden'] };
    expect(ids((await quickSearchByBody({ ...at.hub.as('ada'), ...excluded })).models)).toEqual([
      'whales/whale-hidden',
    ]);
    for (const body of [{ limit: 21 }, { limit: '1' }, { type: 'nothing' }, { q: 'x'.repeat(251) }, { q: null }]) {
      const answer = await ask(at.hub.as('zoe'), 'POST /api/quicksearch', body);
      expect([body, answer.status]).toEqual([body, 400]);
    }
  });

  test('does not find disabled users and deleted organizations', async () => {
    expect(await search('gone', 'zoe')).toMatchObject({ users: [{ user: 'gone' }], usersCount: 1 });
    await disableUser({ ...at.hub.admin, username: 'gone' });
    await deleteOrganization({ ...at.hub.as('ada'), name: 'old-whales' });
    expect(await search('gone', 'zoe')).toMatchObject({ users: [], usersCount: 0 });
    expect((await search('whales', 'zoe')).orgs.map(({ name }) => name)).toEqual(['whales']);
  });
});

test('Spaces are found by the words that they say about themselves, those with most words first', async () => {
  const found = await searchSpaces({ ...stranger(), q: 'make PICTURES of a whale' });
  expect(ids(found)).toEqual(['ada/show', 'ada/plain']);
  expect(found[0]).toMatchObject({
    ...{ title: 'Draw a Whale', emoji: '🐳', sdk: 'gradio', author: 'ada', private: false, likes: 0 },
    ...{ shortDescription: 'Makes pictures', tags: expect.arrayContaining(['gradio', 'art']) },
    semanticRelevancyScore: 0.8,
  });
  expect(ids(await searchSpaces({ ...at.hub.as('rita'), q: 'pictures of' }))[0]).toBe('whales/secret');
  expect(ids(await searchSpaces({ ...at.hub.as('zoe'), q: 'pictures' }))).toEqual(['ada/show']);
  expect(ids(await searchSpaces({ ...stranger(), q: 'whale', filter: ['Art'], sdk: ['gradio'] }))).toEqual([
    'ada/show',
  ]);
  expect(await searchSpaces({ ...stranger(), q: 'whale', sdk: ['docker'] })).toEqual([]);
  for (const nothing of ['%', ' ', 'absent']) expect(await searchSpaces({ ...stranger(), q: nothing })).toEqual([]);
});

test('what is liked is trending, and what is private is so only for those who may read it', async () => {
  expect(await listTrending(stranger())).toEqual({ recentlyTrending: [] });
  for (const path of ['models/ada/whale-song', 'models/whales/whale-hidden', 'spaces/ada/show'])
    expect((await at.ask(`/api/${path}/like`, { method: 'POST' }, 'rita')).status).toBe(200);
  await at.ask('/api/spaces/ada/show/like', { method: 'POST' });
  const trending = async (user: string | undefined, query: Omit<Parameters<typeof listTrending>[0], 'hubUrl'> = {}) =>
    (await listTrending({ ...callerOf(user), ...query })).recentlyTrending.map(
      ({ repoType, repoData }) => `${repoType} ${repoData.id}`,
    );
  expect(await trending(undefined)).toEqual(['space ada/show', 'model ada/whale-song']);
  expect(await trending('zoe', { limit: 1 })).toEqual(['space ada/show']);
  expect(await trending(undefined, { type: 'model' })).toEqual(['model ada/whale-song']);
  expect((await trending('rita')).toSorted()).toEqual([
    ...['model ada/whale-song', 'model whales/whale-hidden', 'space ada/show'],
  ]);
});
