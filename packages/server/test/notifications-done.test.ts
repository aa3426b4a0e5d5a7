import { commentDiscussion, createDiscussion, deleteDiscussion } from '@moonbase/client/discussions';
import { askAccess } from '@moonbase/client/gating';
import {
  deleteNotifications,
  getNotificationPage,
  listDoneNotifications,
  markNotifications,
  type NotificationFilters,
  restoreNotifications,
} from '@moonbase/client/notifications';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { DAY, SECOND } from './clock.ts';
import { type InboxHub, startInboxHub, titleOf } from './inbox-hub.ts';

const LETTERS = { type: 'model', repo: 'alice/letters' } as const;
const SECRET = { type: 'model', repo: 'acme/secret' } as const;

let hub: InboxHub;
let ids: Record<string, string>;

/** Each test begins with three discussions that mention bob and carol, a second apart; the last is in a private repository. */
beforeEach(async () => {
  hub = await startInboxHub('alice', 'bob', 'carol');
  const alice = hub.as('alice');
  await role('read');
  await createRepo({ ...alice, repo: LETTERS.repo });
  await createRepo({ ...alice, repo: SECRET.repo, private: true });
  for (const [title, repo] of [['one', LETTERS] as const, ['two', LETTERS] as const, ['hidden', SECRET] as const]) {
    hub.clock.advance(SECOND);
    await createDiscussion({ ...alice, ...repo, title, description: '@bob @carol' });
  }
  await hub.drain();
  const rows = await hub.database.read.selectFrom('discussions').select(['id', 'title']).execute();
  ids = Object.fromEntries(rows.map(({ id, title }) => [title, id]));
});
afterEach(async () => {
  await hub.drain();
  await hub.verifyCounters();
  await hub[Symbol.asyncDispose]();
});

const role = (of: 'read' | 'no_access') =>
  hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: of }] }] });
const idsOf = (titles: readonly string[]) => titles.map((title) => ids[title] ?? '');
const finish = (...titles: string[]) => deleteNotifications({ ...hub.as('bob'), discussionIds: idsOf(titles) });
const restore = (...titles: string[]) => restoreNotifications({ ...hub.as('bob'), discussionIds: idsOf(titles) });
const done = async (filters: NotificationFilters & { page?: number } = {}) => {
  await hub.drain();
  const { notifications, count } = await listDoneNotifications({ ...hub.as('bob'), ...filters });
  return [notifications.map(titleOf), count.view];
};
const rowsOfDone = async () =>
  (await hub.database.read.selectFrom('done_notifications').select('thread_id').execute()).length;

describe('what a user is done with', () => {
  test('is listed, the latest update first, and returns to the inbox as it was', async () => {
    await markNotifications({ ...hub.as('bob'), discussionIds: idsOf(['one']) });
    const before = await hub.inbox('bob');
    await finish('one', 'hidden');
    expect(await done()).toEqual([['hidden', 'one'], 2]);
    expect(await listDoneNotifications(hub.as('carol'))).toMatchObject({ notifications: [], count: { view: 0 } });
    expect((await hub.inbox('bob')).count).toEqual({ view: 1, unread: 1, all: 1 });
    expect(await restore('one', 'hidden')).toEqual({ success: true, count: 2 });
    expect(await hub.inbox('bob')).toEqual(before);
    expect(await done()).toEqual([[], 0]);
    expect(await restore('one', 'hidden')).toEqual({ success: true, count: 0 });
  });

  test('is filtered as the inbox is, also after all that matches was deleted', async () => {
    await deleteNotifications({ ...hub.as('bob'), applyToAll: true, repoName: 'alice/letters' });
    expect(await done()).toEqual([['two', 'one'], 2]);
    expect(await done({ repoName: 'acme/secret' })).toEqual([[], 0]);
    expect(await done({ mention: 'mentions', readStatus: 'unread' })).toEqual([['two', 'one'], 2]);
    expect(await done({ page: 1 })).toEqual([[], 2]);
    expect(await restore('one', 'one', 'hidden')).toEqual({ success: true, count: 1 });
    expect(await hub.titles('bob')).toEqual(['hidden', 'one']);
  });

  test('is done no more with the next activity', async () => {
    await finish('one', 'two');
    hub.clock.advance(SECOND);
    await commentDiscussion({ ...hub.as('alice'), ...LETTERS, num: 1, comment: 'News' });
    expect(await hub.titles('bob')).toEqual(['one', 'hidden']);
    expect(await done()).toEqual([['two'], 1]);
    expect(await restore('one')).toEqual({ success: true, count: 0 });
    const [first] = (await hub.inbox('bob')).notifications;
    await finish('one');
    expect(await done()).toEqual([['one', 'two'], 2]);
    expect((await listDoneNotifications(hub.as('bob'))).notifications[0]).toEqual(first);
  });

  test('is hidden while its user may not read it, and does not return meanwhile', async () => {
    await finish('hidden');
    await role('no_access');
    expect(await done()).toEqual([[], 0]);
    expect(await restore('hidden')).toEqual({ success: true, count: 0 });
    expect(await hub.titles('bob')).toEqual(['two', 'one']);
    await role('read');
    expect(await done()).toEqual([['hidden'], 1]);
    expect(await restore('hidden')).toEqual({ success: true, count: 1 });
  });

  test('goes with the discussion, and when nothing happened there for a year', async () => {
    await finish('one', 'two');
    await deleteDiscussion({ ...hub.as('alice'), ...LETTERS, num: 1 });
    expect(await done()).toEqual([['two'], 1]);
    expect(await rowsOfDone()).toBe(1);
    hub.clock.advance(364 * DAY);
    expect(await done()).toEqual([['two'], 1]);
    hub.clock.advance(2 * DAY);
    expect(await done()).toEqual([[], 0]);
    expect(await rowsOfDone()).toBe(0);
  });

  test.each([{}, { discussionIds: [] }, { discussionIds: ['x'] }, { discussionIds: Array(101).fill('0'.repeat(24)) }])(
    '400 for an attempt to restore %j',
    async (body) => {
      await finish('one');
      expect((await ask(hub.as('bob'), 'POST /api/notifications/restore', body)).status).toBe(400);
      expect(await done()).toEqual([['one'], 1]);
    },
  );
});

