import { setTimeout } from 'node:timers/promises';
import { createDiscussion, deleteDiscussion } from '@moonbase/client/discussions';
import { deleteNotifications, getNotificationPage, markNotifications } from '@moonbase/client/notifications';
import { createRepo, deleteRepo, moveRepo, updateRepoSettings } from '@moonbase/client/repositories';
import type { BuiltInRole } from '@moonbase/contract/primitives';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { membershipTopic } from '../src/access/index.ts';
import { removeMembership } from '../src/access/store.ts';
import { createRemoval, type Removal } from '../src/notifications/clean-up/removal.ts';
import { createFanOut } from '../src/notifications/fan-out/fan-out.ts';
import { createInboxes } from '../src/notifications/inbox/inboxes.ts';
import type { Executor } from '../src/platform/database/transaction.ts';
import type { Reaction } from '../src/platform/events/reaction.ts';
import type { Topic } from '../src/platform/events/topic.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { discussionTopic, repoTopic } from '../src/repositories/index.ts';
import { inboxTown, titleOf } from './inbox-town.ts';
import { engine } from './test-database.ts';
import { testTexts } from './texts.ts';

/*
 * bob has, of alice's doing: two discussions in the private acme/secret, one of them read, and one in the public
 * acme/open. dave, who stays a member, has the same.
 */
