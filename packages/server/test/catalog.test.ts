import { applyHub } from '@moonbase/client/admin';
import { createRepo, listModels, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from './clock.ts';
import { contentHub, jsonOf } from './content-hub.ts';
import { collect, person } from './harness.ts';

type At = Awaited<ReturnType<typeof contentHub>>;
interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}

let at: At;
beforeAll(async () => {
  at = await contentHub();
  await applyHub({
    ...at.hub.admin,
    document: {
      users: ['rita', 'zoe', 'lara'].map(person),
      organizations: [
        {
          name: 'acme',
          members: [
            { user: 'ada', role: 'admin' },
            { user: 'rita', role: 'read' },
            { user: 'lara', role: 'no_access' },
          ],
        },
      ],
    },
  });
  const readme = (...lines: string[]) => ({ 'README.md': `---\n${lines.join('\n')}\n---\n# A repository\n` });
  const make = async (repo: string, files: Record<string, string>, type: 'model' | 'dataset' | 'space' = 'model') => {
    at.hub.clock.advance(MINUTE);
    await createRepo({ ...at.hub.as('ada'), type, repo, ...(type === 'space' && { sdk: 'gradio' }) });
    await at.commit({ files }, { repo: `${type}s/${repo}` });
  };
  await make('ada/Llama-2_chat', {
    ...readme('license: mit', 'language: fr', 'tags: [Chat]', 'pipeline_tag: text-generation'),
    'config.json': JSON.stringify({ model_type: 'llama' }),
  });
  await make('acme/bert.base', { ...readme('license: mit', 'language: [fr, en]', 'pipeline_tag: fill-mask') });
  await make('acme/hidden-llama', { ...readme('license: mit', 'tags: [chat]') });
  await updateRepoSettings({
    ...at.hub.as('ada'),
    type: 'model',
    repo: 'acme/hidden-llama',
    settings: { private: true },
  });
  await make('ada/letters', readme('task_categories: [text-classification]', 'license: mit'), 'dataset');
  await make('ada/show', readme('sdk: gradio', 'models: [ada/Llama-2_chat]', 'datasets: [ada/letters]'), 'space');
  await createRepo({ ...at.hub.as('ada'), type: 'kernel', repo: 'ada/fast' });
  await updateRepoSettings({
    ...at.hub.as('ada'),
    type: 'model',
    repo: 'acme/bert.base',
    settings: { gated: 'manual' },
  });
  await at.hub.drain();
});
afterAll(() => at[Symbol.asyncDispose]());

const get = async (query: string, user = 'ada', type = 'models') => at.ask(`/api/${type}?${query}`, {}, user);
const items = async (query: string, user = 'ada', type = 'models') => {
  const answer = await get(query, user, type);
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  return jsonOf<Item[]>(answer);
};
const ids = async (query: string, user = 'ada', type = 'models') =>
  (await items(query, user, type)).map(({ id }) => id);
const statusOf = async (query: string, type = 'models') => (await get(query, 'ada', type)).status;

const HIDDEN = 'acme/hidden-llama';
const BERT = 'acme/bert.base';
const LLAMA = 'ada/Llama-2_chat';
const TINY = 'ada/m';