describe('why a user has a notification', () => {
  const reasons = async (user: string, threads: readonly string[]) => {
    await hub.drain();
    const { reasons = [] } = await getNotificationPage({ ...hub.as(user), reasons: true });
    const known = new Map(reasons.map((reason) => [reason.id, reason]));
    const asked = threads.flatMap((id) => known.get(id) ?? []);
    return asked.map(({ reason, watched, muted }) => [
      reason,
      ...watched.map(({ type, name }) => `${type} ${name}`),
      ...(muted ? ['muted'] : []),
    ]);
  };

  test('is that somebody mentioned or answered the user, and what the user watches beside', async () => {
    expect(await reasons('bob', idsOf(['two', 'one']))).toEqual([['mentioned'], ['mentioned']]);
    await createDiscussion({ ...hub.as('carol'), ...LETTERS, title: 'by carol', description: 'Hm' });
    await commentDiscussion({ ...hub.as('alice'), ...LETTERS, num: 3, comment: 'Yes?' });
    const { notifications } = await hub.inbox('carol');
    const own = notifications.flatMap((each) => (each.type === 'repo' && titleOf(each) === 'by carol' ? [each] : []));
    const thread = own[0]?.discussion.id ?? '';
    expect(await reasons('carol', [thread])).toEqual([['participating']]);
    await hub.mute('carol', 'discussion', thread);
    await hub.watch('carol', 'repo', 'alice/letters');
    expect(await reasons('carol', [thread])).toEqual([['participating', 'repo alice/letters', 'muted']]);
  });

  test('is what the user watches: the repository, its owner, or both', async () => {
    await hub.watch('carol', 'user', 'alice');
    await createDiscussion({ ...hub.as('bob'), ...LETTERS, title: 'watched', description: 'Look' });
    const [watched] = (await hub.inbox('carol')).notifications;
    const thread = watched?.type === 'repo' ? watched.discussion.id : '';
    expect(await reasons('carol', [thread])).toEqual([['watching', 'user alice']]);
    await hub.watch('carol', 'repo', 'alice/letters');
    expect(await reasons('carol', [thread])).toEqual([['watching', 'repo alice/letters', 'user alice']]);
  });

  test('is a post of the user, or a repository about whose requests the user decides', async () => {
    await hub.apply({ posts: [{ author: 'bob', slug: 'note', title: 'A note' }] });
    const { id } = await hub.database.read.selectFrom('posts').select('id').executeTakeFirstOrThrow();
    await hub.comment('alice', { type: 'post', id }, 'Nice');
    expect(await reasons('bob', [id])).toEqual([['author']]);
    await updateRepoSettings({ ...hub.as('alice'), ...LETTERS, settings: { gated: 'manual' } });
    await askAccess({ ...hub.as('bob'), repo: LETTERS.repo });
    expect(await reasons('alice', [await hub.repoId('alice/letters')])).toEqual([['requests']]);
  });

  test('is not told of what the user may not read, is done with, or has no notification of', async () => {
    await role('no_access');
    await finish('one');
    expect(await reasons('bob', [...idsOf(['hidden', 'one', 'two']), '0'.repeat(24)])).toEqual([['mentioned']]);
    expect(await getNotificationPage(hub.as('bob'))).not.toHaveProperty('reasons');
    expect((await ask(hub.as('bob'), 'GET /api/notifications?reasons=why')).status).toBe(400);
  });
});
