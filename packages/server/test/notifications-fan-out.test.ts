import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { markNotifications } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { createFanOut } from '../src/notifications/fan-out/fan-out.ts';
import { createInboxes } from '../src/notifications/inbox/inboxes.ts';
import type { HubEvent } from '../src/platform/events/events.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { discussionTopic, type RepoEvent } from '../src/repositories/index.ts';
import { vouchedAddresses } from '../src/scim/index.ts';
import { SECOND } from './clock.ts';
import { type InboxHub, startInboxHub, titleOf } from './inbox-hub.ts';
import { testTexts } from './texts.ts';

const REPO = { type: 'model', repo: 'alice/letters' } as const;

function reactionOf(hub: InboxHub) {
  const inboxes = createInboxes({ signals: createSignals() });
  const fanOut = createFanOut({
    clock: hub.clock,
    ids: hub.newId,
    inboxes,
    texts: testTexts,
    vouched: vouchedAddresses,
    mailQuietMs: 0,
  });
  return (event: HubEvent<RepoEvent>, after?: string) =>
    hub.database.transaction((tx) => fanOut.onDiscussionEvent(tx, event, after));
}

/** Adds hundreds of users without tokens who watch the repository. */
async function watchers(hub: InboxHub, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, at) => ({
    id: hub.newId(),
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
  const target_id = await hub.repoId(REPO.repo);
  for (let from = 0; from < count; from += 100) {
    const part = rows.slice(from, from + 100);
    await hub.database.transaction((tx) => tx.insertInto('accounts').values(part).execute());
    await hub.database.transaction((tx) =>
      tx
        .insertInto('watches')
        .values(part.map(({ id }) => ({ user_id: id, target_type: 'repo' as const, target_id, created_at: 0 })))
        .execute(),
    );
  }
  return rows.map(({ id }) => id);
}

test('many watchers are notified page by page, each once, even if a page is handled twice', async () => {
  await using hub = await startInboxHub('alice', 'bob');
  await createRepo({ ...hub.as('alice'), repo: REPO.repo });
  const ids = await watchers(hub, 1100);
  await createDiscussion({ ...hub.as('alice'), ...REPO, title: 'Hello', description: '@bob' });
  const event = await hub.lastEvent(discussionTopic);
  const react = reactionOf(hub);
  const cursors: string[] = [];
  for (let after: string | undefined; ; ) {
    await react(event, after);
    after = await react(event, after);
    if (after === undefined) break;
    cursors.push(after);
  }
  expect(cursors).toHaveLength(2);
  await hub.drain();
  const rows = await hub.database.read.selectFrom('notifications').select(['user_id', 'read', 'involvement']).execute();
  expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual([...ids, await hub.idOf('bob')].toSorted());
  expect(rows.filter(({ involvement }) => involvement === 2)).toHaveLength(1);
  await hub.verifyCounters();
});

test('handling an event again changes nothing, even after its notifications were read', async () => {
  await using hub = await startInboxHub('alice', 'bob');
  await createRepo({ ...hub.as('alice'), repo: REPO.repo });
  await createDiscussion({ ...hub.as('alice'), ...REPO, title: 'Hello', description: '@bob' });
  const event = await hub.lastEvent(discussionTopic);
  await hub.drain();
  await markNotifications({ ...hub.as('bob'), applyToAll: true });
  const before = await hub.inbox('bob');
  await reactionOf(hub)(event);
  expect(await hub.inbox('bob')).toEqual(before);
  await hub.verifyCounters();
});

test('an older event never replaces a newer notification, and keeps mentions of a newer event', async () => {
  await using hub = await startInboxHub('alice', 'bob');
  await createRepo({ ...hub.as('alice'), repo: REPO.repo });
  const { num } = await createDiscussion({ ...hub.as('alice'), ...REPO, title: 'Hello', description: '@bob' });
  const older = await hub.lastEvent(discussionTopic);
  hub.clock.advance(SECOND);
  const { newMessage } = await commentDiscussion({ ...hub.as('alice'), ...REPO, num, comment: '@bob' });
  const newer = await hub.lastEvent(discussionTopic);
  const react = reactionOf(hub);
  await react(newer);
  await react(older);
  const rows = await hub.database.read.selectFrom('notifications').select(['updated_at', 'event_id', 'read']).execute();
  expect(rows).toEqual([{ updated_at: hub.clock.now(), event_id: newMessage.id, read: 0 }]);
  await hub.verifyCounters();
});

test('users who wrote before an event are notified of it, whichever event is handled first', async () => {
  await using hub = await startInboxHub('alice', 'bob', 'carol');
  await createRepo({ ...hub.as('alice'), repo: REPO.repo });
  const { num } = await createDiscussion({ ...hub.as('bob'), ...REPO, title: 'Hello', description: 'Hi' });
  await commentDiscussion({ ...hub.as('carol'), ...REPO, num, comment: 'Hi' });
  await reactionOf(hub)(await hub.lastEvent(discussionTopic));
  const [row, ...more] = await hub.database.read.selectFrom('notifications').select('user_id').execute();
  expect([row?.user_id, more]).toEqual([await hub.idOf('bob'), []]);
});

test('a watcher who writes in a thread takes part from then on', async () => {
  await using hub = await startInboxHub('alice', 'bob');
  await createRepo({ ...hub.as('alice'), repo: REPO.repo });
  await hub.watch('bob', 'repo', await hub.repoId(REPO.repo));
  const { num } = await createDiscussion({ ...hub.as('alice'), ...REPO, title: 'Hello', description: 'Hi' });
  expect(await hub.titles('bob', { mention: 'participating' })).toEqual([]);
  await commentDiscussion({ ...hub.as('bob'), ...REPO, num, comment: 'Hi' });
  const { notifications } = await hub.inbox('bob', { mention: 'participating' });
  expect(notifications.map(titleOf)).toEqual(['Hello']);
});

test('changes of titles and pins, and edits of comments, notify nobody', async () => {
  await using hub = await startInboxHub('alice', 'bob');
  await createRepo({ ...hub.as('alice'), repo: REPO.repo });
  await hub.watch('bob', 'repo', await hub.repoId(REPO.repo));
  const { num } = await createDiscussion({ ...hub.as('alice'), ...REPO, title: 'Hello', description: 'Hi' });
  await hub.drain();
  await markNotifications({ ...hub.as('bob'), applyToAll: true });
  const { renameDiscussion, pinDiscussion } = await import('@moonbase/client/discussions');
  await renameDiscussion({ ...hub.as('alice'), ...REPO, num, title: 'Hello again' });
  await pinDiscussion({ ...hub.as('alice'), ...REPO, num, pinned: true });
  const { count, notifications } = await hub.inbox('bob');
  expect([count.unread, notifications.map(titleOf)]).toEqual([0, ['Hello again']]);
});
