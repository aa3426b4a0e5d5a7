import * as z from 'zod';
import { ObjectId, QueryTime, queryInteger, RepoId, RepoType, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { DiscussionStatus } from '../webhooks/payload.ts';

const Participants = z
  .array(z.object({ _id: ObjectId, avatar: z.string(), user: z.string() }))
  .meta({ description: 'The latest participants, at most five, newest first.' });

const notificationOf = <const T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({
    type: z.literal(type),
    updatedAt: Timestamp,
    read: z.boolean(),
    discussionEventId: z
      .string()
      .optional()
      .meta({ description: 'The latest event of the thread: a comment, or a change of the status.' }),
    ...shape,
  });

/** The number that stands for the requests for access to a repository in place of a discussion. */
export const REQUESTS_NUM = 0;

/** Activity in a thread: a discussion of a repository, or the comments on a paper, a post or an article. */
export const Notification = z
  .union([
    notificationOf('paper', {
      paper: z.object({ _id: ObjectId, title: z.string() }),
      paperDiscussion: z.object({ id: z.string(), participating: Participants, paperId: ObjectId }),
    }),
    notificationOf('repo', {
      repo: RepoId,
      discussion: z.object({
        num: z.number().meta({
          description:
            '0 is no discussion: the requests for access to a gated repository, `open` while one waits, for those who decide about them. Their `id` is that of the repository.',
        }),
        title: z.string(),
        status: DiscussionStatus,
        id: ObjectId,
        isPullRequest: z.boolean(),
        participating: Participants,
      }),
    }),
    notificationOf('post', {
      post: z.object({
        id: z.string(),
        slug: z.string(),
        authorName: z.string(),
        title: z.string(),
        participating: Participants,
      }),
    }),
    notificationOf('community_blog', {
      blog: z.object({
        id: z.string(),
        slug: z.string(),
        title: z.string(),
        canonical: z.boolean().optional(),
        authorName: z.string().optional(),
        participating: Participants,
      }),
    }),
  ])
  .meta({ id: 'Notification' });
export type Notification = z.infer<typeof Notification>;

/** Counters: `view` counts the matches of the query; `unread` and `all` are the totals of the user. */
const Counts = z.object({ view: z.number(), unread: z.number(), all: z.number() });

const ON = ['true', '1', 'on', ''];
const OFF = ['false', '0', 'off'];

const BooleanLike = z
  .string()
  .toLowerCase()
  .pipe(z.enum([...ON, ...OFF], 'must be true, 1, on or empty, or false, 0 or off'))
  .default('false')
  .transform((text) => ON.includes(text))
  .meta({ jsonSchema: { default: false } });

const NotificationQuery = z.object({
  p: queryInteger({ min: 0, max: Number.MAX_SAFE_INTEGER, default: 0 }).meta({ description: 'Page, from 0.' }),
  readStatus: z.enum(['all', 'unread']).default('all'),
  repoType: RepoType.optional(),
  repoName: z.string().optional().meta({ description: 'namespace/name' }),
  postAuthor: z.string().optional().meta({ description: 'Only posts of the user with this name.' }),
  paperId: z
    .string()
    .optional()
    .meta({ description: 'arXiv identifier, also in the form `arXiv:2401.01234v2`, or object id.' }),
  articleId: z.string().optional().meta({ description: 'Object id or slug.' }),
  mention: z.enum(['all', 'participating', 'mentions']).default('all').meta({
    description:
      '`participating`: only threads in which the user wrote or was mentioned; `mentions`: only threads in which the user was mentioned.',
  }),
  lastUpdate: QueryTime.optional().meta({ description: 'Only notifications updated at or before this time.' }),
});

/** The notifications to change. */
const ChangeQuery = NotificationQuery.extend({ applyToAll: BooleanLike });

/** `count`: the number of changed notifications. */
const Changed = z.object({ success: z.literal(true), count: z.int() }).meta({ id: 'NotificationsChanged' });

const tags = ['notifications'];

/** Why a user has a notification, and what the user watches that the thread is in. */
export const NotificationReason = z
  .object({
    id: ObjectId.meta({ description: 'The id of the thread.' }),
    reason: z.enum(['mentioned', 'participating', 'author', 'watching', 'requests']).meta({
      description:
        '`author`: of the post, the article or the paper; `requests`: the user decides about requests for access to the repository.',
    }),
    watched: z
      .array(z.object({ id: ObjectId, type: z.enum(['org', 'user', 'repo']), name: z.string() }))
      .meta({ description: 'The repository and its owner, as far as the user watches them.' }),
    muted: z.boolean().meta({ description: 'Whether the user has muted the thread.' }),
  })
  .meta({ id: 'NotificationReason' });
export type NotificationReason = z.infer<typeof NotificationReason>;

export const listNotifications = defineRoute({
  id: 'listNotifications',
  method: 'GET',
  path: '/api/notifications',
  summary: 'List notifications',
  description:
    'Latest update first, 25 per page. Send the `ETag` back in `If-None-Match` to get 304 if nothing has changed.',
  tags,
  authority: 'user.notifications.read',
  query: NotificationQuery.extend({
    reasons: BooleanLike.meta({ description: 'Whether to say why the user has each notification.' }),
  }),
  answers: {
    200: z.object({
      notifications: z.array(Notification),
      count: Counts,
      start: z.number(),
      reasons: z.array(NotificationReason).optional().meta({ description: 'Present with `reasons`.' }),
    }),
  },
  otherAnswers: { 304: 'What `If-None-Match` names is still so.' },
});

export const listDoneNotifications = defineRoute({
  id: 'listDoneNotifications',
  method: 'GET',
  path: '/api/notifications/done',
  summary: 'List notifications that are done',
  description:
    'Deleted notifications, latest update first, 25 per page, as they were. New activity in a thread makes its notification one of the inbox again.',
  tags,
  authority: 'user.notifications.read',
  query: NotificationQuery,
  answers: {
    200: z.object({ notifications: z.array(Notification), count: Counts.pick({ view: true }), start: z.number() }),
  },
  otherAnswers: { 304: 'What `If-None-Match` names is still so.' },
});

const MAX_THREADS = 100;

export const restoreNotifications = defineRoute({
  id: 'restoreNotifications',
  method: 'POST',
  path: '/api/notifications/restore',
  summary: 'Move deleted notifications back to the inbox',
  description:
    'They are as they were, read or unread. A thread with newer activity is in the inbox already, and does not count.',
  tags,
  authority: 'user.notifications.write',
  body: z.object({ discussionIds: z.array(ObjectId).min(1).max(MAX_THREADS) }),
  answers: { 200: Changed },
});

export const deleteNotifications = defineRoute({
  id: 'deleteNotifications',
  client: { query: { p: null } },
  method: 'DELETE',
  path: '/api/notifications',
  summary: 'Delete notifications',
  description:
    'Affects the notifications of the given threads regardless of the query, or with `applyToAll` all that match the query. `p` has no effect.',
  tags,
  authority: 'user.notifications.write',
  query: ChangeQuery,
  body: z.object({ discussionIds: z.array(ObjectId).min(1).optional() }),
  answers: { 200: Changed },
});

export const markNotifications = defineRoute({
  id: 'markNotifications',
  client: { query: { p: null } },
  method: 'POST',
  path: '/api/notifications/mark-as-read',
  summary: 'Mark notifications as read or unread',
  description:
    'Affects the notifications of the given threads regardless of the query, or with `applyToAll` all that match the query. `p` has no effect.',
  tags,
  authority: 'user.notifications.write',
  query: ChangeQuery,
  body: z.object({ discussionIds: z.array(z.string()).default([]), read: z.boolean().default(true) }),
  answers: { 200: Changed },
});

/** The data of the events of `streamNotifications`, by their names. */
export interface NotificationEvents {
  readonly count: { readonly unread: number; readonly all: number };
  readonly notification: Notification;
}

export const streamNotifications = defineRoute({
  id: 'streamNotifications',
  method: 'GET',
  path: '/api/notifications/stream',
  summary: 'Follow notifications as they arrive',
  description:
    'Server-sent events: `count` (`{unread, all}`) first and after every change, and `notification`, an element of the list, for each new or updated notification. `Last-Event-ID` has no effect: the first `count` and the list show what a reader missed.',
  tags,
  authority: 'user.notifications.read',
  answers: {},
  otherAnswers: {
    200: 'Events as `text/event-stream`, until either side closes.',
    429: 'Too many streams of this user.',
  },
});

export const notificationRoutes = [
  listNotifications,
  listDoneNotifications,
  restoreNotifications,
  deleteNotifications,
  markNotifications,
  streamNotifications,
] as const;
