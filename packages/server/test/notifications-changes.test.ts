import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { deleteNotifications, markNotifications } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { SECOND } from './clock.ts';
import { type InboxHub, startInboxHub, titleOf } from './inbox-hub.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;
const TITLES = ['one', 'two', 'three', 'four'];

let hub: InboxHub;
let ids: Record<string, string>;

/** Each test begins with four discussions that mention bob and carol, a second apart. */
beforeEach(async () => {
  hub = await startInboxHub('alice', 'bob', 'carol');
  await createRepo({ ...hub.as('alice'), repo: REPO.repo });
  for (const title of TITLES) {
    hub.clock.advance(SECOND);
    await createDiscussion({ ...hub.as('alice'), ...REPO, title, description: '@bob @carol' });
  }
  await hub.drain();
  const rows = await hub.database.read.selectFrom('discussions').select(['id', 'title']).execute();
  ids = Object.fromEntries(rows.map(({ id, title }) => [title, id]));
});
afterEach(async () => {
  await hub.verifyCounters();
  // The changes of bob affect only his inbox.
  expect((await hub.inbox('carol')).count).toEqual({ view: 4, unread: 4, all: 4 });
  await hub[Symbol.asyncDispose]();
});

const idOf = (title: string) => ids[title] ?? '';
const unread = () => hub.titles('bob', { readStatus: 'unread' });
const mark = async (query: string, body: unknown = {}) => {
  const answer = await ask(hub.as('bob'), `POST /api/notifications/mark-as-read${query}`, body);
  return [answer.status, await answer.json()] as const;
};
const remove = async (query: string, body?: unknown) => {
  const answer = await ask(hub.as('bob'), `DELETE /api/notifications${query}`, body);
  return [answer.status, await answer.json()] as const;
};

describe('marking as read', () => {
  test('marks the given threads as read, and as unread again', async () => {
    const discussionIds = [idOf('one'), idOf('three')];
    expect(await mark('', { discussionIds })).toEqual([200, { success: true, count: 2 }]);
    expect(await unread()).toEqual(['four', 'two']);
    expect(await mark('', { discussionIds })).toEqual([200, { success: true, count: 0 }]);
    expect(await mark('', { discussionIds: [idOf('one')], read: false })).toEqual([200, { success: true, count: 1 }]);
    expect(await unread()).toEqual(['four', 'two', 'one']);
    expect((await hub.inbox('bob')).count).toEqual({ view: 4, unread: 3, all: 4 });
  });

  test('changes nothing without thread ids', async () => {
    for (const body of [{}, { discussionIds: [] }, undefined, ''])
      expect((await mark('', body))[1]).toMatchObject({ count: 0 });
    for (const id of ['', 'x', '0'.repeat(24), idOf('one').toUpperCase(), "'", '\ud800', '\udc00x'])
      expect(await mark('', { discussionIds: [id] })).toEqual([200, { success: true, count: 0 }]);
    expect(await unread()).toHaveLength(4);
  });

  test('changes all matching notifications, whichever ids and page are given', async () => {
    expect(await mark('?applyToAll=true&p=7', { discussionIds: [idOf('one')] })).toEqual([
      200,
      { success: true, count: 4 },
    ]);
    expect(await unread()).toEqual([]);
    expect(await mark('?applyToAll=true&readStatus=unread', { read: false })).toEqual([
      200,
      { success: true, count: 0 },
    ]);
    expect(await mark('?applyToAll=true&mention=mentions', { read: false })).toEqual([
      200,
      { success: true, count: 4 },
    ]);
    expect(await mark('?applyToAll=true&repoName=alice/other')).toEqual([200, { success: true, count: 0 }]);
  });

  test.each([
    'lastUpdate=2026-01-05T12:00:03Z',
    'repoType=space',
    'repoName=alice/other',
    'postAuthor=nobody',
    'paperId=2401.99999',
    'articleId=none',
    'mention=mentions',
    'readStatus=unread',
    'p=9',
    'applyToAll=false',
  ])('the given threads, whatever the query says: %s', async (query) => {
    const discussionIds = [idOf('one'), idOf('four')];
    expect(await mark(`?${query}`, { discussionIds })).toEqual([200, { success: true, count: 2 }]);
    expect(await unread()).toEqual(['three', 'two']);
    expect(await mark(`?${query}`, { discussionIds, read: false })).toEqual([200, { success: true, count: 2 }]);
    expect(await remove(`?${query}`, { discussionIds })).toEqual([200, { success: true, count: 2 }]);
    expect(await unread()).toEqual(['three', 'two']);
  });

  test.each([
    ['applyToAll=true', 4],
    ['applyToAll=1', 4],
    ['applyToAll=on', 4],
    ['applyToAll=', 4],
    ['applyToAll', 4],
    ['applyToAll=false', 0],
    ['applyToAll=0', 0],
    ['applyToAll=off', 0],
    ['applyToAll=True', 4],
    ['applyToAll=TRUE', 4],
    ['applyToAll=On', 4],
    ['applyToAll=False', 0],
    ['applyToAll=OFF', 0],
    ['', 0],
  ])('%s: %i', async (query, count) => {
    expect(await mark(`?${query}`)).toEqual([200, { success: true, count }]);
    expect(await unread()).toHaveLength(4 - count);
  });

  test.each(['yes', 'no', 'truE1', 'ｔｒｕｅ', '2', 'null', ' true', 'on&applyToAll=off'])(
    'applyToAll=%s is refused',
    async (value) => {
      expect((await mark(`?applyToAll=${value}`))[0]).toBe(400);
      expect((await remove(`?applyToAll=${value}`))[0]).toBe(400);
      expect(await unread()).toHaveLength(4);
    },
  );

  test.each([
    { discussionIds: null },
    { discussionIds: 'x' },
    { discussionIds: [1] },
    { read: 'true' },
    { read: null },
    [],
    '{',
  ])('400 for %j', async (body) => {
    expect((await mark('?applyToAll=true', body))[0]).toBe(400);
    expect(await unread()).toHaveLength(4);
  });

  test('changes more than one batch, for given threads and for all', async () => {
    const userId = await hub.idOf('bob');
    const [like] = await hub.database.read
      .selectFrom('notifications')
      .selectAll()
      .where('user_id', '=', userId)
      .limit(1)
      .execute();
    const threads = Array.from({ length: 2500 }, () => hub.newId());
    for (let from = 0; from < threads.length; from += 100)
      await hub.database.transaction((tx) =>
        tx
          .insertInto('notifications')
          .values(threads.slice(from, from + 100).map((thread_id) => ({ ...like!, thread_id })))
          .execute(),
      );
    await hub.database.transaction((tx) =>
      tx.updateTable('inboxes').set({ all_count: 2504, unread_count: 2504 }).where('user_id', '=', userId).execute(),
    );
    const bob = hub.as('bob');
    expect(await markNotifications({ ...bob, discussionIds: threads.slice(0, 2200) })).toMatchObject({ count: 2200 });
    expect(await markNotifications({ ...bob, applyToAll: true })).toMatchObject({ count: 304 });
    expect(await markNotifications({ ...bob, applyToAll: true, read: false })).toMatchObject({ count: 2504 });
    await hub.verifyCounters();
    expect(await deleteNotifications({ ...bob, discussionIds: threads.slice(0, 1100) })).toMatchObject({ count: 1100 });
    expect(await deleteNotifications({ ...bob, applyToAll: true })).toMatchObject({ count: 1404 });
  });
});