async function readers() {
  const town = await inboxTown('alice', 'bob', 'dave');
  const alice = town.as('alice');
  const members = ['bob', 'dave'].map((user) => ({ user, role: 'read' as const }));
  await town.apply({
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
  await town.drain();
  const { id } = await town.database.read
    .selectFrom('discussions')
    .select('id')
    .where('title', '=', 'secret one')
    .executeTakeFirstOrThrow();
  await markNotifications({ ...town.as('bob'), discussionIds: [id] });
  const role = (name: string, given: 'read' | 'no_access') =>
    town.apply({ organizations: [{ name: 'acme', members: [{ user: name, role: given }] }] });
  const leave = (name: string) =>
    town.apply({ organizations: [{ name: 'acme', members: [{ user: name, state: 'absent' }] }] });
  return { town, alice, role, leave, [Symbol.asyncDispose]: () => town[Symbol.asyncDispose]() };
}

type Place = Awaited<ReturnType<typeof readers>>;
const SECRET = { type: 'model', repo: 'acme/secret' } as const;
const EVERYTHING = ['open', 'secret one', 'secret two'];

/** What a membership change records, where nothing records it yet. */
async function tellOfMember({ town }: Place, user: string, role: BuiltInRole | null) {
  const [orgId, userId] = await Promise.all([town.idOf('acme'), town.idOf(user)]);
  await town.record(membershipTopic, { orgId, userId, role, before: null, actorId: userId });
}

const hidden: [string, (place: Place) => Promise<unknown>, { bob: string[]; dave: string[] }][] = [
  [
    'leaving the organization',
    async (place) => {
      await place.leave('bob');
      return () => tellOfMember(place, 'bob', null);
    },
    { bob: ['open'], dave: EVERYTHING },
  ],
  [
    'the role no_access',
    async (place) => {
      await place.role('bob', 'no_access');
      return () => tellOfMember(place, 'bob', 'no_access');
    },
    { bob: ['open'], dave: EVERYTHING },
  ],
  [
    'a move to where one is no member',
    ({ alice }) => moveRepo({ ...alice, type: 'model', from: 'acme/secret', to: 'other/secret' }),
    { bob: ['open'], dave: EVERYTHING },
  ],
  [
    'the repository becomes private',
    async ({ alice, leave, ...place }) => {
      await leave('bob');
      await tellOfMember({ alice, leave, ...place }, 'bob', null);
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
    ({ town }) => town.apply({ organizations: [{ name: 'acme', state: 'absent' }] }),
    { bob: [], dave: [] },
  ],
];

test.each(hidden)('%s takes the notifications away at once, and their counts', async (_, lose, left) => {
  await using place = await readers();
  const { town } = place;
  expect((await town.titles('bob')).toSorted()).toEqual(EVERYTHING);
  expect((await town.inbox('bob')).count).toEqual({ view: 3, unread: 2, all: 3 });
  const tell = await lose(place);
  // Nothing was reacted to yet: what cannot be read is not shown even so.
  for (const [name, titles] of Object.entries(left)) {
    const { notifications } = await getNotificationPage(town.as(name));
    expect(notifications.map(titleOf).toSorted()).toEqual(titles);
  }
  if (typeof tell === 'function') await (tell as () => Promise<void>)();
  for (const [name, titles] of Object.entries(left)) {
    expect((await town.titles(name)).toSorted()).toEqual(titles);
    const isRead = name === 'bob' && titles.includes('secret one') ? 1 : 0;
    const count = { view: titles.length, unread: titles.length - isRead, all: titles.length };
    expect((await town.inbox(name)).count).toEqual(count);
  }
  await town.verifyCounters();
});

const harmless: [string, (place: Place) => Promise<unknown>][] = [
  [
    'another role',
    async (place) => {
      await place.town.apply({ organizations: [{ name: 'acme', members: [{ user: 'bob', role: 'admin' }] }] });
      await tellOfMember(place, 'bob', 'admin');
    },
  ],
  [
    'no access and back, told late',
    async (place) => {
      await place.role('bob', 'no_access');
      await place.role('bob', 'read');
      await tellOfMember(place, 'bob', 'no_access');
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
  ['another user is deleted', ({ town }) => town.apply({ users: [{ name: 'erin', state: 'absent' }] })],
];

test.each(harmless)('%s takes nothing away', async (_, change) => {
  await using place = await readers();
  await change(place);
  expect((await place.town.titles('bob')).toSorted()).toEqual(EVERYTHING);
  expect((await place.town.inbox('bob')).count).toEqual({ view: 3, unread: 2, all: 3 });
  await place.town.verifyCounters();
});

test('a reader who is deleted leaves the counts of others as they are', async () => {
  await using place = await readers();
  const { town } = place;
  await town.apply({ users: [{ name: 'dave', state: 'absent' }] });
  expect((await town.inbox('bob')).count).toEqual({ view: 3, unread: 2, all: 3 });
  const rows = await town.database.read.selectFrom('notifications').select('user_id').distinct().execute();
  expect(rows).toEqual([{ user_id: await town.idOf('bob') }]);
  await town.verifyCounters();
});

test('what many people have of a private repository is looked at page by page', async () => {
  await using place = await readers();
  const { town, alice } = place;
  const [like] = await town.database.read
    .selectFrom('notifications')
    .selectAll()
    .where('user_id', '=', await town.idOf('bob'))
    .execute();
  const userId = await town.idOf('bob');
  const sourceId = await town.repoId('acme/open');
  for (let page = 0; page < 12; page++)
    await town.database.transaction((tx) =>
      tx
        .insertInto('notifications')
        .values(
          Array.from({ length: 100 }, (_, at) => ({
            ...like!,
            source_id: sourceId,
            updated_at: at % 7,
            thread_id: town.newId(),
          })),
        )
        .execute(),
    );
  await town.database.transaction((tx) =>
    tx
      .updateTable('inboxes')
      .set({ all_count: 1203, unread_count: like?.read === 0 ? 1202 : 2 })
      .where('user_id', '=', userId)
      .execute(),
  );
  await town.verifyCounters();
  // Without its event, which takes everything away by itself.
  const acme = await town.idOf('acme');
  await town.database.transaction((tx) => removeMembership(tx, acme, userId));
  await updateRepoSettings({ ...alice, type: 'model', repo: 'acme/open', settings: { private: true } });
  await town.drain();
  const { all_count: left } = await town.database.read
    .selectFrom('inboxes')
    .select('all_count')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  expect(left).toBe(2);
  await tellOfMember(place, 'bob', null);
  expect((await town.inbox('bob')).count).toEqual({ view: 0, unread: 0, all: 0 });
  await town.verifyCounters();
});

test('who takes part in what is gone is forgotten', async () => {
  await using place = await readers();
  const { town, alice } = place;
  const count = async () =>
    (await town.database.read.selectFrom('thread_participants').select('user_id').execute()).length;
  expect(await count()).toBe(9);
  await deleteDiscussion({ ...alice, ...SECRET, num: 1 });
  await town.drain();
  expect(await count()).toBe(6);
  await deleteRepo({ ...alice, repo: 'acme/secret' });
  await town.drain();
  expect(await count()).toBe(3);
});

/** What two processes do to bob's inbox at once: one tells, the other takes away, and the first has read who may know. */
async function crossing<Data>(
  place: Place,
  repo: string,
  [topic, takeAway]: readonly [Topic<Data>, (removal: Removal) => Reaction<Data>],
  lose: () => Promise<unknown>,
) {
  const { town, alice } = place;
  await deleteNotifications({ ...town.as('bob'), applyToAll: true });
  await createDiscussion({ ...alice, type: 'model', repo, title: 'crossing', description: '@bob' });
  const news = await town.lastEvent(discussionTopic);
  const inboxes = createInboxes({ signals: createSignals() });
  const fanOut = createFanOut({ clock: town.clock, ids: town.newId, inboxes, texts: testTexts, mailQuietMs: 0 });
  const bob = await town.idOf('bob');
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const holding = town.database.transaction(async (tx) => {
    await inboxes.hold(tx, [bob]);
    await held;
  });
  const telling = town.database.transaction((tx) => fanOut.onDiscussionEvent(tx, news, undefined));
  const waiting = sql<{ n: number }>`select count(*) as n from pg_stat_activity
    where wait_event_type = 'Lock' and query like '%insert into inboxes%' and datname = current_database()`;
  await expect.poll(async () => Number((await waiting.execute(town.database.read)).rows[0]?.n)).toBeGreaterThan(0);
  // A discussion that is told of is deleted after that; the others are taken away meanwhile, or wait by themselves.
  const taking = lose().then(async () => {
    const loss = await town.lastEvent(topic);
    await town.database.transaction((tx) => takeAway(createRemoval({ inboxes }))(tx, loss, undefined));
  });
  await Promise.race([taking, setTimeout(300)]);
  release();
  await Promise.all([holding, telling, taking]);
  await town.verifyCounters();
  return (await getNotificationPage(town.as('bob'))).count;
}

describe.runIf(engine === 'postgres')('what is lost while somebody is told of it is in no counter', () => {
  const NOTHING = { view: 0, unread: 0, all: 0 };
  const MEMBERSHIP = [membershipTopic, ({ onMembershipEvent }: Removal) => onMembershipEvent] as const;
  const REPO = [repoTopic, ({ onRepoEvent }: Removal) => onRepoEvent] as const;
  const DISCUSSION = [discussionTopic, ({ onDiscussionEvent }: Removal) => onDiscussionEvent] as const;

  test('a membership', async () => {
    await using place = await readers();
    expect(await crossing(place, 'acme/secret', MEMBERSHIP, () => place.leave('bob'))).toEqual(NOTHING);
  });

  test('a repository that becomes private', async () => {
    await using place = await readers();
    const { town, alice } = place;
    await place.leave('bob');
    await town.drain();
    const becomesPrivate = () =>
      updateRepoSettings({ ...alice, type: 'model', repo: 'acme/open', settings: { private: true } });
    expect(await crossing(place, 'acme/open', REPO, becomesPrivate)).toEqual(NOTHING);
  });

  test('a repository, or the discussion', async () => {
    await using place = await readers();
    const { alice } = place;
    const deleteIt = () => deleteDiscussion({ ...alice, ...SECRET, num: 3 });
    expect(await crossing(place, 'acme/secret', DISCUSSION, deleteIt)).toEqual(NOTHING);
    const deleteAll = () => deleteRepo({ ...alice, repo: 'acme/secret' });
    expect(await crossing(place, 'acme/secret', REPO, deleteAll)).toEqual(NOTHING);
  });
});

test('a setting that opens or closes nothing costs nothing', async () => {
  await using place = await readers();
  const { town, alice } = place;
  await updateRepoSettings({ ...alice, ...SECRET, settings: { discussionsDisabled: true } });
  const { onRepoEvent } = createRemoval({ inboxes: createInboxes({ signals: createSignals() }) });
  const untouched = undefined as unknown as Executor;
  expect(await onRepoEvent(untouched, await town.lastEvent(repoTopic), undefined)).toBeUndefined();
});

test('late events tell nobody of what is gone or private by now', async () => {
  await using place = await readers();
  const { town, alice } = place;
  const late = async (change: () => Promise<unknown>) => {
    await createDiscussion({ ...alice, ...SECRET, title: 'late', description: '@bob @dave' });
    await change();
    return [await titles('bob'), await titles('dave')];
  };
  const titles = async (name: string) => (await town.titles(name)).filter((title) => title === 'late').length;
  expect(await late(() => place.leave('bob'))).toEqual([0, 1]);
  expect(await late(() => deleteRepo({ ...alice, repo: 'acme/secret' }))).toEqual([0, 0]);
});