describe('a list of models', () => {
  test('has all that the caller may read and nothing else, with the fields that clients show', async () => {
    expect(await ids('sort=createdAt')).toEqual([HIDDEN, BERT, LLAMA, TINY]);
    expect(await ids('sort=createdAt', 'rita')).toEqual([HIDDEN, BERT, LLAMA, TINY]);
    for (const user of ['zoe', 'lara', 'bob']) expect(await ids('sort=createdAt', user)).toEqual([BERT, LLAMA, TINY]);
    expect((await items('search=bert'))[0]).toEqual({
      ...{ _id: expect.any(String), id: BERT, modelId: BERT, author: 'acme', private: false, gated: 'manual' },
      ...{ createdAt: expect.any(String), lastModified: expect.any(String), disabled: false },
      ...{ downloads: 0, likes: 0, trendingScore: 0, pipeline_tag: 'fill-mask' },
      tags: expect.arrayContaining(['license:mit', 'fr', 'en', 'fill-mask']),
    });
    expect((await at.ask('/api/models', { headers: { authorization: 'Bearer hf_wrong' } })).status).toBe(401);
  });

  test('is searched by parts of the full name, all of which must be there', async () => {
    expect(await ids('search=LLAMA&sort=createdAt')).toEqual([HIDDEN, LLAMA]);
    expect(await ids('search=llama_2-chat')).toEqual([LLAMA]);
    expect(await ids('search=ada%20llama')).toEqual([LLAMA]);
    expect(await ids('search=llama&search=acme')).toEqual([HIDDEN]);
    expect(await ids('search=acme/bert')).toEqual([BERT]);
    for (const nothing of ['search=%25', 'search=absent', 'search=_%25_']) expect(await ids(nothing)).toEqual([]);
    expect(await ids('search=llama', 'zoe')).toEqual([LLAMA]);
  });

  test('is filtered by tags, author, access, pipeline and size', async () => {
    expect(await ids('filter=license:MIT&filter=fr&sort=createdAt')).toEqual([BERT, LLAMA]);
    expect(await ids('filter=chat,license:mit&sort=createdAt')).toEqual([HIDDEN, LLAMA]);
    expect(await ids('filter=chat', 'zoe')).toEqual([LLAMA]);
    expect(await ids('filter=absent')).toEqual([]);
    expect(await ids('author=ACME&sort=createdAt')).toEqual([HIDDEN, BERT]);
    expect(await ids('author=acme', 'zoe')).toEqual([BERT]);
    expect(await ids('author=nobody')).toEqual([]);
    expect(await ids('gated=true')).toEqual([BERT]);
    expect(await ids('gated=manual')).toEqual([BERT]);
    expect(await ids('gated=auto')).toEqual([]);
    expect(await ids('gated=False&author=ada&sort=createdAt')).toEqual([LLAMA, TINY]);
    expect(await ids('pipeline_tag=fill-mask')).toEqual([BERT]);
    expect(await ids('num_parameters=min:1')).toEqual([]);
    expect(await ids('inference=warm')).toEqual([]);
  });

  test('has pages that lead through all of it, in both directions, and a cursor that belongs to its list', async () => {
    const all = await ids('sort=createdAt');
    for (const [direction, order] of [
      ['-1', all],
      ['1', all.toReversed()],
    ] as const) {
      const found: string[] = [];
      let next: string | undefined = `/api/models?sort=createdAt&direction=${direction}&limit=1`;
      while (next !== undefined) {
        const answer: Response = await at.ask(next);
        found.push(...(await jsonOf<Item[]>(answer)).map(({ id }) => id));
        const link: string | undefined = /<([^>]+)>; rel="next"/.exec(answer.headers.get('link') ?? '')?.[1];
        next = link?.slice(at.hub.url.length);
      }
      expect(found).toEqual(order);
    }
    const link = (await get('sort=createdAt&limit=1')).headers.get('link') ?? '';
    const cursor = new URL(/<([^>]+)>/.exec(link)?.[1] ?? '').searchParams.get('cursor');
    expect(await statusOf(`sort=createdAt&limit=2&cursor=${cursor}`)).toBe(200);
    expect(await statusOf(`sort=downloads&cursor=${cursor}`)).toBe(400);
    expect(await statusOf('cursor=AAAA')).toBe(400);
    const walked = await collect(listModels({ ...at.hub.as('ada'), sort: 'createdAt', pageSize: 1 }));
    expect(walked.map(({ id }) => id)).toEqual(all);
  });

  test('has more fields on request, and only the named ones with `expand`', async () => {
    const [full] = await items('search=llama-2&full=True&config=true&cardData=true');
    expect(full).toMatchObject({
      ...{ sha: expect.stringMatching(/^[0-9a-f]{40}$/), config: { model_type: 'llama' } },
      cardData: { license: 'mit' },
      siblings: expect.arrayContaining([{ rfilename: 'config.json' }]),
    });
    const [named] = await items('search=llama-2&expand=downloads&expand[]=downloadsAllTime&expand=likes,sha');
    expect(Object.keys(named ?? {}).toSorted()).toEqual(['_id', 'downloads', 'downloadsAllTime', 'id', 'likes', 'sha']);
    expect(await statusOf('expand=secrets')).toBe(400);
  });

  test('refuses what it does not know', async () => {
    const many = Array.from({ length: 30 }, (_, at) => `w${at}`);
    for (const values of [many.join(), many.join('%20')])
      expect(await statusOf(`filter=${many.join()}&search=${values}`)).toBe(400);
    for (const query of ['sort=name', 'limit=0', 'limit=x', 'num_parameters=6B', 'gated=maybe', 'direction=2'])
      expect([query, await statusOf(query)]).toEqual([query, 400]);
  });
});

