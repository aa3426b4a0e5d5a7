import { commentDiscussion, createDiscussion } from '@moonbase/client/discussions';
import { markNotifications } from '@moonbase/client/notifications';
import { createRepo } from '@moonbase/client/repositories';
import { expect, test } from 'vitest';
import { createPruneNotifications, pruneNotificationsTask } from '../src/notifications/clean-up/prune.ts';
import { createInboxes } from '../src/notifications/inbox/inboxes.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { createTestClock, DAY, HOUR } from './clock.ts';
import { startInboxHub, titleOf } from './inbox-hub.ts';
import { openTestDatabase } from './open-test-database.ts';

test('notifications without an activity for a year are deleted, read or not, and the next activity notifies again', async () => {
  await using hub = await startInboxHub('alice', 'bob');
  const [alice, bob] = [hub.as('alice'), hub.as('bob')];
  const REPO = { type: 'model', repo: 'acme/letters' } as const;
  await createRepo({ ...alice, ...REPO });
  const open = (title: string) => createDiscussion({ ...alice, ...REPO, title, description: 'Look, @bob' });
  await open('read');
  const { num } = await open('answered later');
  await open('unread');
  const read = (await hub.inbox('bob')).notifications.find((each) => titleOf(each) === 'read');
  if (read?.type !== 'repo') throw new Error('This is no discussion');
  await markNotifications({ ...bob, discussionIds: [read.discussion.id], read: true });
  hub.clock.advance(DAY);
  await commentDiscussion({ ...alice, ...REPO, num, comment: 'News' });
  expect((await hub.titles('bob')).sort()).toEqual(['answered later', 'read', 'unread']);

  hub.clock.advance(364 * DAY - HOUR);
  expect((await hub.titles('bob')).sort()).toEqual(['answered later', 'read', 'unread']);
  hub.clock.advance(7 * HOUR);
  expect(await hub.titles('bob')).toEqual(['answered later']);
  expect((await hub.inbox('bob')).count).toEqual({ view: 1, unread: 1, all: 1 });
  hub.clock.advance(DAY);
  expect(await hub.titles('bob')).toEqual([]);

  await commentDiscussion({ ...alice, ...REPO, num, comment: 'Is anybody there?' });
  expect((await hub.inbox('bob', { mention: 'participating' })).count).toEqual({ view: 1, unread: 1, all: 1 });
  await hub.verifyCounters();
});

test('a step deletes at most 500 notifications of at most 50 inboxes', async () => {
  await using opened = await openTestDatabase();
  const db = opened.database.read;
  const clock = createTestClock();
  const inboxes = createInboxes({ signals: createSignals() });
  const step = createPruneNotifications({ clock, inboxes, days: 10 });
  const id = (kind: string, at: number) => kind + at.toString(16).padStart(23, '0');
  // The sizes mix a large inbox, one that ends with a page, many small ones, and inboxes with nothing to delete.
  const sizes = [
    { old: 1100, young: 3 },
    { old: 400, young: 0 },
    ...Array.from({ length: 120 }, () => ({ old: 1, young: 1 })),
    ...Array.from({ length: 600 }, () => ({ old: 0, young: 0 })),
    { old: 0, young: 2 },
    { old: 2, young: 0 },
  ];
  const account = { kind: 'user', fullname: '', created_at: 0, plan: 'free', pro: 0, site_admin: 0 } as const;
  const rows = sizes.flatMap(({ old, young }, user) =>
    Array.from({ length: old + young }, (_, at) => ({
      ...{ thread_id: id('d', at), user_id: id('a', user), subject: 'model', source_id: id('c', 0), involvement: 0 },
      ...{ updated_at: clock.now() - (at < old ? 11 : 9) * DAY, read: at % 2, activity_id: '', event_id: null },
    })),
  );
  for (let from = 0; from < sizes.length; from += 100) {
    const part = Array.from({ length: Math.min(100, sizes.length - from) }, (_, at) => from + at);
    await opened.database.transaction((tx) =>
      tx
        .insertInto('accounts')
        .values(part.map((at) => ({ ...account, id: id('a', at), name: `u${at}`, name_key: `u${at}` })) as never)
        .execute(),
    );
    await opened.database.transaction((tx) =>
      inboxes.lock(
        tx,
        part.map((at) => id('a', at)),
      ),
    );
  }
  for (let from = 0; from < rows.length; from += 200)
    await opened.database.transaction((tx) =>
      tx
        .insertInto('notifications')
        .values(rows.slice(from, from + 200) as never)
        .execute(),
    );
  await opened.database.transaction((tx) =>
    inboxes.changeCounters(
      tx,
      sizes.map(({ old, young }, user) => ({
        userId: id('a', user),
        all: old + young,
        unread: Math.ceil((old + young) / 2),
      })),
    ),
  );

  const left = async () => (await db.selectFrom('notifications').select('updated_at').execute()).length;
  const steps: number[] = [];
  for (let data = pruneNotificationsTask.read('null'); ; ) {
    const before = await left();
    const result = await opened.database.transaction((tx) => step(tx, { id: 't', data, createdAt: 0 }));
    steps.push(before - (await left()));
    if (result === 'done') break;
    data = pruneNotificationsTask.read(pruneNotificationsTask.write(result.data));
  }
  expect(Math.max(...steps)).toBe(500);
  expect(steps.reduce((sum, count) => sum + count)).toBe(1100 + 400 + 120 + 2);
  expect(steps.length).toBeLessThan(12);
  expect(await left()).toBe(rows.filter(({ updated_at }) => updated_at > clock.now() - 10 * DAY).length);
  const counted = await db.selectFrom('inboxes').select(['user_id', 'all_count', 'unread_count']).execute();
  for (const { user_id, all_count, unread_count } of counted) {
    const own = await db.selectFrom('notifications').select('read').where('user_id', '=', user_id).execute();
    expect([all_count, unread_count]).toEqual([own.length, own.filter(({ read }) => read === 0).length]);
  }
});
