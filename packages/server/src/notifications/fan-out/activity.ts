import type { CommentEvent, Texts } from '../../comments/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { HubEvent } from '../../platform/events/events.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import { findComment, findDiscussionThread, findPaperThread, findPostThread, type Thread } from './thread-store.ts';

/** Something that happened in a thread and of which users are notified. */
export interface Activity {
  /** The id of the hub's event, which grows with time. */
  readonly id: string;
  readonly at: number;
  readonly actorId: string;
  readonly thread: Thread;
  /** The comment or the change of status that a notification links to. */
  readonly eventId: string | null;
  /** The names that the text of the activity mentions. */
  readonly mentions: readonly string[];
  /** An edit concerns only users whom nothing in the thread mentioned before. */
  readonly isEdit: boolean;
}

/** How activities are read from the events of a topic. */
export interface ActivitySource<Data> {
  /** Returns the id of the thread in which an event happened. */
  readonly threadOf: (data: Data) => string;
  /** Returns what clean-up locks exclusively: the repository and its owner, or the paper, post or article. */
  readonly locksOf: (data: Data) => string[];
  /** Returns the activity as it is now; undefined where it was hidden or deleted since, or nobody is notified of it. */
  readonly activityOf: (tx: Executor, texts: Texts, event: HubEvent<Data>) => Promise<Activity | undefined>;
}

const discussionOf = ({ payload }: RepoEvent): string => payload.discussion?.id ?? '';

export const discussionActivitySource: ActivitySource<RepoEvent> = {
  threadOf: discussionOf,
  locksOf: ({ repo }) => [repo.id, repo.ownerId],
  async activityOf(tx, texts, { id, createdAt: at, data }) {
    const eventId = linkedEvent(data);
    const thread = eventId && (await findDiscussionThread(tx, discussionOf(data)));
    if (!thread) return undefined;
    const { actorId, scope, action, payload } = data;
    const mentions = payload.comment ? await mentionsIn(tx, texts, 'discussion_events', payload.comment.id) : [];
    // Users are notified of a new discussion even where its first comment was hidden meanwhile.
    if (mentions === undefined && scope !== 'discussion') return undefined;
    const isEdit = action === 'update' && !data.statusEventId;
    return { id, at, actorId, thread, eventId, mentions: mentions ?? [], isEdit };
  },
};

/** Comments on papers, posts and articles. */
export const commentActivitySource: ActivitySource<CommentEvent> = {
  threadOf: ({ thread }) => thread.id,
  locksOf: ({ thread }) => [thread.id],
  async activityOf(tx, texts, { id, createdAt: at, data: { action, thread, commentId, actorId } }) {
    if (action === 'delete') return undefined;
    const found = await (thread.type === 'paper' ? findPaperThread : findPostThread)(tx, thread.id);
    const mentions = await mentionsIn(tx, texts, 'comments', commentId);
    if (!found || mentions === undefined) return undefined;
    return { id, at, actorId, thread: found, eventId: commentId, mentions, isEdit: action === 'update' };
  },
};

/** Returns the comment or change of status to link to; undefined for titles, pins and deletions, which notify nobody. */
function linkedEvent({ scope, action, payload, statusEventId }: RepoEvent): string | undefined {
  if (scope === 'discussion') return action === 'create' ? payload.comment?.id : statusEventId;
  return action === 'delete' ? undefined : payload.comment?.id;
}

/** Returns the names that a comment mentions; undefined where the comment is hidden or deleted. */
async function mentionsIn(
  tx: Executor,
  texts: Texts,
  table: 'comments' | 'discussion_events',
  commentId: string,
): Promise<readonly string[] | undefined> {
  const comment = await findComment(tx, table, commentId);
  return !comment || comment.hidden ? undefined : texts.parsedNow(comment).mentions;
}
