import {
  changeDiscussionStatus,
  commentDiscussion,
  createDiscussion,
  renameDiscussion,
} from '@moonbase/client/discussions';
import {
  deleteNotifications,
  getNotificationPage,
  listNotifications,
  markNotifications,
} from '@moonbase/client/notifications';
import { createRepo, moveRepo } from '@moonbase/client/repositories';
import { REPO_TYPES } from '@moonbase/contract/primitives';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { SECOND } from './clock.ts';
import { collect } from './harness.ts';
import { type InboxHub, startInboxHub, titleOf } from './inbox-hub.ts';

/** Buckets have no discussions. */
const WITH_DISCUSSIONS = REPO_TYPES.filter((type) => type !== 'bucket');

/** Opens a discussion that mentions bob; returns its number. */
const mention = async (hub: InboxHub, repo: string, title: string, type: (typeof WITH_DISCUSSIONS)[number] = 'model') =>
  (await createDiscussion({ ...hub.as('alice'), type, repo, title, description: 'Look, @bob' })).num;

describe('an element of the list', () => {
  test('of a discussion shows the present discussion', async () => {
    await using hub = await startInboxHub('alice', 'bob', 'carol');
    const [alice, carol] = [hub.as('alice'), hub.as('carol')];
    await createRepo({ ...alice, type: 'dataset', repo: 'alice/letters' });
    const num = await mention(hub, 'alice/letters', 'A typo', 'dataset');
    const thread = { type: 'dataset', repo: 'alice/letters', num } as const;
    hub.clock.advance(SECOND);
    const { newMessage } = await commentDiscussion({ ...carol, ...thread, comment: 'Indeed' });
    await renameDiscussion({ ...alice, ...thread, title: 'Two typos' });
    const shown = async () => (await hub.inbox('bob')).notifications;
    const discussion = { num, title: 'Two typos', status: 'open', isPullRequest: false };
    const person = async (name: string) => {
      const _id = await hub.idOf(name);
      return { _id, user: name, avatar: `${hub.url}/avatars/${_id}.svg` };
    };
    const participating = [await person('carol'), await person('alice')];
    const id = expect.stringMatching(/^[0-9a-f]{24}$/);
    expect(await shown()).toEqual([
      {
        type: 'repo',
        updatedAt: '2026-01-05T12:00:01.000Z',
        read: false,
        discussionEventId: newMessage.id,
        repo: { type: 'dataset', name: 'alice/letters' },
        discussion: { ...discussion, id, participating },
      },
    ]);
    await moveRepo({ ...alice, type: 'dataset', from: 'alice/letters', to: 'alice/mail' });
    const { newStatus } = await changeDiscussionStatus({ ...alice, ...thread, repo: 'alice/mail', status: 'closed' });
    expect(await shown()).toMatchObject([
      { discussionEventId: newStatus.id, repo: { name: 'alice/mail' }, discussion: { status: 'closed' } },
    ]);
  });

  test('names the five latest writers, the last one first', async () => {
    const people = ['alice', 'bob', 'p1', 'p2', 'p3', 'p4', 'p5'];
    await using hub = await startInboxHub(...people);
    await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
    const num = await mention(hub, 'alice/letters', 'Hello');
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5', 'p2']) {
      hub.clock.advance(SECOND);
      await commentDiscussion({ ...hub.as(name), repo: 'alice/letters', type: 'model', num, comment: 'Hi' });
    }
    const [notification] = (await hub.inbox('bob')).notifications;
    const names = notification?.type === 'repo' && notification.discussion.participating.map(({ user }) => user);
    expect(names).toEqual(['p2', 'p5', 'p4', 'p3', 'p1']);
  });

  test('exists once per thread; a new activity moves it up and makes it unread', async () => {
    await using hub = await startInboxHub('alice', 'bob');
    await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
    const first = await mention(hub, 'alice/letters', 'First');
    hub.clock.advance(SECOND);
    await mention(hub, 'alice/letters', 'Second');
    expect(await hub.titles('bob')).toEqual(['Second', 'First']);
    await markNotifications({ ...hub.as('bob'), applyToAll: true });
    expect((await hub.inbox('bob')).count).toEqual({ view: 2, unread: 0, all: 2 });
    hub.clock.advance(SECOND);
    const thread = { type: 'model', repo: 'alice/letters', num: first } as const;
    await commentDiscussion({ ...hub.as('alice'), ...thread, comment: 'News' });
    const { notifications, count } = await hub.inbox('bob');
    expect(notifications.map((each) => [titleOf(each), each.read])).toEqual([
      ['First', false],
      ['Second', true],
    ]);
    expect(count).toEqual({ view: 2, unread: 1, all: 2 });
  });
});

