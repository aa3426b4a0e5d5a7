import { commentDiscussion, createDiscussion, deleteDiscussion } from '@moonbase/client/discussions';
import { deleteNotifications, markNotifications } from '@moonbase/client/notifications';
import { createRepo, updateRepoSettings } from '@moonbase/client/repositories';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { membershipTopic } from '../src/access/index.ts';
import { type InboxHub, startInboxHub } from './inbox-hub.ts';
import { engine } from './test-database.ts';

const PEOPLE = ['alice', 'bob', 'carol'] as const;
const REPO = { type: 'model', repo: 'acme/letters' } as const;

const person = fc.constantFrom(...PEOPLE);
const query = fc.record(
  {
    readStatus: fc.constantFrom('all', 'unread'),
    mention: fc.constantFrom('all', 'participating', 'mentions'),
    repoType: fc.constantFrom('model', 'space'),
    lastUpdate: fc.nat(30).map((second) => new Date(Date.parse('2026-01-05T12:00:00Z') + second * 1000).toISOString()),
  },
  { requiredKeys: [] },
);

/** One step of a story; several steps run at once. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('open' as const), by: person, mentions: fc.subarray([...PEOPLE]) }),
  fc.record({
    kind: fc.constant('comment' as const),
    by: person,
    num: fc.integer({ min: 1, max: 4 }),
    mentions: fc.subarray([...PEOPLE]),
  }),
  fc.record({ kind: fc.constant('delete discussion' as const), num: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('mark' as const), by: person, query, read: fc.boolean() }),
  fc.record({ kind: fc.constant('remove' as const), by: person, query }),
  fc.record({ kind: fc.constant('private' as const), isPrivate: fc.boolean() }),
  fc.record({
    kind: fc.constant('member' as const),
    who: fc.constantFrom('bob', 'carol'),
    role: fc.constantFrom('read', 'no_access'),
  }),
  fc.record({ kind: fc.constant('drain' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function take(hub: InboxHub, one: Step): Promise<unknown> {
  const text = (mentions: readonly string[]) => `Hello ${mentions.map((name) => `@${name}`).join(' ')}`;
  switch (one.kind) {
    case 'open':
      return createDiscussion({ ...hub.as(one.by), ...REPO, title: 'T', description: text(one.mentions) });
    case 'comment':
      return commentDiscussion({ ...hub.as(one.by), ...REPO, num: one.num, comment: text(one.mentions) });
    case 'delete discussion':
      return deleteDiscussion({ ...hub.as('alice'), ...REPO, num: one.num });
    case 'mark':
      return markNotifications({ ...hub.as(one.by), ...one.query, applyToAll: true, read: one.read } as never);
    case 'remove':
      return deleteNotifications({ ...hub.as(one.by), ...one.query, applyToAll: true } as never);
    case 'private':
      return updateRepoSettings({ ...hub.as('alice'), ...REPO, settings: { private: one.isPrivate } });
    case 'member': {
      const [orgId, userId] = [await hub.idOf('acme'), await hub.idOf(one.who)];
      await hub.apply({ organizations: [{ name: 'acme', members: [{ user: one.who, role: one.role as 'read' }] }] });
      return hub.record(membershipTopic, { orgId, userId, role: one.role as 'read', before: null, actorId: orgId });
    }
    case 'drain':
      return hub.drain();
  }
}

test('counters equal the rows after any sequence of changes, and nobody has notifications they may not read', async () => {
  await using hub = await startInboxHub(...PEOPLE);
  await hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob' }, { user: 'carol' }] }] });
  await createRepo({ ...hub.as('alice'), repo: REPO.repo });
  await hub.watch('carol', 'org', await hub.idOf('acme'));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 10 }), async (story) => {
      for (const atOnce of story) {
        hub.clock.advance(1000);
        // Requests for deleted or unreadable threads are refused.
        await Promise.all(atOnce.map((one) => take(hub, one).catch(() => {})));
        await hub.verifyCounters();
      }
      await hub.drain();
      await hub.verifyCounters();
      for (const name of PEOPLE) {
        const { count, notifications } = await hub.inbox(name);
        expect(notifications.length).toBe(Math.min(count.view, 25));
        expect(count.view).toBe(count.all);
      }
    }),
    { numRuns: engine === 'sqlite' ? 40 : 15, seed: 20260105 },
  );
});

test('a notification that arrives between the batches of a large change is left alone and counted', async () => {
  await using hub = await startInboxHub(...PEOPLE);
  await createRepo({ ...hub.as('alice'), repo: 'alice/letters' });
  const open = (title: string) =>
    createDiscussion({ ...hub.as('alice'), type: 'model', repo: 'alice/letters', title, description: '@bob' });
  await open('first');
  await open('second');
  await hub.drain();
  const userId = await hub.idOf('bob');
  const [like] = await hub.database.read
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', userId)
    .limit(1)
    .execute();
  for (let page = 0; page < 30; page++)
    await hub.database.transaction((tx) =>
      tx
        .insertInto('notifications')
        .values(Array.from({ length: 100 }, (_, at) => ({ ...like!, updated_at: at, thread_id: hub.newId() })))
        .execute(),
    );
  await hub.database.transaction((tx) =>
    tx.updateTable('inboxes').set({ all_count: 3002, unread_count: 3002 }).where('user_id', '=', userId).execute(),
  );
  const lastUpdate = new Date(hub.clock.now()).toISOString();
  hub.clock.advance(1000);
  const [{ count }] = await Promise.all([
    markNotifications({ ...hub.as('bob'), applyToAll: true, lastUpdate }),
    (async () => {
      await open('third');
      await commentDiscussion({ ...hub.as('alice'), type: 'model', repo: 'alice/letters', num: 2, comment: 'News' });
      await hub.drain();
    })(),
  ]);
  // The second notification was marked before its news came, or not at all.
  expect([3001, 3002]).toContain(count);
  expect((await hub.titles('bob', { readStatus: 'unread' })).toSorted()).toEqual(['second', 'third']);
  expect((await hub.inbox('bob')).count).toEqual({ view: 3003, unread: 2, all: 3003 });
  await hub.verifyCounters();
});
