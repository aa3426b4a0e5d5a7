import { z } from 'zod';
import { ObjectId, QueryTime, queryInteger, RepoId, RepoType, Timestamp } from '../primitives.ts';
import { defineRoute } from '../route.ts';
import { DiscussionStatus } from '../webhooks/payload.ts';

const Participants = z
  .array(z.object({ _id: ObjectId, avatar: z.string(), user: z.string() }))
  .meta({ description: 'Who wrote there last, at most five, the latest first.' });

const notificationOf = <const T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({
    type: z.literal(type),
    updatedAt: Timestamp,
    read: z.boolean(),
    discussionEventId: z
      .string()
      .optional()
      .meta({ description: 'The newest of what happened there: a comment, or a change of the status.' }),
    ...shape,
  });

/** Activity in one thread: the discussion of a repository, or the comments on a paper, a post or an article. */
export const Notification = z
  .union([
    notificationOf('paper', {
      paper: z.object({ _id: ObjectId, title: z.string() }),
      paperDiscussion: z.object({ id: z.string(), participating: Participants, paperId: ObjectId }),
    }),
    notificationOf('repo', {
      repo: RepoId,
      discussion: z.object({
        num: z.number(),
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

/** What is there: `view` matches the query; `unread` and `all` are the user's totals. */
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
  postAuthor: z.string().optional().meta({ description: 'Posts of the user of this name.' }),
  paperId: z
    .string()
    .optional()
    .meta({ description: 'arXiv identifier, also as in `arXiv:2401.01234v2`, or object id.' }),
  articleId: z.string().optional().meta({ description: 'Object id, or slug.' }),
  mention: z.enum(['all', 'participating', 'mentions']).default('all').meta({
    description: '`participating`: where the user wrote or was mentioned; `mentions`: where the user was mentioned.',
  }),
  lastUpdate: QueryTime.optional().meta({ description: 'Only what was updated at this time or before.' }),
});

/** What is to be changed rather than read. */
const ChangeQuery = NotificationQuery.extend({ applyToAll: BooleanLike });

/** `count`: how many notifications were changed. */
const Changed = z.object({ success: z.literal(true), count: z.int() }).meta({ id: 'NotificationsChanged' });

const tags = ['notifications'];

export const listNotifications = defineRoute({
  id: 'listNotifications',
  method: 'GET',
  path: '/api/notifications',
  summary: 'List notifications',
  description:
    'The latest update first, 25 a page. Send the `ETag` back in `If-None-Match` to be told of changes only.',
  tags,
  authority: 'user.notifications.read',
  query: NotificationQuery,
  answers: { 200: z.object({ notifications: z.array(Notification), count: Counts, start: z.number() }) },
  otherAnswers: { 304: 'What `If-None-Match` names is still so.' },
});

export const deleteNotifications = defineRoute({
  id: 'deleteNotifications',
  client: { query: { p: null } },
  method: 'DELETE',
  path: '/api/notifications',
  summary: 'Delete notifications',
  description:
    'Those of the given threads whatever the query says, or with `applyToAll` all that match the query. `p` has no effect.',
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
    'Those of the given threads whatever the query says, or with `applyToAll` all that match the query. `p` has no effect.',
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
  summary: 'Hear of notifications as they come',
  description:
    'Server-sent events: `count` (`{unread, all}`) first and at every change, and `notification`, an element of the list, for each that is new or has news. `Last-Event-ID` has no effect: what a reader missed is in the first `count` and in the list.',
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
  deleteNotifications,
  markNotifications,
  streamNotifications,
] as const;
