import { deleteNotifications, type Notification } from '@moonbase/client/notifications';
import { describe, expect, test } from 'vitest';
import { commentTopic, threadTopic } from '../src/comments/index.ts';
import { createFanOut } from '../src/notifications/fan-out/fan-out.ts';
import { createInboxes } from '../src/notifications/inbox/inboxes.ts';
import type { QueueMails } from '../src/notifications/index.ts';
import { createSignals } from '../src/platform/queue/signals.ts';
import { type InboxTown, inboxTown } from './inbox-town.ts';
import { testTexts } from './texts.ts';

const PEOPLE = ['alice', 'bob', 'carol', 'dave'];
const TYPES = ['paper', 'post', 'community_blog'] as const;
type Type = (typeof TYPES)[number];

/** A paper, a post and an article of bob. */
async function library() {
  const town = await inboxTown(...PEOPLE);
  await town.apply({
    users: PEOPLE.map((name) => ({ name, email: `${name}@example.com` })),
    papers: [{ id: '2401.00001', title: 'paper', authors: [{ name: 'Bob', user: 'bob' }, { name: 'Somebody' }] }],
    posts: [{ author: 'bob', slug: 'note', title: 'post' }],
    articles: [{ author: 'bob', slug: 'essay', title: 'community_blog', canonical: true }],
  });
  const rows = [
    ...(await town.database.read.selectFrom('papers').select(['id', 'title']).execute()),
    ...(await town.database.read.selectFrom('posts').select(['id', 'title']).execute()),
  ];
  const thread = (type: Type) => ({ type, id: rows.find(({ title }) => title === type)?.id ?? '' });
  return { town, thread, [Symbol.asyncDispose]: () => town[Symbol.asyncDispose]() };
}

async function who(town: InboxTown): Promise<string[]> {
  const names: string[] = [];
  for (const name of PEOPLE) if ((await town.titles(name)).length > 0) names.push(name);
  return names;
}

async function clear(town: InboxTown) {
  await town.drain();
  for (const name of PEOPLE) await deleteNotifications({ ...town.as(name), applyToAll: true });
}

