import { createAccessToken } from '@moonbase/client/access-tokens';
import { likeRepo, listLikedRepos, listLikers, unlikeRepo } from '@moonbase/client/likes';
import {
  createRepo,
  deleteRepo,
  getRepo,
  listKernels,
  listModels,
  moveRepo,
  updateRepoSettings,
} from '@moonbase/client/repositories';
import { deleteUser } from '@moonbase/client/users';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { DAY, HOUR, MINUTE } from './clock.ts';
import { collect, person, startHub, type TestHub } from './harness.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startHub();
  await hub.apply({
    users: ['ada', 'bob', 'cleo', 'dan'].map(person),
    organizations: [{ name: 'acme', members: [{ user: 'ada', role: 'admin' }] }],
  });
});
afterAll(() => hub[Symbol.asyncDispose]());

type Type = 'model' | 'dataset' | 'space' | 'kernel';
const make = (repo: string, type: Type = 'model', user = 'ada') =>
  createRepo({ ...hub.as(user), type, repo, ...(type === 'space' && { sdk: 'gradio' as const }) });
const like = (repo: string, user: string, type: Type = 'model') => likeRepo({ ...hub.as(user), type, repo });
const unlike = (repo: string, user: string, type: Type = 'model') => unlikeRepo({ ...hub.as(user), type, repo });
const likers = async (repo: string, user = 'ada') =>
  (await collect(listLikers({ ...hub.as(user), type: 'model', repo }))).map((entry) => entry.user);
const liked = async (username: string, viewer = 'ada') =>
  (await collect(listLikedRepos({ ...hub.as(viewer), username }))).map(({ repo }) => repo.name);
const shown = async (repo: string) => {
  const info = await getRepo({ ...hub.as('ada'), type: 'model', repo, expand: ['likes', 'trendingScore'] });
  if (!('trendingScore' in info)) throw new Error('no model');
  return [info.likes, info.trendingScore];
};
const hide = (repo: string) =>
  updateRepoSettings({ ...hub.as('ada'), type: 'model', repo, settings: { private: true } });

describe('a like', () => {
  test('counts once, at once, until it is taken back', async () => {
    await make('ada/once');
    for (const user of ['bob', 'bob', 'cleo']) expect(await like('ada/once', user)).toEqual({});
    expect(await shown('ada/once')).toEqual([2, 6]);
    expect(await likers('ada/once')).toEqual(['cleo', 'bob']);
    for (const user of ['bob', 'bob', 'dan']) expect(await unlike('ada/once', user)).toEqual({});
    expect(await shown('ada/once')).toEqual([1, 3]);
    expect(await likers('ada/once')).toEqual(['cleo']);
  });

  test('is counted when many like a repository at the same time', async () => {
    await make('ada/rush');
    const users = ['ada', 'bob', 'cleo', 'dan'];
    await Promise.all([...users, ...users].map((user) => like('ada/rush', user)));
    await Promise.all(['bob', 'bob', 'dan'].map((user) => unlike('ada/rush', user)));
    expect(await shown('ada/rush')).toEqual([2, 6]);
    expect((await likers('ada/rush')).toSorted()).toEqual(['ada', 'cleo']);
  });

  test('shows who gave it, and kernels say whether the caller did', async () => {
    await make('ada/fast', 'kernel');
    await like('ada/fast', 'bob', 'kernel');
    const [entry] = await collect(listLikers({ ...hub.as('ada'), type: 'kernel', repo: 'ada/fast' }));
    expect(entry).toEqual({
      ...{ _id: expect.any(String), user: 'bob', fullname: expect.any(String), isPro: false, type: 'user' },
      avatarUrl: expect.stringContaining('/avatars/'),
    });
    for (const user of ['bob', 'ada']) {
      const fact = { isLikedByUser: user === 'bob', likes: 1 };
      expect(await getRepo({ ...hub.as(user), type: 'kernel', repo: 'ada/fast' })).toMatchObject(fact);
      expect(await collect(listKernels(hub.as(user)))).toMatchObject([fact]);
    }
  });

  test('needs a token that writes, and a repository that the caller may read', async () => {
    await make('acme/closed');
    await hide('acme/closed');
    const { token } = await createAccessToken({ ...hub.as('ada'), displayName: 'read only', role: 'read' });
    const statusOf = async (user: string, request: Parameters<typeof ask>[1]) => {
      const answer = await ask(user === 'reading' ? hub.with(token) : hub.as(user), request);
      return [answer.status, answer.headers.get('x-error-code')];
    };
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await statusOf('reading', `${method} /api/models/acme/closed/like`))[0]).toBe(403);
      for (const name of ['acme/closed', 'acme/none', 'nobody/none', 'none'])
        expect(await statusOf('bob', `${method} /api/models/${name}/like`)).toEqual([404, 'RepoNotFound']);
      expect((await statusOf('ada', `${method} /api/models/acme/closed/like`))[0]).toBe(200);
    }
    expect(await statusOf('bob', 'GET /api/models/acme/closed/likers')).toEqual([404, 'RepoNotFound']);
    expect((await statusOf('reading', 'GET /api/models/acme/closed/likers'))[0]).toBe(200);
    expect((await ask({ hubUrl: hub.url }, 'POST /api/models/acme/closed/like')).status).toBe(401);
  });

  test('follows its repository to a new name', async () => {
    await make('ada/before');
    await like('ada/before', 'bob');
    await moveRepo({ ...hub.as('ada'), type: 'model', from: 'ada/before', to: 'acme/after' });
    await like('ada/before', 'cleo');
    await unlike('ada/before', 'bob');
    expect(await likers('acme/after')).toEqual(['cleo']);
    expect(await shown('acme/after')).toEqual([1, 3]);
  });
});