describe('deleting', () => {
  test('deletes the given threads; a new activity brings one back', async () => {
    expect(await remove('', { discussionIds: [idOf('one'), idOf('two'), '0'.repeat(24)] })).toEqual([
      200,
      { success: true, count: 2 },
    ]);
    expect(await hub.titles('bob')).toEqual(['four', 'three']);
    expect((await hub.inbox('bob')).count).toEqual({ view: 2, unread: 2, all: 2 });
    await commentDiscussion({ ...hub.as('alice'), ...REPO, num: 1, comment: 'News' });
    expect((await hub.titles('bob')).toSorted()).toEqual(['four', 'one', 'three']);
  });

  test('deletes all matching notifications', async () => {
    await mark('', { discussionIds: [idOf('one')] });
    expect(await remove('?applyToAll=1&readStatus=unread')).toEqual([200, { success: true, count: 3 }]);
    expect(await hub.titles('bob')).toEqual(['one']);
    expect(await remove('?applyToAll=on', {})).toEqual([200, { success: true, count: 1 }]);
    expect((await hub.inbox('bob')).count).toEqual({ view: 0, unread: 0, all: 0 });
  });

  test('changes nothing without thread ids', async () => {
    expect(await remove('')).toEqual([200, { success: true, count: 0 }]);
    expect(await remove('?applyToAll=false', {})).toEqual([200, { success: true, count: 0 }]);
  });

  test.each([
    { discussionIds: [] },
    { discussionIds: null },
    { discussionIds: ['x'] },
    { discussionIds: ['A'.repeat(24)] },
    { discussionIds: ['0'.repeat(23)] },
    { discussionIds: '0'.repeat(24) },
  ])('400 for %j', async (body) => {
    expect((await remove('', body))[0]).toBe(400);
    expect((await remove('?applyToAll=true', body))[0]).toBe(400);
    expect(await unread()).toHaveLength(4);
  });

  test('keeps notifications that arrived after the page was read', async () => {
    const [newest] = (await hub.inbox('bob')).notifications;
    hub.clock.advance(SECOND);
    await commentDiscussion({ ...hub.as('alice'), ...REPO, num: 2, comment: 'News' });
    await hub.drain();
    const lastUpdate = newest?.updatedAt ?? '';
    expect(await remove(`?applyToAll=true&lastUpdate=${lastUpdate}`)).toEqual([200, { success: true, count: 3 }]);
    const { notifications } = await hub.inbox('bob');
    expect(notifications.map((each) => [titleOf(each), each.read])).toEqual([['two', false]]);
  });
});
