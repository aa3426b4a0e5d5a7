import * as z from 'zod';
import { defineTopic } from '../platform/events/topic.ts';

/** The thread of comments: its kind, which is also the type of its notifications, and its id. */
const Thread = z.object({ type: z.enum(['paper', 'post', 'community_blog']), id: z.string() });
export type Thread = z.infer<typeof Thread>;

/** A comment was created, edited or hidden. */
const CommentEvent = z.object({
  action: z.enum(['create', 'update', 'delete']),
  thread: Thread,
  commentId: z.string(),
  actorId: z.string(),
});
export type CommentEvent = z.infer<typeof CommentEvent>;
export const commentTopic = defineTopic({ name: 'comment', version: 1, data: CommentEvent });

/** A paper, post or article was created, renamed or deleted. */
const ThreadEvent = CommentEvent.omit({ commentId: true });
export type ThreadEvent = z.infer<typeof ThreadEvent>;
export const threadTopic = defineTopic({ name: 'thread', version: 1, data: ThreadEvent });
