import { deleteNotifications, type Notification } from '@moonbase/client/notifications';
import { describe, expect, test } from 'vitest';
import { commentTopic, threadTopic } from '../src/comments/index.ts';
import { createFanOut } from '../src/notifications/fan-out/fan-out.ts';
import { createInboxes } from '../src/notifications/inbox/inboxes.ts';
import type { QueueMails } from '../src/notifications/index.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { vouchedAddresses } from '../src/scim/index.ts';
import { type InboxHub, startInboxHub } from './inbox-hub.ts';
import { testTexts } from './texts.ts';

const PEOPLE = ['alice', 'bob', 'carol', 'dave'];
const TYPES = ['paper', 'post', 'community_blog'] as const;
type Type = (typeof TYPES)[number];

/** Creates a paper, a post and an article of bob. */
async function library() {
  const hub = await startInboxHub(...PEOPLE);
  await hub.apply({
    users: PEOPLE.map((name) => ({ name, email: `${name}@example.com` })),
    papers: [{ id: '2401.00001', title: 'paper', authors: [{ name: 'Bob', user: 'bob' }, { name: 'Somebody' }] }],
    posts: [{ author: 'bob', slug: 'note', title: 'post' }],
    articles: [{ author: 'bob', slug: 'essay', title: 'community_blog', canonical: true }],
  });
  const rows = [
    ...(await hub.database.read.selectFrom('papers').select(['id', 'title']).execute()),
    ...(await hub.database.read.selectFrom('posts').select(['id', 'title']).execute()),
  ];
  const thread = (type: Type) => ({ type, id: rows.find(({ title }) => title === type)?.id ?? '' });
  return { hub, thread, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

async function who(hub: InboxHub): Promise<string[]> {
  const names: string[] = [];
  for (const name of PEOPLE) if ((await hub.titles(name)).length > 0) names.push(name);
  return names;
}

async function clear(hub: InboxHub) {
  await hub.drain();
  for (const name of PEOPLE) await deleteNotifications({ ...hub.as(name), applyToAll: true });
}

describe.each(TYPES)('a %s', (type) => {
  test('notifies its author of a comment', async () => {
    await using fixture = await library();
    await fixture.hub.comment('alice', fixture.thread(type), 'Nice');
    expect(await who(fixture.hub)).toEqual(['bob']);
  });

  test('notifies those who wrote in it of comments and of replies', async () => {
    await using fixture = await library();
    const { hub, thread } = fixture;
    const first = await hub.comment('carol', thread(type), 'First');
    await clear(hub);
    await hub.comment('alice', thread(type), 'Second');
    expect(await who(hub)).toEqual(['bob', 'carol']);
    await clear(hub);
    await hub.comment('dave', thread(type), 'Reply', first);
    expect(await who(hub)).toEqual(['alice', 'bob', 'carol']);
  });

  test('notifies mentioned users, but neither the writer nor users who muted it', async () => {
    await using fixture = await library();
    const { hub, thread } = fixture;
    await hub.mute('carol', 'discussion', thread(type).id);
    await hub.comment('bob', thread(type), 'For @bob, @carol, @dave');
    expect(await who(hub)).toEqual(['dave']);
  });

  test('does not notify those who watch its author', async () => {
    await using fixture = await library();
    const { hub, thread } = fixture;
    await hub.watch('carol', 'user', await hub.idOf('bob'));
    await hub.comment('alice', thread(type), 'Nice');
    expect(await who(hub)).toEqual(['bob']);
  });

  test('depends on one setting for the list and on another for mails', async () => {
    await using fixture = await library();
    const { hub, thread } = fixture;
    const mails: string[] = [];
    const queueMails: QueueMails = async (_, queued) => void mails.push(...queued.map(({ kind }) => kind));
    const inboxes = createInboxes({ signals: createSignals() });
    const fanOut = createFanOut({
      clock: hub.clock,
      ids: hub.newId,
      inboxes,
      texts: testTexts,
      vouched: vouchedAddresses,
      queueMails,
      mailQuietMs: 0,
    });
    const say = async () => {
      await hub.comment('alice', thread(type), 'Nice');
      await hub.drain();
      const event = await hub.lastEvent(commentTopic);
      await hub.database.transaction((tx) => fanOut.onCommentEvent(tx, event, undefined));
      return mails.splice(0);
    };
    const kind = type === 'paper' ? 'arxiv_paper_activity' : 'posts_participating';
    expect(await say()).toEqual([kind]);
    expect(await who(hub)).toEqual(['bob']);
    await clear(hub);
    await hub.turnOff('bob', [kind, 'web_discussions_participating']);
    expect(await say()).toEqual([]);
    expect(await who(hub)).toEqual(['bob']);
    await clear(hub);
    await hub.database.transaction((tx) =>
      tx
        .updateTable('notification_settings')
        .set({ [kind]: 1, web_posts_participating: 0 })
        .execute(),
    );
    expect(await say()).toEqual([kind]);
    expect(await who(hub)).toEqual([]);
  });

  test('notifies nobody of a hidden comment; an edit notifies users whom it adds', async () => {
    await using fixture = await library();
    const { hub, thread } = fixture;
    const say = (raw: string, hidden: boolean) =>
      hub.database.transaction((tx) =>
        tx
          .updateTable('comments')
          .set({ data: JSON.stringify({ raw, hidden, updatedAt: 0, editors: [], edits: 0 }) })
          .execute(),
      );
    const commentId = await hub.comment('alice', thread(type), 'Nice, @carol');
    await say('Nice, @carol', true);
    expect(await who(hub)).toEqual([]);
    await say('Nice, @carol and @dave', false);
    const edit = { action: 'update' as const, thread: thread(type), commentId, actorId: await hub.idOf('alice') };
    await hub.record(commentTopic, edit);
    expect(await who(hub)).toEqual(['carol', 'dave']);
    await clear(hub);
    await hub.record(commentTopic, edit);
    expect(await who(hub)).toEqual([]);
  });

  test('is deleted with its notifications', async () => {
    await using fixture = await library();
    const { hub, thread } = fixture;
    for (const each of TYPES) await hub.comment('alice', thread(each), '@carol');
    expect((await hub.inbox('bob')).count).toEqual({ view: 3, unread: 3, all: 3 });
    const { id } = thread(type);
    await hub.database.transaction((tx) =>
      tx
        .deleteFrom(type === 'paper' ? 'papers' : 'posts')
        .where('id', '=', id)
        .execute(),
    );
    expect((await hub.inbox('bob')).notifications).toHaveLength(2);
    await hub.record(threadTopic, { action: 'delete', thread: thread(type), actorId: await hub.idOf('bob') });
    for (const name of ['bob', 'carol']) expect((await hub.inbox(name)).count).toEqual({ view: 2, unread: 2, all: 2 });
    await hub.verifyCounters();
  });
});

test('each type of notification has its own fields', async () => {
  await using fixture = await library();
  const { hub, thread } = fixture;
  const said: Record<string, string> = {};
  for (const type of TYPES) {
    hub.clock.advance(1);
    said[type] = await hub.comment('alice', thread(type), 'Nice');
  }
  const _id = await hub.idOf('alice');
  const participating = [{ _id, user: 'alice', avatar: `${hub.url}/avatars/${_id}.svg` }];
  const shown = (type: Type, at: number) => ({
    type,
    read: false,
    updatedAt: `2026-01-05T12:00:00.00${at}Z`,
    discussionEventId: said[type],
  });
  const [paper, post, blog] = TYPES.map((type) => thread(type).id);
  expect((await hub.inbox('bob')).notifications).toEqual<Notification[]>([
    {
      ...shown('community_blog', 3),
      type: 'community_blog',
      blog: {
        id: blog ?? '',
        slug: 'essay',
        title: 'community_blog',
        canonical: true,
        authorName: 'bob',
        participating,
      },
    },
    {
      ...shown('post', 2),
      type: 'post',
      post: { id: post ?? '', slug: 'note', title: 'post', authorName: 'bob', participating },
    },
    {
      ...shown('paper', 1),
      type: 'paper',
      paper: { _id: paper ?? '', title: 'paper' },
      paperDiscussion: { id: paper ?? '', paperId: paper ?? '', participating },
    },
  ]);
});

test('notifications about posts and articles are deleted with the author', async () => {
  await using fixture = await library();
  const { hub, thread } = fixture;
  for (const type of TYPES) await hub.comment('alice', thread(type), '@carol');
  expect((await hub.inbox('carol')).count).toEqual({ view: 3, unread: 3, all: 3 });
  await hub.apply({ users: [{ name: 'bob', state: 'absent' }] });
  expect(await hub.titles('carol')).toEqual(['paper']);
  expect((await hub.inbox('carol')).count).toEqual({ view: 1, unread: 1, all: 1 });
  await hub.verifyCounters();
});
