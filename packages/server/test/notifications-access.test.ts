import { setTimeout } from 'node:timers/promises';
import { createDiscussion, deleteDiscussion } from '@moonbase/client/discussions';
import { deleteNotifications, getNotificationPage, markNotifications } from '@moonbase/client/notifications';
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import type { BuiltInRole } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { membershipTopic } from '../src/access/index.ts';
import { deleteMembership } from '../src/access/memberships/store.ts';
import { type CleanUp, createCleanUp } from '../src/notifications/clean-up/reactions.ts';
import { createFanOut } from '../src/notifications/fan-out/fan-out.ts';
import { createInboxes } from '../src/notifications/inbox/inboxes.ts';
import type { Executor } from '../src/platform/database/transaction.ts';
import type { Reaction } from '../src/platform/events/reaction.ts';
import type { Topic } from '../src/platform/events/topic.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { discussionTopic, repoTopic } from '../src/repositories/index.ts';
import { vouchedAddresses } from '../src/scim/index.ts';
import { startInboxHub, titleOf } from './inbox-hub.ts';
import { engine } from './test-database.ts';
import { testTexts } from './texts.ts';

/**
 * Gives bob notifications by alice: two discussions in the private acme/secret, one of them read, and one in the public
 * acme/open. dave, who stays a member, gets the same.
 */
async function readers() {
  const hub = await startInboxHub('alice', 'bob', 'dave');
  const alice = hub.as('alice');
  const members = ['bob', 'dave'].map((user) => ({ user, role: 'read' as const }));
  await hub.apply({
    users: [{ name: 'erin' }],
    organizations: [
      { name: 'acme', members },
      {
        name: 'other',
        members: [
          { user: 'alice', role: 'admin' },
          { user: 'dave', role: 'read' },
        ],
      },
    ],
  });
  await createRepo({ ...alice, repo: 'acme/secret', visibility: 'private' });
  await createRepo({ ...alice, repo: 'acme/open' });
  const say = (repo: string, title: string) =>
    createDiscussion({ ...alice, type: 'model', repo, title, description: '@bob @dave' });
  await say('acme/secret', 'secret one');
  await say('acme/secret', 'secret two');
  await say('acme/open', 'open');
  await hub.drain();
  const { id } = await hub.database.read
    .selectFrom('discussions')
    .select('id')
    .where('title', '=', 'secret one')
    .executeTakeFirstOrThrow();
  await markNotifications({ ...hub.as('bob'), discussionIds: [id] });
  const role = (name: string, given: 'read' | 'no_access') =>
    hub.apply({ organizations: [{ name: 'acme', members: [{ user: name, role: given }] }] });
  const leave = (name: string) =>
    hub.apply({ organizations: [{ name: 'acme', members: [{ user: name, state: 'absent' }] }] });
  return { hub, alice, role, leave, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

type Fixture = Awaited<ReturnType<typeof readers>>;
const SECRET = { type: 'model', repo: 'acme/secret' } as const;
const EVERYTHING = ['open', 'secret one', 'secret two'];

/** Records a change of membership, where no service records it yet. */
async function tellOfMember({ hub }: Fixture, user: string, role: BuiltInRole | null) {
  const [orgId, userId] = await Promise.all([hub.idOf('acme'), hub.idOf(user)]);
  await hub.record(membershipTopic, { orgId, userId, role, before: null, actorId: userId });
}

const hidden: [string, (fixture: Fixture) => Promise<unknown>, { bob: string[]; dave: string[] }][] = [
  [
    'leaving the organization',
    async (fixture) => {
      await fixture.leave('bob');
      return () => tellOfMember(fixture, 'bob', null);
    },
    { bob: ['open'], dave: EVERYTHING },
  ],
  [
    'the role no_access',
    async (fixture) => {
      await fixture.role('bob', 'no_access');
      return () => tellOfMember(fixture, 'bob', 'no_access');
    },
    { bob: ['open'], dave: EVERYTHING },
  ],
  [
    'a move to an organization where the user is not a member',
    ({ alice }) => moveRepo({ ...alice, type: 'model', from: 'acme/secret', to: 'other/secret' }),
    { bob: ['open'], dave: EVERYTHING },
  ],
  [
    'the repository becomes private',
    async ({ alice, leave, ...fixture }) => {
      await leave('bob');
      await tellOfMember({ alice, leave, ...fixture }, 'bob', null);
      await updateRepoSettings({ ...alice, type: 'model', repo: 'acme/open', settings: { private: true } });
    },
    { bob: [], dave: EVERYTHING },
  ],
  [
    'the repository is deleted',
    ({ alice }) => deleteRepo({ ...alice, repo: 'acme/secret' }),
    { bob: ['open'], dave: ['open'] },
  ],
  [
    'the discussion is deleted',
    ({ alice }) => deleteDiscussion({ ...alice, ...SECRET, num: 1 }),
    { bob: ['open', 'secret two'], dave: ['open', 'secret two'] },
  ],
  [
    'the organization is deleted',
    ({ hub }) => hub.apply({ organizations: [{ name: 'acme', state: 'absent' }] }),
    { bob: [], dave: [] },
  ],
];

test.each(hidden)('%s deletes the notifications at once and adjusts the counters', async (_, lose, left) => {
  await using fixture = await readers();
  const { hub } = fixture;
  expect((await hub.titles('bob')).toSorted()).toEqual(EVERYTHING);
  expect((await hub.inbox('bob')).count).toEqual({ view: 3, unread: 2, all: 3 });
  const tell = await lose(fixture);
  // No reaction has run yet, but the inbox already hides unreadable threads.
  for (const [name, titles] of Object.entries(left)) {
    const { notifications } = await getNotificationPage(hub.as(name));
    expect(notifications.map(titleOf).toSorted()).toEqual(titles);
  }
  if (typeof tell === 'function') await (tell as () => Promise<void>)();
  for (const [name, titles] of Object.entries(left)) {
    expect((await hub.titles(name)).toSorted()).toEqual(titles);
    const isRead = name === 'bob' && titles.includes('secret one') ? 1 : 0;
    const count = { view: titles.length, unread: titles.length - isRead, all: titles.length };
    expect((await hub.inbox(name)).count).toEqual(count);
  }
  await hub.verifyCounters();
});

const harmless: [string, (fixture: Fixture) => Promise<unknown>][] = [
  [
    'another role',
    async (fixture) => {
      await fixture.hub.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'admin' }] }] });
      await tellOfMember(fixture, 'bob', 'admin');
    },
  ],
  [
    'access lost and regained, with late events',
    async (fixture) => {
      await fixture.role('bob', 'no_access');
      await fixture.role('bob', 'read');
      await tellOfMember(fixture, 'bob', 'no_access');
    },
  ],
  ['a new name', ({ alice }) => moveRepo({ ...alice, type: 'model', from: 'acme/secret', to: 'acme/mystery' })],
  [
    'private for a member',
    ({ alice }) => updateRepoSettings({ ...alice, type: 'model', repo: 'acme/open', settings: { private: true } }),
  ],
  [
    'private and public again',
    async ({ alice }) => {
      for (const isPrivate of [true, false])
        await updateRepoSettings({ ...alice, type: 'model', repo: 'acme/open', settings: { private: isPrivate } });
    },
  ],
  ['another user is deleted', ({ hub }) => hub.apply({ users: [{ name: 'erin', state: 'absent' }] })],
];

