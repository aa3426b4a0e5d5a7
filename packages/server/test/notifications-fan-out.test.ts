import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { markNotifications } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { createFanOut } from '../src/notifications/fan-out/fan-out.ts';
import { createInboxes } from '../src/notifications/inbox/inboxes.ts';
import type { HubEvent } from '../src/platform/events/events.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { discussionTopic, type RepoEvent } from '../src/repositories/index.ts';
import { SECOND } from './clock.ts';
import { type InboxTown, inboxTown, titleOf } from './inbox-town.ts';
import { testTexts } from './texts.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;

function reactionOf(town: InboxTown) {
  const inboxes = createInboxes({ signals: createSignals() });
  const fanOut = createFanOut({ clock: town.clock, ids: town.newId, inboxes, texts: testTexts, mailQuietMs: 0 });
  return (event: HubEvent<RepoEvent>, after?: string) =>
    town.database.transaction((tx) => fanOut.onDiscussionEvent(tx, event, after));
}

/** Users by the hundred who watch the repository; they have no tokens. */
async function watchers(town: InboxTown, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, at) => ({
    id: town.newId(),
    kind: 'user' as const,
    name: `w${at}`,
    name_key: `w${at}`,
    fullname: 'W',
    avatar_url: null,
    created_at: 0,
    email: null,
    pro: 0,
    site_admin: 0,
    plan: 'free' as const,
    details: null,
  }));
  const target_id = await town.repoId(REPO.repo);
  for (let from = 0; from < count; from += 100) {
    const part = rows.slice(from, from + 100);
    await town.database.transaction((tx) => tx.insertInto('accounts').values(part).execute());
    await town.database.transaction((tx) =>
      tx
        .insertInto('watches')
        .values(part.map(({ id }) => ({ user_id: id, target_type: 'repo' as const, target_id, created_at: 0 })))
        .execute(),
    );
  }
  return rows.map(({ id }) => id);
}

test('many watchers are told page by page, each once, also when a page is done twice', async () => {
  await using town = await inboxTown('alice', 'bob');
  await createRepo({ ...town.as('alice'), repo: REPO.repo });
  const ids = await watchers(town, 1100);
  await createDiscussion({ ...town.as('alice'), ...REPO, title: 'Hello', description: '@bob' });
  const event = await town.lastEvent(discussionTopic);
  const react = reactionOf(town);
  const cursors: string[] = [];
  for (let after: string | undefined; ; ) {
    await react(event, after);
    after = await react(event, after);
    if (after === undefined) break;
    cursors.push(after);
  }
  expect(cursors).toHaveLength(2);
  await town.drain();
  const rows = await town.database.read
    .selectFrom('notifications')
    .select(['user_id', 'read', 'involvement'])
    .execute();
  expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual([...ids, await town.idOf('bob')].toSorted());
  expect(rows.filter(({ involvement }) => involvement === 2)).toHaveLength(1);
  await town.verifyCounters();
});

test('the same event again changes nothing, also after its news were read', async () => {
  await using town = await inboxTown('alice', 'bob');
  await createRepo({ ...town.as('alice'), repo: REPO.repo });
  await createDiscussion({ ...town.as('alice'), ...REPO, title: 'Hello', description: '@bob' });
  const event = await town.lastEvent(discussionTopic);
  await town.drain();
  await markNotifications({ ...town.as('bob'), applyToAll: true });
  const before = await town.inbox('bob');
  await reactionOf(town)(event);
  expect(await town.inbox('bob')).toEqual(before);
  await town.verifyCounters();
});

test('an older event never moves newer news back, and finds whom a newer one mentioned', async () => {
  await using town = await inboxTown('alice', 'bob');
  await createRepo({ ...town.as('alice'), repo: REPO.repo });
  const { num } = await createDiscussion({ ...town.as('alice'), ...REPO, title: 'Hello', description: '@bob' });
  const older = await town.lastEvent(discussionTopic);
  town.clock.advance(SECOND);
  const { newMessage } = await commentDiscussion({ ...town.as('alice'), ...REPO, num, comment: '@bob' });
  const newer = await town.lastEvent(discussionTopic);
  const react = reactionOf(town);
  await react(newer);
  await react(older);
  const rows = await town.database.read
    .selectFrom('notifications')
    .select(['updated_at', 'event_id', 'read'])
    .execute();
  expect(rows).toEqual([{ updated_at: town.clock.now(), event_id: newMessage.id, read: 0 }]);
  await town.verifyCounters();
});

test('whoever wrote before an event is told of it, whichever event is reacted to first', async () => {
  await using town = await inboxTown('alice', 'bob', 'carol');
  await createRepo({ ...town.as('alice'), repo: REPO.repo });
  const { num } = await createDiscussion({ ...town.as('bob'), ...REPO, title: 'Hello', description: 'Hi' });
  await commentDiscussion({ ...town.as('carol'), ...REPO, num, comment: 'Hi' });
  await reactionOf(town)(await town.lastEvent(discussionTopic));
  const [row, ...more] = await town.database.read.selectFrom('notifications').select('user_id').execute();
  expect([row?.user_id, more]).toEqual([await town.idOf('bob'), []]);
});

test('whoever writes where they only watched takes part from then on', async () => {
  await using town = await inboxTown('alice', 'bob');
  await createRepo({ ...town.as('alice'), repo: REPO.repo });
  await town.watch('bob', 'repo', await town.repoId(REPO.repo));
  const { num } = await createDiscussion({ ...town.as('alice'), ...REPO, title: 'Hello', description: 'Hi' });
  expect(await town.titles('bob', { mention: 'participating' })).toEqual([]);
  await commentDiscussion({ ...town.as('bob'), ...REPO, num, comment: 'Hi' });
  const { notifications } = await town.inbox('bob', { mention: 'participating' });
  expect(notifications.map(titleOf)).toEqual(['Hello']);
});

test('titles, pins and edits of what was said are no news', async () => {
  await using town = await inboxTown('alice', 'bob');
  await createRepo({ ...town.as('alice'), repo: REPO.repo });
  await town.watch('bob', 'repo', await town.repoId(REPO.repo));
  const { num } = await createDiscussion({ ...town.as('alice'), ...REPO, title: 'Hello', description: 'Hi' });
  await town.drain();
  await markNotifications({ ...town.as('bob'), applyToAll: true });
  const { renameDiscussion, pinDiscussion } = await import('@moonbase/client/discussions');
  await renameDiscussion({ ...town.as('alice'), ...REPO, num, title: 'Hello again' });
  await pinDiscussion({ ...town.as('alice'), ...REPO, num, pinned: true });
  const { count, notifications } = await town.inbox('bob');
  expect([count.unread, notifications.map(titleOf)]).toEqual([0, ['Hello again']]);
});