describe('the filters', () => {
  let hub: InboxHub;
  const ids: Record<string, string> = {};
  const at = (second: number) => new Date(Date.parse('2026-01-05T12:00:00Z') + second * SECOND).toISOString();

  /**
   * Second by second, alice opens a discussion in a repository of each type, then writes on a paper, a post, an
   * article, and opens three more.
   */
  beforeAll(async () => {
    hub = await startInboxHub('alice', 'bob', 'carol');
    await hub.apply({
      papers: [{ id: '2401.00001', title: 'paper', authors: [{ name: 'Bob', user: 'bob' }] }],
      posts: [{ author: 'bob', slug: 'note', title: 'post' }],
      articles: [
        { author: 'bob', slug: 'essay', title: 'article' },
        { author: 'carol', slug: 'essay', title: 'foreign article' },
      ],
    });
    const alice = hub.as('alice');
    for (const type of WITH_DISCUSSIONS) {
      await createRepo({ ...alice, type, repo: 'alice/letters' });
      hub.clock.advance(SECOND);
      await mention(hub, 'alice/letters', type, type);
    }
    await createRepo({ ...alice, repo: 'alice/watched' });
    const rows = async (table: 'papers' | 'posts') =>
      hub.database.read.selectFrom(table).select(['id', 'title']).execute();
    for (const { id, title } of [...(await rows('papers')), ...(await rows('posts'))]) ids[title] = id;
    for (const [title, type] of Object.entries({ paper: 'paper', post: 'post', article: 'community_blog' } as const)) {
      hub.clock.advance(SECOND);
      await hub.comment('alice', { type, id: ids[title] ?? '' }, 'Nice');
    }
    await hub.watch('bob', 'repo', await hub.repoId('alice/watched'));
    for (const title of ['watched', 'written in', 'read']) {
      hub.clock.advance(SECOND);
      const thread = { type: 'model', repo: 'alice/watched' } as const;
      const { num } = await createDiscussion({ ...alice, ...thread, title, description: 'Hello' });
      if (title === 'written in') {
        await hub.drain();
        await commentDiscussion({ ...hub.as('bob'), ...thread, num, comment: 'Hello' });
      }
    }
    await hub.comment('alice', { type: 'community_blog', id: ids['foreign article'] ?? '' }, 'For @bob');
    await hub.drain();
    const { notifications } = await hub.inbox('bob');
    const readId = notifications.flatMap((each) =>
      each.type === 'repo' && titleOf(each) === 'read' ? each.discussion.id : [],
    );
    await markNotifications({ ...hub.as('bob'), discussionIds: readId });
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const newest = ['foreign article', 'read', 'written in', 'watched'];
  const mine = ['article', 'post', 'paper'];
  const ofRepos = ['kernel', 'space', 'model', 'dataset'];
  const everything = [...newest, ...mine, ...ofRepos];
  const all = expect.arrayContaining(everything);

  test.each<[string, unknown]>([
    ['', all],
    ['p=0', all],
    ['p=1', []],
    ['p=9007199254740991', []],
    ['readStatus=all', all],
    ['readStatus=unread', everything.filter((title) => title !== 'read')],
    ...REPO_TYPES.map((type): [string, string[]] => [
      `repoType=${type}`,
      type === 'model' ? ['read', 'written in', 'watched', 'model'] : type === 'bucket' ? [] : [type],
    ]),
    ['repoName=alice/letters', ofRepos],
    ['repoName=ALICE/Letters', ofRepos],
    ['repoName=alice%2Fwatched', ['read', 'written in', 'watched']],
    ['repoName=alice/letters&repoType=space', ['space']],
    ['repoName=alice/watched&readStatus=unread', ['written in', 'watched']],
    ['repoName=alice/watched&mention=participating', ['written in']],
    ['repoName=alice', []],
    ['repoName=', []],
    ['repoName=alice/letters/more', []],
    ['repoName=nobody/nothing', []],
    ['postAuthor=bob', ['post']],
    ['postAuthor=BOB', ['post']],
    ['postAuthor=alice', []],
    ['postAuthor=nobody', []],
    ['postAuthor=', []],
    ['paperId=2401.00001', ['paper']],
    ['paperId=arXiv:2401.00001', ['paper']],
    ['paperId=ARXIV:2401.00001v12', ['paper']],
    ['paperId=2401.00001v2', ['paper']],
    ['paperId=2401.00001v', []],
    ['paperId=2401.00001v0', []],
    ['paperId=§paper', ['paper']],
    ['paperId=2401.00002', []],
    ['paperId=', []],
    ['articleId=§article', ['article']],
    ['articleId=essay', ['foreign article', 'article']],
    ['articleId=§post', []],
    ['articleId=note', []],
    ['mention=all', all],
    ['mention=participating', ['foreign article', 'written in', ...mine, ...ofRepos]],
    ['mention=mentions', ['foreign article', ...ofRepos]],
    ['mention=mentions&repoType=space', ['space']],
    ['mention=mentions&readStatus=unread&repoName=alice/letters&repoType=space', ['space']],
    [`lastUpdate=${at(3)}`, ['space', 'model', 'dataset']],
    ['lastUpdate=2026-01-05T12:00:03Z', ['space', 'model', 'dataset']],
    ['lastUpdate=2026-01-05T12:00:02.999Z', ['model', 'dataset']],
    ['lastUpdate=2026-01-05T12:00:03.000001Z', ['space', 'model', 'dataset']],
    ['lastUpdate=2025-12-31T23:59:59Z', []],
    ['lastUpdate=2027-01-01T00:00:00Z', all],
    [`lastUpdate=${at(3)}&repoType=space`, ['space']],
    ['paperId=2401.00001&repoType=model', []],
    ['paperId=2401.00001&articleId=essay', []],
    ['postAuthor=bob&repoName=alice/letters', []],
    ['postAuthor=bob&repoType=model', []],
    ['unknown=1', all],
  ])('%s', async (query, titles) => {
    const path = query.replace(/§(\w+)/, (_, title: string) => ids[title] ?? '');
    const answer = await ask(hub.as('bob'), `GET /api/notifications?${path}`);
    const page = (await answer.json()) as Awaited<ReturnType<typeof getNotificationPage>>;
    const shown = page.notifications.map(titleOf);
    expect(answer.status).toBe(200);
    if (Array.isArray(titles)) expect(shown.toSorted()).toEqual((titles as string[]).toSorted());
    else expect(shown).toEqual(titles);
    const beyond = /^p=[^0]/.test(query) ? everything.length : shown.length;
    expect(page.count).toEqual({ view: beyond, unread: everything.length - 1, all: everything.length });
  });

  test.each([
    'p=-1',
    'p=1.5',
    'p=',
    'p=x',
    'p=1e3',
    'p=9007199254740992',
    'p=0&p=1',
    'readStatus=read',
    'readStatus=',
    'repoType=models',
    'repoType=',
    'mention=me',
    'mention=',
    'lastUpdate=',
    'lastUpdate=2026-01-05',
    'lastUpdate=2026-01-05T12:00Z',
    'lastUpdate=2026-01-05T12:00:00',
    'lastUpdate=2026-01-05T12:00:00%2B01:00',
    'lastUpdate=2026-01-05T12:00:00%2B00:00',
    'lastUpdate=2026-02-30T12:00:00Z',
    'lastUpdate=1767614400000',
    'repoName=a&repoName=b',
  ])('400 for %s', async (query) => {
    for (const request of [
      'GET /api/notifications',
      'DELETE /api/notifications',
      'POST /api/notifications/mark-as-read',
    ] as const)
      expect((await ask(hub.as('bob'), `${request}?${query}`)).status).toBe(400);
    expect((await hub.inbox('bob')).count).toMatchObject({ all: everything.length, unread: everything.length - 1 });
  });

  test('users have separate lists', async () => {
    expect(await hub.titles('alice')).toEqual(['written in']);
    expect((await hub.inbox('alice')).count).toEqual({ view: 1, unread: 1, all: 1 });
    expect(await hub.titles('carol')).toEqual(['foreign article']);
  });
});

describe('pages', () => {
  test('have 25 elements from `start` on, and the client iterates over all pages', async () => {
    await using hub = await startInboxHub('alice', 'bob');
    await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
    const titles = Array.from({ length: 51 }, (_, at) => `Title ${at}`);
    for (const title of titles) {
      hub.clock.advance(1);
      await mention(hub, 'alice/letters', title);
    }
    await hub.drain();
    const bob = hub.as('bob');
    const pages = await Promise.all([0, 1, 2, 3].map((page) => getNotificationPage({ ...bob, page })));
    expect(pages.map(({ start, notifications }) => [start, notifications.length])).toEqual([
      [0, 25],
      [25, 25],
      [50, 1],
      [75, 0],
    ]);
    expect((await collect(listNotifications(bob))).map(titleOf)).toEqual(titles.toReversed());
    const last = await ask(bob, 'GET /api/notifications?p=9007199254740991');
    expect(await last.json()).toMatchObject({ notifications: [], count: { view: 51 }, start: 9007199254740991 * 25 });
  });

  test('list notifications of the same time in the order of their ids', async () => {
    await using hub = await startInboxHub('alice', 'bob');
    await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
    for (const title of ['one', 'two', 'three']) await mention(hub, 'alice/letters', title);
    expect(await hub.titles('bob')).toEqual(['one', 'two', 'three']);
  });
});

describe('the entity tag', () => {
  test('gets a 304 until something in the list changes', async () => {
    await using hub = await startInboxHub('alice', 'bob');
    const bob = hub.as('bob');
    await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
    const num = await mention(hub, 'alice/letters', 'Hello');
    await hub.drain();
    const get = (headers = {}, path = '') => ask(bob, `GET /api/notifications${path}`, undefined, headers);
    const etag = (await get()).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w-]{27}"$/);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const answer = await get({ 'if-none-match': known });
      expect([answer.status, await answer.text(), answer.headers.get('etag')]).toEqual([304, '', etag]);
    }
    for (const known of ['"x"', etag.slice(1, -1), ''])
      expect((await get({ 'if-none-match': known })).status).toBe(200);
    expect((await get({ 'if-none-match': etag }, '?mention=participating')).status).toBe(304);
    expect((await get({ 'if-none-match': etag }, '?p=1')).status).toBe(200);
    await renameDiscussion({ ...hub.as('alice'), type: 'model', repo: 'alice/letters', num, title: 'Renamed' });
    await hub.drain();
    expect((await get({ 'if-none-match': etag })).status).toBe(200);
  });
});

