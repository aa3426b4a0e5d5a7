import { authorize, requirePermission } from '../access/index.ts';
import { findAccountsById } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import { mapCooperatively } from '../platform/cooperative.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import type { Events } from '../platform/events/events.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { newCommentData } from './comment-data.ts';
import { type CommentEvent, commentTopic, type Thread, type ThreadEvent, threadTopic } from './events.ts';
import { htmlOf, peopleInComment, presentComment } from './present.ts';
import { type Comment, commentsOf, deleteCommentsOf, findComment, insertComment, updateComment } from './store.ts';
import type { ParsedText, Texts } from './texts.ts';

/** A thread with the accounts that own it: the author of a post or article, the known authors of a paper. */
export interface OwnedThread extends Thread {
  readonly ownerIds: readonly string[];
}

export interface NewComment {
  readonly text: ParsedText;
  /** The id of the comment that this comment replies to. */
  readonly replyTo?: string | undefined;
}

export interface WrittenComment extends Pick<NewComment, 'replyTo'> {
  readonly comment: string;
}

export type Comments = ReturnType<typeof createComments>;

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly events: Events;
  readonly texts: Texts;
}

export function createComments({ clock, ids, events, texts }: Dependencies) {
  const recordThread = (tx: Executor, caller: Caller, action: ThreadEvent['action'], thread: Thread) =>
    events.record(tx, threadTopic, { action, thread, actorId: caller.principal.userId });

  const recordComment = (
    tx: Executor,
    caller: Caller,
    action: CommentEvent['action'],
    { type, id }: Thread,
    commentId: string,
  ) =>
    events.record(tx, commentTopic, {
      action,
      thread: { type, id },
      commentId,
      actorId: caller.principal.userId,
    });

  async function commentIn(tx: Executor, { id }: Thread, commentId: string): Promise<Comment> {
    const comment = await findComment(tx, id, commentId.toLowerCase());
    if (!comment) throw notFound('There is no such comment here');
    return comment;
  }

  return {
    recordThread,

    /** Prepares a new comment; called before the transaction, because parsing takes time. */
    async write({ principal }: Caller, { comment, replyTo }: WrittenComment): Promise<NewComment> {
      return { text: await texts.write(comment, principal.userId), replyTo };
    },

    /**
     * Adds a comment to a thread that the transaction has locked. Throws 403 if the token does not cover commenting, and 409
     * if the thread is full.
     */
    async add(tx: Executor, caller: Caller, thread: OwnedThread, { text, replyTo }: NewComment) {
      const { userId } = caller.principal;
      const { type, id } = thread;
      requirePermission(caller.principal, 'discussion.write', coveredBy(thread));
      const parent = replyTo === undefined ? undefined : await commentIn(tx, thread, replyTo);
      const now = clock.now();
      const row = {
        id: ids(),
        thread_type: type,
        thread_id: id,
        reply_to: parent?.id ?? null,
        author_id: userId,
        created_at: now,
        data: newCommentData(text, now),
      };
      await insertComment(tx, row);
      await recordComment(tx, caller, 'create', thread, row.id);
      const html = await htmlOf(texts, row);
      return { newMessage: presentComment(caller.baseUrl, row, html, await findAccountsById(tx, [userId])) };
    },

    /**
     * Hides a comment permanently, in a thread that the transaction has locked. Throws 403 unless the caller wrote the
     * comment, owns the thread or is a site administrator.
     */
    async hide(tx: Executor, caller: Caller, thread: OwnedThread, commentId: string) {
      const { principal, baseUrl } = caller;
      const comment = await commentIn(tx, thread, commentId);
      if (![comment.author_id, ...thread.ownerIds].includes(principal.userId)) authorize(principal, 'site-admin');
      requirePermission(principal, 'discussion.write', coveredBy(thread));
      if (comment.data.hidden) throw conflict('A hidden comment cannot be changed');
      const hidden = { ...comment, data: { ...comment.data, hidden: true, hiddenBy: principal.userId } };
      await updateComment(tx, comment.id, hidden.data);
      await recordComment(tx, caller, 'update', thread, comment.id);
      const html = await htmlOf(texts, hidden);
      return { updatedComment: presentComment(baseUrl, hidden, html, await accountsIn(tx, [hidden])) };
    },

    /** Returns the comments of a thread in their wire form. */
    async list(executor: ReadExecutor, baseUrl: string, threadId: string) {
      const comments = await commentsOf(executor, threadId);
      const accounts = await accountsIn(executor, comments);
      return mapCooperatively(comments, async (comment) =>
        presentComment(baseUrl, comment, await htmlOf(texts, comment), accounts),
      );
    },

    /**
     * Deletes the comments of a thread; called after the deletion of the thread's row, so that no comment can be added
     * concurrently.
     */
    async deleteComments(tx: Executor, caller: Caller, thread: Thread): Promise<void> {
      await deleteCommentsOf(tx, thread.id);
      await recordThread(tx, caller, 'delete', thread);
    },
  };
}

/** Returns the entities whose permissions cover a thread. A paper does not belong to the accounts of its authors. */
const coveredBy = ({ type, id, ownerIds }: OwnedThread): string[] => (type === 'paper' ? [id] : [id, ...ownerIds]);

const accountsIn = (executor: ReadExecutor, comments: readonly Comment[]) =>
  findAccountsById(
    executor,
    comments.flatMap(peopleInComment).filter((id) => typeof id === 'string'),
  );