test.each(harmless)('%s deletes no notifications', async (_, change) => {
  await using fixture = await readers();
  await change(fixture);
  expect((await fixture.hub.titles('bob')).toSorted()).toEqual(EVERYTHING);
  expect((await fixture.hub.inbox('bob')).count).toEqual({ view: 3, unread: 2, all: 3 });
  await fixture.hub.verifyCounters();
});

test('deleting a reader leaves the counters of other users as they are', async () => {
  await using fixture = await readers();
  const { hub } = fixture;
  await hub.apply({ users: [{ name: 'dave', state: 'absent' }] });
  expect((await hub.inbox('bob')).count).toEqual({ view: 3, unread: 2, all: 3 });
  const rows = await hub.database.read.selectFrom('notifications').select('user_id').distinct().execute();
  expect(rows).toEqual([{ user_id: await hub.idOf('bob') }]);
  await hub.verifyCounters();
});

test('the notifications of many users about a private repository are checked page by page', async () => {
  await using fixture = await readers();
  const { hub, alice } = fixture;
  const [like] = await hub.database.read
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', await hub.idOf('bob'))
    .execute();
  const userId = await hub.idOf('bob');
  const sourceId = await hub.repoId('acme/open');
  for (let page = 0; page < 12; page++)
    await hub.database.transaction((tx) =>
      tx
        .insertInto('notifications')
        .values(
          Array.from({ length: 100 }, (_, at) => ({
            ...like!,
            source_id: sourceId,
            updated_at: at % 7,
            thread_id: hub.newId(),
          })),
        )
        .execute(),
    );
  await hub.database.transaction((tx) =>
    tx
      .updateTable('inboxes')
      .set({ all_count: 1203, unread_count: like?.read === 0 ? 1202 : 2 })
      .where('user_id', '=', userId)
      .execute(),
  );
  await hub.verifyCounters();
  // The membership is deleted without its event, which would clear the inbox by itself.
  const acme = await hub.idOf('acme');
  await hub.database.transaction((tx) => deleteMembership(tx, acme, userId));
  await updateRepoSettings({ ...alice, type: 'model', repo: 'acme/open', settings: { private: true } });
  await hub.drain();
  const { all_count: left } = await hub.database.read
    .selectFrom('inboxes')
    .select('all_count')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  expect(left).toBe(2);
  await tellOfMember(fixture, 'bob', null);
  expect((await hub.inbox('bob')).count).toEqual({ view: 0, unread: 0, all: 0 });
  await hub.verifyCounters();
});

test('the participants of deleted threads are deleted', async () => {
  await using fixture = await readers();
  const { hub, alice } = fixture;
  const count = async () =>
    (await hub.database.read.selectFrom('thread_participants').select('user_id').execute()).length;
  expect(await count()).toBe(9);
  await deleteDiscussion({ ...alice, ...SECRET, num: 1 });
  await hub.drain();
  expect(await count()).toBe(6);
  await deleteRepo({ ...alice, repo: 'acme/secret' });
  await hub.drain();
  expect(await count()).toBe(3);
});