describe('tokens', () => {
  test('need a permission to read and another one to change', async () => {
    await using hub = await startInboxHub('alice', 'bob');
    const token = (name: string, role: 'read' | 'fineGrained', global: string[] = []) => ({
      name,
      role,
      token: `hf_tokenFor${name}00`,
      ...(role === 'fineGrained' && { scopes: { global, scoped: [] } }),
    });
    await hub.apply({
      users: [
        {
          name: 'bob',
          tokens: [
            token('reader', 'read'),
            token('none', 'fineGrained'),
            token('looks', 'fineGrained', ['user.notifications.read']),
            token('works', 'fineGrained', ['user.notifications.write']),
          ],
        },
      ],
    });
    const statuses = async (name: string) => {
      const bob = hub.with(`hf_tokenFor${name}00`);
      return [
        (await ask(bob, 'GET /api/notifications')).status,
        (await ask(bob, 'DELETE /api/notifications', {})).status,
        (await ask(bob, 'POST /api/notifications/mark-as-read', {})).status,
      ];
    };
    expect(await statuses('reader')).toEqual([200, 403, 403]);
    expect(await statuses('none')).toEqual([403, 403, 403]);
    expect(await statuses('looks')).toEqual([200, 403, 403]);
    expect(await statuses('works')).toEqual([200, 200, 200]);
  });

  test('that reach less than their user list, count and change only what they reach', async () => {
    await using hub = await startInboxHub('alice', 'bob');
    const alice = hub.as('alice');
    await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'read' }] }] });
    for (const repo of ['acme/open', 'acme/secret', 'acme/shared'])
      await createRepo({ ...alice, repo, visibility: repo === 'acme/open' ? 'public' : 'private' });
    for (const repo of ['acme/open', 'acme/secret', 'acme/shared']) await mention(hub, repo, repo);
    const shared = { type: 'model', _id: await hub.repoId('acme/shared') } as never;
    await hub.apply({
      users: [
        {
          name: 'bob',
          tokens: [
            {
              name: 'narrow',
              role: 'fineGrained',
              token: 'hf_narrowToken00',
              scopes: {
                global: ['user.notifications.write'],
                scoped: [{ entity: shared, permissions: ['repo.content.read'] }],
              },
            },
          ],
        },
      ],
    });
    await hub.drain();
    const narrow = hub.with('hf_narrowToken00');
    const page = await getNotificationPage(narrow);
    expect(page.notifications.map(titleOf)).toEqual(['acme/open', 'acme/shared']);
    expect(page.count).toEqual({ view: 2, unread: 2, all: 2 });
    expect(await markNotifications({ ...narrow, applyToAll: true })).toEqual({ success: true, count: 2 });
    expect(await deleteNotifications({ ...narrow, applyToAll: true })).toEqual({ success: true, count: 2 });
    expect(await hub.titles('bob')).toEqual(['acme/secret']);
    expect((await hub.inbox('bob')).count).toEqual({ view: 1, unread: 1, all: 1 });
    await hub.verifyCounters();
  });
});
