import { getNotificationPage, type Notification, type NotificationFilters } from '@moonbase/client/notifications';
import { sql } from 'kysely';
import { commentTopic } from '../src/comments/index.ts';
import { createEvents, type HubEvent } from '../src/platform/events/events.ts';
import type { Topic } from '../src/platform/events/topic.ts';
import { createIds } from '../src/platform/ids.ts';
import type { NotificationSettingsRow } from '../src/settings/tables.ts';
import { person, startHub, type TestHub } from './harness.ts';
import { testTexts } from './texts.ts';

/** A hub with what concerns inboxes: what other endpoints do with the same rows stands here in short. */
export interface InboxTown extends TestHub {
  readonly newId: () => string;
  idOf(account: string): Promise<string>;
  repoId(name: string): Promise<string>;
  watch(user: string, targetType: 'user' | 'org' | 'repo', targetId: string): Promise<void>;
  mute(user: string, targetType: 'repo' | 'discussion', targetId: string): Promise<void>;
  settings(user: string, flags: Partial<NotificationSettingsRow>): Promise<void>;
  /** Records an event as the service of its topic does. */
  record<Data>(topic: Topic<Data>, data: NoInfer<Data>): Promise<void>;
  /** The last event of a topic. */
  lastEvent<Data>(topic: Topic<Data>): Promise<HubEvent<Data>>;
  /** A comment on a paper, a post or an article, with its event. Returns its id. */
  say(by: string, thread: { type: Subject; id: string }, raw: string, replyTo?: string): Promise<string>;
  inbox(user: string, filters?: NotificationFilters): Promise<{ notifications: Notification[]; count: Counts }>;
  /** The titles in the list of a user. */
  titles(user: string, filters?: NotificationFilters): Promise<string[]>;
  /** Throws where counters and rows differ. */
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

/** The people, and the organization acme that the first of them runs. */
export async function inboxTown(...people: string[]): Promise<InboxTown> {
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
  const town: InboxTown = Object.assign(hub, {
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
    async watch(user: string, target_type: 'user' | 'org' | 'repo', target_id: string) {
      const row = { user_id: await idOf(user), target_type, target_id, created_at: 0 };
      await hub.database.transaction((tx) =>
        tx
          .insertInto('watches')
          .values(row)
          .onConflict((conflict) => conflict.doNothing())
          .execute(),
      );
    },
    async mute(user: string, target_type: 'repo' | 'discussion', target_id: string) {
      const row = { user_id: await idOf(user), target_type, target_id, created_at: 0 };
      await hub.database.transaction((tx) => tx.insertInto('mutes').values(row).execute());
    },
    async settings(user: string, flags: Partial<NotificationSettingsRow>) {
      const row = { user_id: await idOf(user), data: '{}', ...flags };
      await hub.database.transaction((tx) =>
        tx
          .insertInto('notification_settings')
          .values(row as NotificationSettingsRow)
          .execute(),
      );
    },
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
      const { id, created_at: createdAt, epoch, data } = await query.executeTakeFirstOrThrow();
      return { id, topic: topic.name, createdAt, epoch, data: topic.read(data) };
    },
    async say(by: string, thread: { type: Subject; id: string }, raw: string, replyTo?: string) {
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
      await town.record(commentTopic, { action: 'create', thread, commentId: id, actorId: author });
      return id;
    },
    async inbox(user: string, filters: NotificationFilters = {}) {
      await hub.drain();
      return getNotificationPage({ ...hub.as(user), ...filters });
    },
    async titles(user: string, filters: NotificationFilters = {}) {
      return (await town.inbox(user, filters)).notifications.map(titleOf);
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
  return town;
}
