import type { CommentData, Texts } from '../../comments/index.ts';
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

/** The data of the topic `comment`: something said on a paper, a post or an article. */
export interface CommentOccurrence {
  readonly action: 'create' | 'update' | 'delete';
  readonly thread: { readonly type: 'paper' | 'post' | 'community_blog'; readonly id: string };
  readonly commentId: string;
  readonly actorId: string;
}

/** The id of the thread in which an event of these topics happened. */
export const threadOf = ({ topic, data }: HubEvent): string =>
  topic === 'comment' ? (data as CommentOccurrence).thread.id : ((data as RepoEvent).payload.discussion?.id ?? '');

/** Where an event happened: the repository and its owner, or the paper, post or article. */
export function placesOf({ topic, data }: HubEvent): string[] {
  if (topic === 'comment') return [(data as CommentOccurrence).thread.id];
  const { id, ownerId } = (data as RepoEvent).repo;
  return [id, ownerId];
}

/** What an event of the topics `discussion` and `comment` tells, as it is now: nothing that is hidden or gone since. */
export async function activityOf(tx: Executor, texts: Texts, event: HubEvent): Promise<Activity | undefined> {
  const known = { id: event.id, at: event.createdAt };
  if (event.topic === 'comment') {
    const { action, thread, commentId, actorId } = event.data as CommentOccurrence;
    if (action === 'delete') return undefined;
    const found = await (thread.type === 'paper' ? findPaperThread : findPostThread)(tx, thread.id);
    const mentions = await mentionsIn(tx, texts, 'comments', commentId);
    if (!found || mentions === undefined) return undefined;
    return { ...known, actorId, thread: found, eventId: commentId, mentions, isEdit: action === 'update' };
  }
  const data = event.data as RepoEvent;
  const eventId = tellingEvent(data);
  const thread = eventId && (await findDiscussionThread(tx, threadOf(event)));
  if (!thread) return undefined;
  const { actorId, scope, action, payload } = data;
  const mentions = payload.comment ? await mentionsIn(tx, texts, 'discussion_events', payload.comment.id) : [];
  // A new discussion is news also where its first comment is hidden by now.
  if (mentions === undefined && scope !== 'discussion') return undefined;
  const isEdit = action === 'update' && !data.statusEventId;
  return { ...known, actorId, thread, eventId, mentions: mentions ?? [], isEdit };
}

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
