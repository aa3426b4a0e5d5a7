import { requirePermission } from '../access/index.ts';
import { findAccountsById } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { CommentRow } from '../platform/database/tables.ts';
import type { Executor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/record.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { newCommentData } from './comment-data.ts';
import { peopleInComment, presentComment } from './present.ts';
import { commentsOf, deleteCommentsOf, hasComment, insertComment } from './store.ts';

/** What is commented on: its kind, which is also the type of its notifications, and its own id. */
export interface Thread {
  readonly type: CommentRow['thread_type'];
  readonly id: string;
}

/** The data of the topic `comment`: somebody wrote in a thread. */
export interface CommentChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly thread: Thread;
  readonly commentId: string;
  readonly actorId: string;
}

/** The data of the topic `thread`: a paper, post or article was made, got another title, or was removed. */
export interface ThreadChange {
  readonly action: 'create' | 'update' | 'delete';
  readonly thread: Thread;
  readonly actorId: string;
}

export interface NewComment {
  readonly comment: string;
  /** The id of the comment that it answers. */
  readonly replyTo?: string | undefined;
}

export type Comments = ReturnType<typeof createComments>;

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
}

export function createComments({ clock, ids, events }: Dependencies) {
  const recordThread = (tx: Executor, caller: Caller, action: ThreadChange['action'], thread: Thread) =>
    events.record(tx, 'thread', { action, thread, actorId: caller.principal.userId } satisfies ThreadChange);

  return {
    recordThread,

    /** Adds a comment to a thread that the transaction holds. 403 where the token does not cover it. */
    async add(
      tx: Executor,
      caller: Caller,
      thread: Thread & { readonly ownerId?: string },
      { comment, replyTo }: NewComment,
    ) {
      const { userId } = caller.principal;
      const { type, id, ownerId } = thread;
      requirePermission(caller.principal, 'discussion.write', [id, ...(ownerId === undefined ? [] : [ownerId])]);
      const answered = replyTo?.toLowerCase();
      if (answered !== undefined && !(await hasComment(tx, id, answered)))
        throw notFound('There is no such comment here');
      const now = clock.now();
      const row = {
        id: ids(),
        thread_type: type,
        thread_id: id,
        reply_to: answered ?? null,
        author_id: userId,
        created_at: now,
        data: newCommentData(comment, now),
      };
      await insertComment(tx, row);
      const change: CommentChange = { action: 'create', thread: { type, id }, commentId: row.id, actorId: userId };
      await events.record(tx, 'comment', change);
      return { newMessage: presentComment(caller.baseUrl, row, await findAccountsById(tx, [userId])) };
    },

    /** The comments of a thread as they are shown. */
    async list(executor: Executor, baseUrl: string, threadId: string) {
      const comments = await commentsOf(executor, threadId);
      const people = comments.flatMap(peopleInComment).filter((id) => typeof id === 'string');
      const accounts = await findAccountsById(executor, people);
      return comments.map((comment) => presentComment(baseUrl, comment, accounts));
    },

    /** What goes with a thread: called once its row is deleted, so that nobody adds a comment meanwhile. */
    async removeThread(tx: Executor, caller: Caller, thread: Thread): Promise<void> {
      await deleteCommentsOf(tx, thread.id);
      await recordThread(tx, caller, 'delete', thread);
    },
  };
}
