import { type CommentData, htmlOf, presentComment, requireThreadRoom, type Texts } from '../comments/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Caller } from '../platform/http/authenticate.ts';
import { conflict, notFound } from '../platform/http/errors.ts';
import type { RepoName } from '../repositories/index.ts';
import { type DiscussionEvent, findComment, updateComment } from './store.ts';
import { accountsOf, requireWriter, type Thread, type Threads } from './thread.ts';

interface Dependencies {
  readonly threads: Threads;
  readonly clock: Clock;
  readonly texts: Texts;
}

/** The verbs on a discussion's comments. */
export function createCommenting({ threads, clock, texts }: Dependencies) {
  const present = async (thread: Thread, comment: DiscussionEvent<CommentData>) =>
    presentComment(thread.caller.baseUrl, comment, await htmlOf(texts, comment), await accountsOf(thread, comment));

  async function storeComment(thread: Thread, comment: DiscussionEvent<CommentData>, data: CommentData) {
    const updated = { ...comment, data };
    const bytes = await updateComment(thread.tx, updated);
    // A full thread takes what makes it smaller, and comments are hidden in it.
    if (!data.hidden && bytes > thread.discussion.event_bytes) requireThreadRoom(bytes);
    await threads.recordChange(thread, 'discussion.comment', 'update', updated);
    return { updatedComment: await present(thread, updated) };
  }

  return {
    async comment(caller: Caller, name: RepoName, num: number, raw: string) {
      const text = await texts.write(raw, caller.principal.userId);
      return threads.change(caller, name, num, async (thread) => ({
        newMessage: await present(thread, await threads.addComment(thread, text)),
      }));
    },

    async editComment(caller: Caller, name: RepoName, num: number, commentId: string, raw: string) {
      const userId = caller.principal.userId;
      const text = await texts.write(raw, userId);
      return threads.change(caller, name, num, async (thread) => {
        const comment = await commentToChange(thread, commentId);
        const editors = [...comment.data.editors.filter((id) => id !== userId), userId];
        const edits = comment.data.edits + 1;
        return storeComment(thread, comment, { ...comment.data, ...text, updatedAt: clock.now(), editors, edits });
      });
    },

    hideComment: (caller: Caller, name: RepoName, num: number, commentId: string) =>
      threads.change(caller, name, num, async (thread) => {
        const comment = await commentToChange(thread, commentId);
        return storeComment(thread, comment, { ...comment.data, hidden: true, hiddenBy: caller.principal.userId });
      }),
  };
}

/**
 * Returns a comment that the caller may change. Throws 404 if there is none, 403 if the caller neither wrote the
 * comment nor may write to the repository, and 409 if the comment is hidden.
 */
async function commentToChange(thread: Thread, commentId: string): Promise<DiscussionEvent<CommentData>> {
  const comment = await findComment(thread.tx, thread.discussion.id, commentId.toLowerCase());
  if (!comment) throw notFound('There is no such comment in this discussion');
  if (comment.author_id !== thread.caller.principal.userId) requireWriter(thread, 'change this comment');
  if (comment.data.hidden) throw conflict('A hidden comment cannot be changed');
  return comment;
}
