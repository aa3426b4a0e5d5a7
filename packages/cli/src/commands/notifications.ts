import {
  deleteNotifications,
  listNotifications,
  markNotifications,
  type Notification,
  streamNotifications,
} from '@moonbase/client/notifications';
import { command, following, group, listing } from '../program/command.ts';
import { UsageError } from '../program/failure.ts';
import { choice, flag, restArguments, text } from '../program/parameter.ts';
import { printable } from '../terminal/table.ts';
import { when } from './parameters.ts';

/** Returns the thread of a notification: the id for `read` and `done`, and a description. */
function threadOf(notification: Notification): { id: string; place: string; title: string } {
  switch (notification.type) {
    case 'repo': {
      const { repo, discussion } = notification;
      // 0 is no discussion: these are the requests for access to a gated repository.
      const number = discussion.num === 0 ? '' : `#${discussion.num}`;
      return { id: discussion.id, place: `${repo.name}${number}`, title: discussion.title };
    }
    case 'paper':
      return { id: notification.paperDiscussion.id, place: 'paper', title: notification.paper.title };
    case 'post':
      return {
        id: notification.post.id,
        place: `post of ${notification.post.authorName}`,
        title: notification.post.title,
      };
    case 'community_blog':
      return { id: notification.blog.id, place: 'article', title: notification.blog.title };
  }
}

const mention = choice(['participating', 'mentions'], 'only threads in which you participate, or are mentioned');
const repo = text('name', 'only of this repository: namespace/name');

const list = listing({
  name: 'list',
  summary: 'list your notifications, newest first',
  options: { unread: flag('only unread ones', { short: 'u' }), mention, repo },
  run: ({ hub, options: { unread, repo: repoName, ...filters } }) =>
    listNotifications({ ...hub, ...filters, repoName, readStatus: unread ? 'unread' : undefined }),
  columns: {
    id: (each) => threadOf(each).id,
    new: ({ read }) => (read ? '' : 'new'),
    where: (each) => threadOf(each).place,
    title: (each) => threadOf(each).title,
    at: ({ updatedAt }) => when(updatedAt),
  },
});

const which = { ids: restArguments('ids of threads, as `list` shows them') };
const filters = { all: flag('all notifications, or all that match the filters'), mention, repo };

/**
 * Returns the threads with the given ids, or with `--all` those that match; an omitted choice never selects everything.
 */
function selectThreads(
  { ids }: { readonly ids?: readonly string[] | undefined },
  {
    all,
    repo: repoName,
    mention: mentioned,
  }: { all?: boolean | undefined; repo?: string | undefined; mention?: 'participating' | 'mentions' | undefined },
) {
  if ((ids === undefined || ids.length === 0) === !all) throw new UsageError('Give ids, or --all.');
  if (!all && (repoName ?? mentioned) !== undefined) throw new UsageError('--repo and --mention require --all.');
  return { ...(ids?.length && { discussionIds: [...ids] }), applyToAll: all, repoName, mention: mentioned };
}
const countText = (verb: string, { count }: { readonly count: number }) =>
  `${verb} ${count === 1 ? '1 notification' : `${count} notifications`}.\n`;

const read = command({
  name: 'read',
  summary: 'mark notifications as read',
  args: which,
  options: { ...filters, unread: flag('mark them as unread instead') },
  run: ({ hub, args, options: { unread, ...options } }) =>
    markNotifications({ ...hub, ...selectThreads(args, options), read: !unread }),
  say: (answer) => countText('Marked', answer),
});

const done = command({
  name: 'done',
  summary: 'delete notifications',
  args: which,
  options: filters,
  run: ({ hub, args, options }) => deleteNotifications({ ...hub, ...selectThreads(args, options) }),
  say: (answer) => countText('Deleted', answer),
});

const watch = following({
  name: 'watch',
  summary: 'print notifications as they arrive, until interrupted',
  run: ({ hub }) => streamNotifications(hub),
  line(each) {
    if (each.event === 'count') return `${each.data.unread} unread of ${each.data.all}`;
    const { place, title } = threadOf(each.data);
    return `${when(each.data.updatedAt)}  ${place}  ${printable(title)}`;
  },
});

export const notifications = group('notifications', 'your inbox', [list, read, done, watch]);
