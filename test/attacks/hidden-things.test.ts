import { createAccessToken } from '@moonbase/client/access-tokens';
import { createCollection, upvoteCollection } from '@moonbase/client/collections';
import { createDiscussion } from '@moonbase/client/discussions';
import { likeRepo } from '@moonbase/client/likes';
import { updateOrganization } from '@moonbase/client/organizations';
import { deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import {
  createResourceGroup,
  setCollectionResourceGroup,
  setRepoResourceGroup,
} from '@moonbase/client/resource-groups';
import { setSpaceVolumes } from '@moonbase/client/spaces';
import { updateWatched } from '@moonbase/client/watching';
import { createWebhook, listWebhooks } from '@moonbase/client/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Asked } from '../../packages/server/test/ask.ts';
import { HOUR } from '../../packages/server/test/clock.ts';
import { person, startHub, type TestHub } from '../../packages/server/test/harness.ts';

/**
 * An attacker compares what the hub says before and after things appear that the attacker may not read: as a stranger, as a user of
 * no organization, as a member who is not in the group, and with a narrow token of an admin. Nothing may differ.
 */

const card = (...lines: string[]) => ({ 'README.md': `---\n${lines.join('\n')}\n---\nText\n` });
const PUBLIC = [
  { type: 'model' as const, name: 'acme/open', files: card('license: mit', 'tags: [shared]') },
  { type: 'model' as const, name: 'acme/was-open', files: card('license: mit', 'tags: [shared]') },
  { type: 'model' as const, name: 'acme/was-there', files: card('license: mit', 'tags: [shared]') },
  { type: 'model' as const, name: 'acme/kept', files: card('license: mit', 'tags: [shared]') },
  { type: 'dataset' as const, name: 'acme/letters', files: card('license: mit', 'tags: [shared]') },
  { type: 'space' as const, name: 'acme/show', files: card('sdk: gradio', 'title: A show', 'models: [acme/open]') },
  { type: 'bucket' as const, name: 'acme/things' },
  { type: 'kernel' as const, name: 'acme/fast' },
];
const HIDDEN = [
  {
    type: 'model' as const,
    name: 'acme/secret',
    files: card('license: odd', 'tags: [shared, covert]', 'base_model: acme/open'),
  },
  { type: 'dataset' as const, name: 'acme/secret', files: card('license: odd', 'tags: [shared, covert]') },
  {
    type: 'space' as const,
    name: 'acme/secret',
    files: card('sdk: gradio', 'title: A secret show', 'models: [acme/open]'),
  },
  { type: 'bucket' as const, name: 'acme/secret' },
  { type: 'kernel' as const, name: 'acme/secret' },
].map((repo) => ({ ...repo, private: true }));

let hub: TestHub;
let callers: Readonly<Record<string, Asked>>;
let slug: string;
beforeAll(async () => {
  hub = await startHub({ MOONBASE_ANONYMOUS_READ: 'true' });
  await hub.apply({
    users: ['ada', 'bob', 'rita', 'zoe'].map(person),
    organizations: [
      {
        name: 'acme',
        plan: 'enterprise',
        members: [
          { user: 'ada', role: 'admin' },
          { user: 'bob', role: 'admin' },
          { user: 'rita', role: 'read' },
        ],
      },
    ],
    papers: [{ id: '2401.00001', title: 'A secret of whales' }],
  });
  await hub.apply({ repos: PUBLIC });
  for (const user of ['bob', 'zoe']) await likeRepo({ ...hub.as(user), type: 'model', repo: 'acme/open' });
  const item = { type: 'model' as const, id: 'acme/open' };
  ({ slug } = await createCollection({ ...hub.as('ada'), namespace: 'acme', title: 'Reading list', item }));
  await upvoteCollection({ ...hub.as('bob'), ...named(slug) });
  const open = await hub.database.read
    .selectFrom('repositories')
    .select('id')
    .where('name', '=', 'open')
    .executeTakeFirstOrThrow();
  const scoped = [{ entity: { _id: open.id, type: 'model' as const }, permissions: ['repo.content.read' as const] }];
  const { token } = await createAccessToken({
    ...{ ...hub.as('ada'), displayName: 'narrow', role: 'fineGrained' },
    fineGrained: { canReadGatedRepos: false, global: [], scoped },
  });
  callers = {
    nobody: { hubUrl: hub.url },
    zoe: hub.as('zoe'),
    rita: hub.as('rita'),
    'narrow token': hub.with(token),
  };
  await settle();
});
afterAll(() => hub[Symbol.asyncDispose]());

function named(full: string) {
  const [namespace = '', rest = ''] = full.split('/');
  return { namespace, slug: rest };
}

/** Lets everything that follows from changes happen. */
async function settle(): Promise<void> {
  hub.clock.advance(2 * HOUR);
  await hub.drain();
}

const SORTS = ['lastModified', 'trendingScore'];
const requests = (): string[] => [
  ...['models', 'datasets', 'spaces', 'kernels'].flatMap((type) => [
    ...SORTS.map((sort) => `/api/${type}?sort=${sort}&limit=1`),
    ...['search=secret', 'search=acme', 'author=acme', 'filter=covert', 'filter=shared', 'filter=license:odd'].map(
      (query) => `/api/${type}?${query}`,
    ),
  ]),
  ...['model:acme/open', 'base_model:acme/open'].map((tag) => `/api/models?filter=${tag}`),
  '/api/spaces?models=acme/open',
  '/api/models?expand=usedStorage&expand=spaces&expand=childrenModelCount&expand=baseModels&expand=resourceGroup',
  '/api/models/acme/open?expand=spaces&expand=childrenModelCount&expand=baseModels&expand=resourceGroup&expand=usedStorage',
  ...['/api/models/acme/open', '/api/datasets/acme/letters', '/api/spaces/acme/show', '/api/spaces/acme/show/runtime'],
  ...['/api/models-tags-by-type', '/api/datasets-tags-by-type'],
  ...['secret', 'acme', 's'].flatMap((q) => [
    `/api/quicksearch?q=${q}`,
    `/api/quicksearch?q=${q}&namespace=acme&limit=1`,
    `/api/quicksearch?q=${q}&exclude=acme/open`,
    `/api/spaces/semantic-search?q=${q}`,
  ]),
  ...['/api/trending', '/api/trending?type=space&limit=1'],
  ...['/api/buckets/acme', '/api/buckets/acme?search=secret', '/api/buckets/acme/things'],
  ...['/api/users/bob/likes', '/api/users/bob/overview', '/api/users/ada/overview', '/api/organizations/acme/overview'],
  ...['/api/organizations/acme/followers', '/api/users/bob/followers', '/api/users/bob/following'],
  ...['/api/models/acme/open/likers', '/api/models/acme/open/discussions'],
  ...['trending', 'lastModified', 'upvotes'].map((sort) => `/api/collections?sort=${sort}`),
  ...['q=secret', 'q=plan', 'owner=acme', 'item=models/acme/open', 'item=models/acme/secret'].map(
    (query) => `/api/collections?${query}`,
  ),
  ...[`/api/collections/${slug}`, '/api/collections/acme/secret-plan', '/api/collections?limit=1'],
  ...['/api/daily_papers', '/api/papers/2401.00001', '/api/papers/search?q=secret'],
  ...[
    '/api/organizations/acme/settings/repositories',
    '/api/settings/repositories',
    '/api/organizations/acme/resource-groups',
  ],
  ...['', '/refs', '/tree/main', '/commits/main', '/likers', '/discussions', '/auth-check', '/resource-group'].flatMap(
    (rest) => [`/api/models/acme/secret${rest}`, `/api/spaces/acme/secret${rest}`, `/api/buckets/acme/secret${rest}`],
  ),
  ...[
    '/acme/secret/resolve/main/README.md',
    '/acme/secret.git/info/refs?service=git-upload-pack',
    '/buckets/acme/secret/resolve/x',
  ],
];

/** Returns what the hub says to a caller: status, body and headers. */
async function said({ hubUrl, accessToken }: Asked, request: string, body?: unknown) {
  const [method = '', path = ''] = request.split(' ');
  const answer = await fetch(hubUrl + path, {
    ...{ method, redirect: 'manual' },
    headers: {
      ...(accessToken && { authorization: `Bearer ${accessToken}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !['date', 'x-request-id', 'content-length'].includes(name)),
  );
  return { request, status: answer.status, headers, body: await answer.text() };
}

const everything = async () => {
  const all: Record<string, unknown> = {};
  for (const [who, caller] of Object.entries(callers))
    for (const path of requests()) all[`${who} GET ${path}`] = await said(caller, `GET ${path}`);
  return all;
};

/** Makes what the callers may not read, with everything that could show it elsewhere. */
async function hide(): Promise<void> {
  const lab = await createResourceGroup({ ...hub.as('ada'), organization: 'acme', name: 'lab' });
  await hub.apply({ repos: HIDDEN });
  for (const { type, name } of HIDDEN) {
    await setRepoResourceGroup({ ...hub.as('ada'), type, repo: name, resourceGroupId: lab.id });
    for (const user of ['ada', 'bob']) await likeRepo({ ...hub.as(user), type, repo: name });
    if (type === 'model' || type === 'dataset' || type === 'space')
      await createDiscussion({ ...hub.as('bob'), type, repo: name, title: 'A secret', description: '@zoe @rita' });
  }
  const repo = await hub.database.read
    .selectFrom('repositories')
    .select('id')
    .where('name', '=', 'secret')
    .executeTakeFirstOrThrow();
  await updateWatched({ ...hub.as('bob'), add: [{ id: repo.id, type: 'repo' }] });
  await setSpaceVolumes({
    ...{ ...hub.as('ada'), repo: 'acme/show' },
    volumes: [{ type: 'model', source: 'acme/secret', mountPath: '/secret' }],
  });
  const item = { type: 'model' as const, id: 'acme/open' };
  const plan = await createCollection({
    ...hub.as('ada'),
    namespace: 'acme',
    title: 'Secret plan',
    private: true,
    item,
  });
  await setCollectionResourceGroup({ ...hub.as('ada'), ...named(plan.slug), resourceGroupId: lab.id });
  await upvoteCollection({ ...hub.as('bob'), ...named(plan.slug) });
}

test('nothing that a caller may read differs after things appeared that the caller may not read', async () => {
  const before = await everything();
  await hide();
  await settle();
  const after = await everything();
  const differing = Object.keys(before).filter((each) => JSON.stringify(before[each]) !== JSON.stringify(after[each]));
  expect(differing.map((each) => ({ before: before[each], after: after[each] }))).toEqual([]);
});

describe('what was public', () => {
  /** Leaves one repository to its readers, with another name, and deletes another one. */
  beforeAll(async () => {
    const zoe = hub.as('zoe');
    for (const name of ['acme/kept', 'acme/was-open', 'acme/was-there'])
      await createWebhook({
        ...zoe,
        webhook: { url: 'https://hooks.example', watched: [{ type: 'model', name }], domains: ['repo'] },
      });
    for (const name of ['acme/was-open', 'acme/was-there']) await likeRepo({ ...zoe, type: 'model', repo: name });
    const ada = { ...hub.as('ada'), type: 'model' as const };
    for (const repo of ['acme/kept', 'acme/was-open'])
      await updateRepoSettings({ ...ada, repo, settings: { private: true } });
    await setRepoResourceGroup({
      ...{ ...ada, repo: 'acme/was-open' },
      resourceGroupId: (await createResourceGroup({ ...hub.as('ada'), organization: 'acme', name: 'cellar' })).id,
    });
    await deleteRepo({ ...ada, repo: 'acme/was-there' });
  });

  /** Returns what a caller is told about the hidden repository and about the deleted one, with the same word for both names. */
  async function pairsOf(caller: Asked, name: string): Promise<[unknown, unknown][]> {
    const about = (repo: string): [string, unknown?][] => [
      ...['', '?expand=likes', '/refs', '/revision/main', '/tree/main', '/commits/main', '/likers', '/discussions'].map(
        (rest): [string] => [`GET /api/models/acme/${repo}${rest}`],
      ),
      ...['/auth-check', '/auth-check/write', '/resource-group', '/notebook/main'].map((rest): [string] => [
        `GET /api/models/acme/${repo}${rest}`,
      ]),
      [`GET /acme/${repo}/resolve/main/README.md`],
      [`HEAD /acme/${repo}/resolve/main/README.md`],
      [`GET /acme/${repo}.git/info/refs?service=git-upload-pack`],
      [`GET /api/quicksearch?q=${repo}`],
      [`GET /api/models?search=${repo}`],
      [`POST /api/models/acme/${repo}/like`, {}],
      [`DELETE /api/models/acme/${repo}/like`],
      [`PUT /api/models/acme/${repo}/settings`, { private: true }],
      [`POST /api/models/acme/${repo}/branch/dev`, {}],
      [`POST /api/models/acme/${repo}/discussions`, { title: 'Hello', description: 'there' }],
      [`POST /api/models/acme/${repo}/user-access-request`, {}],
      [`POST /api/repos/move`, { type: 'model', fromRepo: `acme/${repo}`, toRepo: 'zoe/mine' }],
      [`POST /api/collections`, { title: 'Mine', item: { type: 'model', id: `acme/${repo}` } }],
      [`DELETE /api/repos/delete`, { type: 'model', organization: 'acme', name: repo }],
      [`POST /api/models/acme/${repo}/duplicate`, { repository: 'zoe/copy' }],
    ];
    const pairs: [unknown, unknown][] = [];
    const gone = about('was-there');
    for (const [at, [request, body]] of about(name).entries()) {
      const [of, ofGone] = [
        await said(caller, request, body),
        await said(caller, gone[at]?.[0] ?? request, gone[at]?.[1]),
      ];
      const plain = (text: object) => JSON.stringify(text).replaceAll(name, 'NAME').replaceAll('was-there', 'NAME');
      pairs.push([plain(of), plain(ofGone)]);
    }
    return pairs;
  }

  test.each(['nobody', 'zoe', 'rita', 'narrow token'])(
    'is as if deleted, for %s, before and after it is renamed',
    async (who) => {
      const caller = callers[who] ?? { hubUrl: hub.url };
      for (const [of, ofGone] of await pairsOf(caller, 'was-open')) expect(of).toBe(ofGone);
      const ada = { ...hub.as('ada'), type: 'model' as const };
      await moveRepo({ ...ada, from: 'acme/was-open', to: 'acme/covert' });
      await settle();
      for (const [of, ofGone] of await pairsOf(caller, 'was-open')) expect(of).toBe(ofGone);
      for (const [of, ofGone] of await pairsOf(caller, 'covert')) expect(of).toBe(ofGone);
      await moveRepo({ ...ada, from: 'acme/covert', to: 'acme/was-open' });
    },
  );

  test('keeps the name that watchers know, also when its owner is renamed', async () => {
    await settle();
    await updateOrganization({ ...hub.as('ada'), name: 'acme', change: { name: 'corp' } });
    await settle();
    const watched = (await listWebhooks(hub.as('zoe'))).flatMap((webhook) => webhook.watched.map(({ name }) => name));
    expect(watched.sort()).toEqual(['acme/kept', 'acme/was-open', 'acme/was-there']);
  });
});