test('datasets, Spaces and kernels have lists of their own', async () => {
  expect(await ids('', 'zoe', 'datasets')).toEqual(['ada/letters']);
  expect(await ids('filter=task_categories:text-classification', 'zoe', 'datasets')).toEqual(['ada/letters']);
  expect(await ids('filter=text-classification', 'zoe', 'datasets')).toEqual([]);
  expect(await items('models=ada/llama-2_chat&linked=true', 'zoe', 'spaces')).toMatchObject([
    { id: 'ada/show', sdk: 'gradio', models: [LLAMA], datasets: ['ada/letters'] },
  ]);
  expect(await ids('datasets=ada/other', 'zoe', 'spaces')).toEqual([]);
  expect(await items('', 'zoe', 'kernels')).toMatchObject([{ id: 'ada/fast', repoType: 'kernel' }]);
});

test('a list is sorted by downloads, which fade from it after thirty days', async () => {
  await using other = await contentHub();
  const { hub, ask } = other;
  await createRepo({ ...hub.as('ada'), repo: 'ada/used' });
  await other.commit({ files: { 'config.json': '{}' } }, { repo: 'models/ada/used' });
  await ask('/ada/used/resolve/main/config.json');
  const sorted = async (sort: string) =>
    (await jsonOf<Item[]>(await ask(`/api/models?sort=${sort}`))).map((item) => [item.id, item.downloads]);
  const refreshed = async (ms: number) => {
    hub.clock.advance(ms);
    await hub.drain();
  };
  // The downloads are stored first.
  await hub.drain();
  await refreshed(2 * HOUR);
  for (const sort of ['downloads', 'trendingScore'])
    expect(await sorted(sort)).toEqual([
      ['ada/used', 1],
      [TINY, 0],
    ]);
  const scored = await jsonOf<Item[]>(await ask('/api/models?search=used'));
  expect(scored[0]?.trendingScore).toBeCloseTo(Math.log(2), 2);
  await refreshed(31 * DAY);
  expect(await sorted('downloads')).toEqual([
    ['ada/used', 0],
    [TINY, 0],
  ]);
});

test('a list follows renames, new tags and deleted repositories', async () => {
  await using other = await contentHub();
  const { hub, ask, commit } = other;
  const found = async (query: string) => (await jsonOf<Item[]>(await ask(`/api/models?${query}`))).map(({ id }) => id);
  await commit({ files: { 'README.md': '---\ntags: [one, two]\n---\n' } });
  await hub.drain();
  expect(await found('filter=one')).toEqual([TINY]);
  await commit({ files: { 'README.md': '---\ntags: [two, three]\n---\n' } });
  await hub.drain();
  expect([await found('filter=one'), await found('filter=two,three')]).toEqual([[], [TINY]]);
  await moveRepo({ ...hub.as('ada'), type: 'model', from: TINY, to: 'ada/moved' });
  expect([await found('search=moved'), await found('search=ada/m&filter=two')]).toEqual([['ada/moved'], ['ada/moved']]);
  await ask('/api/repos/delete', {
    method: 'DELETE',
    body: JSON.stringify({ name: 'ada/moved' }),
    headers: { 'content-type': 'application/json' },
  });
  expect(await found('')).toEqual([]);
});
