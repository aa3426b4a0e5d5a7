import { getNotificationPage, type Notification, type NotificationFilters } from '@moonbase/client/notifications';
import { updateNotificationSettings } from '@moonbase/client/settings';
import { updateMuted, updateWatched } from '@moonbase/client/watching';
import type { NotificationSettings } from '@moonbase/contract/accounts/settings';
import { sql } from 'kysely';
import { commentTopic } from '../src/comments/index.ts';
import { createEvents, type HubEvent } from '../src/platform/events/events.ts';
import type { Topic } from '../src/platform/events/topic.ts';
import { createIds } from '../src/platform/ids.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { testTexts } from './texts.ts';

/** A hub with shortcuts for tests of inboxes. */
export interface InboxHub extends TestHub {
  readonly newId: () => string;
  idOf(account: string): Promise<string>;
  repoId(name: string): Promise<string>;
  watch(user: string, type: 'user' | 'org' | 'repo', id: string): Promise<unknown>;
  mute(user: string, type: 'repo' | 'discussion', id: string): Promise<unknown>;
  turnOff(user: string, settings: readonly (keyof NotificationSettings)[]): Promise<unknown>;
  /** Records an event as the service of its topic does. */
  record<Data>(topic: Topic<Data>, data: NoInfer<Data>): Promise<void>;
  /** Returns the last event of a topic. */
  lastEvent<Data>(topic: Topic<Data>): Promise<HubEvent<Data>>;
  /** Inserts a comment on a paper, a post or an article, and records its event; returns the id of the comment. */
  comment(by: string, thread: { type: Subject; id: string }, raw: string, replyTo?: string): Promise<string>;
  inbox(user: string, filters?: NotificationFilters): Promise<{ notifications: Notification[]; count: Counts }>;
  /** Returns the titles in the inbox of a user. */
  titles(user: string, filters?: NotificationFilters): Promise<string[]>;
  /** Throws if the counters of an inbox differ from its rows. */
  verifyCounters(): Promise<void>;
}

type Subject = 'paper' | 'post' | 'community_blog';
type Counts = { view: number; unread: number; all: number };

export const titleOf = (notification: Notification): string => {
  switch (notification.type) {
    case 'repo':
      return notification.discussion.title;
    case 'paper':
      return notification.paper.title;
    case 'post':
      return notification.post.title;
    case 'community_blog':
      return notification.blog.title;
  }
};

/** Starts a hub with users and the organization `acme`, whose admin is the first user. */
export async function startInboxHub(...people: string[]): Promise<InboxHub> {
  const hub = await startHub();
  const { read } = hub.database;
  const newId = createIds(hub.clock);
  const events = createEvents({ clock: hub.clock, ids: newId, nudge: () => {} });
  const [first = 'alice'] = people;
  await hub.apply({
    users: people.map(person),
    organizations: [{ name: 'acme', members: [{ user: first, role: 'admin' }] }],
  });
  const idOf = async (account: string) =>
    (await read.selectFrom('accounts').select('id').where('name_key', '=', account).executeTakeFirstOrThrow()).id;
  const inboxHub: InboxHub = Object.assign(hub, {
    newId,
    idOf,
    async repoId(name: string) {
      const [owner = '', repo = ''] = name.split('/');
      const query = read
        .selectFrom('repositories')
        .select('id')
        .where('owner_id', '=', await idOf(owner));
      return (await query.where('name_key', '=', repo).executeTakeFirstOrThrow()).id;
    },
    watch: (user: string, type: 'user' | 'org' | 'repo', id: string) =>
      updateWatched({ ...hub.as(user), add: [{ id, type }] }),
    mute: (user: string, type: 'repo' | 'discussion', id: string) =>
      updateMuted({ ...hub.as(user), add: [{ id, type }] }),
    turnOff: (user: string, settings: readonly (keyof NotificationSettings)[]) =>
      updateNotificationSettings({
        ...hub.as(user),
        notifications: Object.fromEntries(settings.map((key) => [key, false])),
      }),
    async record<Data>(topic: Topic<Data>, data: NoInfer<Data>) {
      await hub.database.transaction((tx) => events.record(tx, topic, data));
    },
    async lastEvent<Data>(topic: Topic<Data>) {
      const query = read
        .selectFrom('events')
        .selectAll()
        .where('topic', '=', topic.name)
        .orderBy('id', 'desc')
        .limit(1);
      const { id, created_at: createdAt, epoch, data: text, trace } = await query.executeTakeFirstOrThrow();
      return { id, topic: topic.name, createdAt, epoch, data: topic.read(text), text, trace };
    },
    async comment(by: string, thread: { type: Subject; id: string }, raw: string, replyTo?: string) {
      const id = newId();
      const now = hub.clock.now();
      const author = await idOf(by);
      const data = JSON.stringify({
        ...(await testTexts.write(raw, author)),
        updatedAt: now,
        hidden: false,
        editors: [],
        edits: 0,
      });
      await hub.database.transaction((tx) =>
        tx
          .insertInto('comments')
          .values({
            id,
            thread_type: thread.type,
            thread_id: thread.id,
            reply_to: replyTo ?? null,
            author_id: author,
            created_at: now,
            data,
          })
          .execute(),
      );
      await inboxHub.record(commentTopic, { action: 'create', thread, commentId: id, actorId: author });
      return id;
    },
    async inbox(user: string, filters: NotificationFilters = {}) {
      await hub.drain();
      return getNotificationPage({ ...hub.as(user), ...filters });
    },
    async titles(user: string, filters: NotificationFilters = {}) {
      return (await inboxHub.inbox(user, filters)).notifications.map(titleOf);
    },
    async verifyCounters() {
      const { rows } = await sql<{ user_id: string }>`
        select i.user_id, i.all_count, i.unread_count, count(n.user_id) as rows, sum(1 - n.read) as unread
        from inboxes i left join notifications n on n.user_id = i.user_id
        group by i.user_id, i.all_count, i.unread_count
        having i.all_count <> count(n.user_id) or i.unread_count <> coalesce(sum(1 - n.read), 0)
        union all select user_id, 0, 0, 0, 0 from notifications where user_id not in (select user_id from inboxes)
      `.execute(read);
      if (rows.length > 0) throw new Error(`Counters are not what the rows are: ${JSON.stringify(rows)}`);
    },
  });
  return inboxHub;
}