describe('the likes of a user', () => {
  test('are public repositories only, the latest like first, in pages', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `ada/page-${at}`);
    for (const name of names) {
      await make(name);
      hub.clock.advance(MINUTE);
      await like(name, 'dan');
    }
    const newest = names.toReversed();
    expect(await liked('dan')).toEqual(newest);
    const first = await ask(hub.as('bob'), 'GET /api/users/dan/likes?limit=10');
    expect(await first.json()).toHaveLength(10);
    const next = /<(.*)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(await (await ask(hub.as('bob'), `GET ${next.slice(hub.url.length)}`)).json()).toEqual([
      { createdAt: expect.any(String), repo: { name: 'ada/page-1', type: 'model' } },
      { createdAt: expect.any(String), repo: { name: 'ada/page-0', type: 'model' } },
    ]);
    await hide('ada/page-5');
    for (const viewer of ['ada', 'bob', 'dan']) expect(await liked('dan', viewer)).not.toContain('ada/page-5');
    await updateRepoSettings({ ...hub.as('ada'), type: 'model', repo: 'ada/page-5', settings: { private: false } });
    expect(await liked('dan')).toEqual(newest);
    await deleteRepo({ ...hub.as('ada'), type: 'model', repo: 'ada/page-5' });
    expect(await liked('dan')).toEqual(newest.filter((name) => name !== 'ada/page-5'));
  });

  test('are not told of an unknown user, an organization, or with a wrong cursor', async () => {
    for (const name of ['nobody', 'acme'])
      expect((await ask(hub.as('bob'), `GET /api/users/${name}/likes`)).status).toBe(404);
    expect((await ask(hub.as('bob'), 'GET /api/users/bob/likes?cursor=x')).status).toBe(400);
  });

  test('leave the counts with the user', async () => {
    await hub.apply({ users: [person('erin'), person('fred')] });
    await make('ada/left');
    await make('erin/own', 'model', 'erin');
    for (const user of ['erin', 'fred', 'bob']) await like('ada/left', user);
    await like('erin/own', 'erin');
    await like('erin/own', 'fred');
    await deleteUser({ ...hub.as('erin'), username: 'erin' });
    expect((await shown('ada/left'))[0]).toBe(2);
    await hub.apply({ users: [{ name: 'fred', state: 'absent' }] });
    expect((await shown('ada/left'))[0]).toBe(1);
    expect(await likers('ada/left')).toEqual(['bob']);
    hub.clock.advance(2 * HOUR);
    await hub.drain();
    expect(await shown('ada/left')).toEqual([1, 3]);
  });
});

test('lists are sorted by likes, and a like counts for a week, each day less', async () => {
  await using other = await startHub();
  await other.people('ada', 'bob');
  for (const repo of ['ada/first', 'ada/second']) await createRepo({ ...other.as('ada'), repo });
  const list = async (sort: 'likes' | 'trendingScore') =>
    (await collect(listModels({ ...other.as('ada'), sort }))).map((item) => {
      if (!('trendingScore' in item)) throw new Error('no model');
      return [item.id, item.likes, item.trendingScore];
    });
  const pass = async (ms: number) => {
    other.clock.advance(ms);
    await other.drain();
  };
  for (const user of ['ada', 'bob']) await likeRepo({ ...other.as(user), type: 'model', repo: 'ada/first' });
  const first = (likes: number, score: number) => ['ada/first', likes, score];
  const second = (likes: number, score: number) => ['ada/second', likes, score];
  expect(await list('likes')).toEqual([first(2, 6), second(0, 0)]);
  await pass(3 * DAY);
  await likeRepo({ ...other.as('bob'), type: 'model', repo: 'ada/second' });
  expect(await list('trendingScore')).toEqual([first(2, 3.072), second(1, 3)]);
  // The like of three days ago goes with what it still counts for.
  await unlikeRepo({ ...other.as('bob'), type: 'model', repo: 'ada/first' });
  expect(await list('trendingScore')).toEqual([second(1, 3), first(1, 1.536)]);
  await pass(4 * DAY);
  expect(await list('likes')).toEqual([second(1, 1.229), first(1, 0)]);
  await pass(4 * DAY);
  expect((await list('trendingScore')).map(([, , score]) => score)).toEqual([0, 0]);
});