describe.each(TYPES)('a %s', (type) => {
  test('tells whose it is of a comment', async () => {
    await using place = await library();
    await place.town.say('alice', place.thread(type), 'Nice');
    expect(await who(place.town)).toEqual(['bob']);
  });

  test('tells whoever wrote there, of comments and of replies', async () => {
    await using place = await library();
    const { town, thread } = place;
    const first = await town.say('carol', thread(type), 'First');
    await clear(town);
    await town.say('alice', thread(type), 'Second');
    expect(await who(town)).toEqual(['bob', 'carol']);
    await clear(town);
    await town.say('dave', thread(type), 'Reply', first);
    expect(await who(town)).toEqual(['alice', 'bob', 'carol']);
  });

  test('tells those who are mentioned, but not who does it, nor who mutes it', async () => {
    await using place = await library();
    const { town, thread } = place;
    await town.mute('carol', 'discussion', thread(type).id);
    await town.say('bob', thread(type), 'For @bob, @carol, @dave');
    expect(await who(town)).toEqual(['dave']);
  });

  test('is no news to those who watch its author', async () => {
    await using place = await library();
    const { town, thread } = place;
    await town.watch('carol', 'user', await town.idOf('bob'));
    await town.say('alice', thread(type), 'Nice');
    expect(await who(town)).toEqual(['bob']);
  });

  test('asks one setting for the list, another for mail', async () => {
    await using place = await library();
    const { town, thread } = place;
    const mails: string[] = [];
    const queueMails: QueueMails = async (_, queued) => void mails.push(...queued.map(({ kind }) => kind));
    const inboxes = createInboxes({ signals: createSignals() });
    const fanOut = createFanOut({
      clock: town.clock,
      ids: town.newId,
      inboxes,
      texts: testTexts,
      queueMails,
      mailQuietMs: 0,
    });
    const say = async () => {
      await town.say('alice', thread(type), 'Nice');
      await town.drain();
      const event = await town.lastEvent(commentTopic);
      await town.database.transaction((tx) => fanOut.onCommentEvent(tx, event, undefined));
      return mails.splice(0);
    };
    const kind = type === 'paper' ? 'arxiv_paper_activity' : 'posts_participating';
    expect(await say()).toEqual([kind]);
    expect(await who(town)).toEqual(['bob']);
    await clear(town);
    await town.settings('bob', { [kind]: 0, web_discussions_participating: 0 });
    expect(await say()).toEqual([]);
    expect(await who(town)).toEqual(['bob']);
    await clear(town);
    await town.database.transaction((tx) =>
      tx
        .updateTable('notification_settings')
        .set({ [kind]: 1, web_posts_participating: 0 })
        .execute(),
    );
    expect(await say()).toEqual([kind]);
    expect(await who(town)).toEqual([]);
  });

  test('says nothing of what is hidden by now; an edit tells those whom it adds', async () => {
    await using place = await library();
    const { town, thread } = place;
    const say = (raw: string, hidden: boolean) =>
      town.database.transaction((tx) =>
        tx
          .updateTable('comments')
          .set({ data: JSON.stringify({ raw, hidden, updatedAt: 0, editors: [], edits: 0 }) })
          .execute(),
      );
    const commentId = await town.say('alice', thread(type), 'Nice, @carol');
    await say('Nice, @carol', true);
    expect(await who(town)).toEqual([]);
    await say('Nice, @carol and @dave', false);
    const edit = { action: 'update' as const, thread: thread(type), commentId, actorId: await town.idOf('alice') };
    await town.record(commentTopic, edit);
    expect(await who(town)).toEqual(['carol', 'dave']);
    await clear(town);
    await town.record(commentTopic, edit);
    expect(await who(town)).toEqual([]);
  });

  test('that is deleted takes its notifications along', async () => {
    await using place = await library();
    const { town, thread } = place;
    for (const each of TYPES) await town.say('alice', thread(each), '@carol');
    expect((await town.inbox('bob')).count).toEqual({ view: 3, unread: 3, all: 3 });
    const { id } = thread(type);
    await town.database.transaction((tx) =>
      tx
        .deleteFrom(type === 'paper' ? 'papers' : 'posts')
        .where('id', '=', id)
        .execute(),
    );
    expect((await town.inbox('bob')).notifications).toHaveLength(2);
    await town.record(threadTopic, { action: 'delete', thread: thread(type), actorId: await town.idOf('bob') });
    for (const name of ['bob', 'carol']) expect((await town.inbox(name)).count).toEqual({ view: 2, unread: 2, all: 2 });
    await town.verifyCounters();
  });
});

test('each type has its own fields', async () => {
  await using place = await library();
  const { town, thread } = place;
  const said: Record<string, string> = {};
  for (const type of TYPES) {
    town.clock.advance(1);
    said[type] = await town.say('alice', thread(type), 'Nice');
  }
  const _id = await town.idOf('alice');
  const participating = [{ _id, user: 'alice', avatar: `${town.url}/avatars/${_id}.svg` }];
  const shown = (type: Type, at: number) => ({
    type,
    read: false,
    updatedAt: `2026-01-05T12:00:00.00${at}Z`,
    discussionEventId: said[type],
  });
  const [paper, post, blog] = TYPES.map((type) => thread(type).id);
  expect((await town.inbox('bob')).notifications).toEqual<Notification[]>([
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

test('an author who is deleted takes along what others have of posts and articles', async () => {
  await using place = await library();
  const { town, thread } = place;
  for (const type of TYPES) await town.say('alice', thread(type), '@carol');
  expect((await town.inbox('carol')).count).toEqual({ view: 3, unread: 3, all: 3 });
  await town.apply({ users: [{ name: 'bob', state: 'absent' }] });
  expect(await town.titles('carol')).toEqual(['paper']);
  expect((await town.inbox('carol')).count).toEqual({ view: 1, unread: 1, all: 1 });
  await town.verifyCounters();
});