/**
 * Lets a fan-out and a clean-up race on bob's inbox: the fan-out has read the possible recipients before the clean-up
 * starts.
 */
async function crossing<Data>(
  fixture: Fixture,
  repo: string,
  [topic, takeAway]: readonly [Topic<Data>, (cleanUp: CleanUp) => Reaction<Data>],
  lose: () => Promise<unknown>,
) {
  const { hub, alice } = fixture;
  await deleteNotifications({ ...hub.as('bob'), applyToAll: true });
  await createDiscussion({ ...alice, type: 'model', repo, title: 'crossing', description: '@bob' });
  const news = await hub.lastEvent(discussionTopic);
  const inboxes = createInboxes({ signals: createSignals() });
  const fanOut = createFanOut({
    clock: hub.clock,
    ids: hub.newId,
    inboxes,
    texts: testTexts,
    vouched: vouchedAddresses,
    mailQuietMs: 0,
  });
  const bob = await hub.idOf('bob');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = hub.database.transaction(async (tx) => {
    await inboxes.lock(tx, [bob]);
    await held;
  });
  const telling = hub.database.transaction((tx) => fanOut.onDiscussionEvent(tx, news, undefined));
  const waiting = sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%insert into inboxes%' and datname = current_database()`;
  await expect.poll(async () => Number((await waiting.execute(hub.database.read)).rows[0]?.n)).toBeGreaterThan(0);
  // The clean-up of a deleted discussion runs after the fan-out; other clean-ups run meanwhile, or wait by themselves.
  const taking = lose().then(async () => {
    const loss = await hub.lastEvent(topic);
    await hub.database.transaction((tx) => takeAway(createCleanUp({ inboxes }))(tx, loss, undefined));
  });
  await Promise.race([taking, setTimeout(300)]);
  release();
  await Promise.all([holding, telling, taking]);
  await hub.verifyCounters();
  return (await getNotificationPage(hub.as('bob'))).count;
}

describe.runIf(engine === 'postgres')(
  'a notification that is fanned out during a loss of access is in no counter',
  () => {
    const NOTHING = { view: 0, unread: 0, all: 0 };
    const MEMBERSHIP = [membershipTopic, ({ onMembershipEvent }: CleanUp) => onMembershipEvent] as const;
    const REPO = [repoTopic, ({ onRepoEvent }: CleanUp) => onRepoEvent] as const;
    const DISCUSSION = [discussionTopic, ({ onDiscussionEvent }: CleanUp) => onDiscussionEvent] as const;

    test('a membership', async () => {
      await using fixture = await readers();
      expect(await crossing(fixture, 'acme/secret', MEMBERSHIP, () => fixture.leave('bob'))).toEqual(NOTHING);
    });

    test('a repository that becomes private', async () => {
      await using fixture = await readers();
      const { hub, alice } = fixture;
      await fixture.leave('bob');
      await hub.drain();
      const becomesPrivate = () =>
        updateRepoSettings({ ...alice, type: 'model', repo: 'acme/open', settings: { private: true } });
      expect(await crossing(fixture, 'acme/open', REPO, becomesPrivate)).toEqual(NOTHING);
    });

    test('a repository, or the discussion', async () => {
      await using fixture = await readers();
      const { alice } = fixture;
      const deleteIt = () => deleteDiscussion({ ...alice, ...SECRET, num: 3 });
      expect(await crossing(fixture, 'acme/secret', DISCUSSION, deleteIt)).toEqual(NOTHING);
      const deleteAll = () => deleteRepo({ ...alice, repo: 'acme/secret' });
      expect(await crossing(fixture, 'acme/secret', REPO, deleteAll)).toEqual(NOTHING);
    });
  },
);

test('a change of settings that affects no access runs no clean-up', async () => {
  await using fixture = await readers();
  const { hub, alice } = fixture;
  await updateRepoSettings({ ...alice, ...SECRET, settings: { discussionsDisabled: true } });
  const { onRepoEvent } = createCleanUp({ inboxes: createInboxes({ signals: createSignals() }) });
  const untouched = undefined as unknown as Executor;
  expect(await onRepoEvent(untouched, await hub.lastEvent(repoTopic), undefined)).toBeUndefined();
});

test('late events notify nobody of what has been deleted or become private since', async () => {
  await using fixture = await readers();
  const { hub, alice } = fixture;
  const late = async (change: () => Promise<unknown>) => {
    await createDiscussion({ ...alice, ...SECRET, title: 'late', description: '@bob @dave' });
    await change();
    return [await titles('bob'), await titles('dave')];
  };
  const titles = async (name: string) => (await hub.titles(name)).filter((title) => title === 'late').length;
  expect(await late(() => fixture.leave('bob'))).toEqual([0, 1]);
  expect(await late(() => deleteRepo({ ...alice, repo: 'acme/secret' }))).toEqual([0, 0]);
});
