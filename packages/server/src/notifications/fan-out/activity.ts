import type { CommentData, CommentEvent, Texts } from '../../comments/index.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import type { HubEvent } from '../../platform/events/events.ts';
import type { RepoEvent } from '../../repositories/index.ts';
import { findDiscussionThread, findPaperThread, findPostThread, type Thread } from './threads.ts';

/** Something that people are told. */
export interface Activity {
  /** Of the hub's event: later ones are larger. */
  readonly id: string;
  readonly at: number;
  readonly actorId: string;
  readonly thread: Thread;
  /** What is shown of it: a comment, or a change of the status. */
  readonly eventId: string | null;
  /** The names that its text mentions. */
  readonly mentions: readonly string[];
  /** An edit concerns only those whom it mentions first. */
  readonly isEdit: boolean;
}

/** How the events of a topic are told. */
export interface ActivitySource<Data> {
  /** The id of the thread in which an event happened. */
  readonly threadOf: (data: Data) => string;
  /** Where an event happened: the repository and its owner, or the paper, post or article. */
  readonly placesOf: (data: Data) => string[];
  /** What an event tells, as it is now: nothing that is hidden or gone since. */
  readonly activityOf: (tx: Executor, texts: Texts, event: HubEvent<Data>) => Promise<Activity | undefined>;
}

const discussionOf = ({ payload }: RepoEvent): string => payload.discussion?.id ?? '';

export const discussionActivity: ActivitySource<RepoEvent> = {
  threadOf: discussionOf,
  placesOf: ({ repo }) => [repo.id, repo.ownerId],
  async activityOf(tx, texts, { id, createdAt: at, data }) {
    const eventId = tellingEvent(data);
    const thread = eventId && (await findDiscussionThread(tx, discussionOf(data)));
    if (!thread) return undefined;
    const { actorId, scope, action, payload } = data;
    const mentions = payload.comment ? await mentionsIn(tx, texts, 'discussion_events', payload.comment.id) : [];
    // A new discussion is news also where its first comment is hidden by now.
    if (mentions === undefined && scope !== 'discussion') return undefined;
    const isEdit = action === 'update' && !data.statusEventId;
    return { id, at, actorId, thread, eventId, mentions: mentions ?? [], isEdit };
  },
};

/** What is said on a paper, a post or an article. */
export const commentActivity: ActivitySource<CommentEvent> = {
  threadOf: ({ thread }) => thread.id,
  placesOf: ({ thread }) => [thread.id],
  async activityOf(tx, texts, { id, createdAt: at, data: { action, thread, commentId, actorId } }) {
    if (action === 'delete') return undefined;
    const found = await (thread.type === 'paper' ? findPaperThread : findPostThread)(tx, thread.id);
    const mentions = await mentionsIn(tx, texts, 'comments', commentId);
    if (!found || mentions === undefined) return undefined;
    return { id, at, actorId, thread: found, eventId: commentId, mentions, isEdit: action === 'update' };
  },
};

/** What is shown of an event of a discussion; nothing of one that nobody is told: a title, a pin, a deletion. */
function tellingEvent({ scope, action, payload, statusEventId }: RepoEvent): string | undefined {
  if (scope === 'discussion') return action === 'create' ? payload.comment?.id : statusEventId;
  return action === 'delete' ? undefined : payload.comment?.id;
}

/** The names that a comment mentions; undefined where it is hidden or gone. */
async function mentionsIn(
  tx: Executor,
  texts: Texts,
  table: 'comments' | 'discussion_events',
  commentId: string,
): Promise<readonly string[] | undefined> {
  const row = await tx.selectFrom(table).select('data').where('id', '=', commentId).executeTakeFirst();
  if (!row) return undefined;
  const data = JSON.parse(row.data) as CommentData;
  return data.hidden ? undefined : texts.parsedNow(data).mentions;
}
