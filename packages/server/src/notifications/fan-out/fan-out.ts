import type { Texts } from '../../comments/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { advisoryLockShared, type Executor } from '../../platform/database/transaction.ts';
import type { Reaction } from '../../platform/events/reaction.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { refreshPreview } from '../thread-previews/thread-previews.ts';
import { type Activity, type ActivitySource, commentActivity, discussionActivity } from './activity.ts';
import { noteMentioned, noteWriters } from './participants.ts';
import { isListed, mailKind } from './policy.ts';
import { type Recipient, recipientsOf } from './recipients.ts';
import { noteTakingPart, upsertNotifications } from './upsert-notifications.ts';

/** Puts mails into their queue; one that waits for the same user and thread stays as it is. */
export type QueueMails = (
  tx: Executor,
  mails: readonly { id: string; userId: string; kind: string; threadId: string; commentId: string | null }[],
  times: { now: number; dueAt: number },
) => Promise<void>;

interface Dependencies {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly inboxes: Inboxes;
  readonly texts: Texts;
  /** Without it no mail is sent. */
  readonly queueMails?: QueueMails | undefined;
  /** How long a mail waits for more of the same thread. */
  readonly mailQuietMs: number;
}

const PAGE = 500;

export type FanOut = ReturnType<typeof createFanOut>;

/** Tells everybody whom something in a discussion, or on a paper, a post or an article concerns. */
export function createFanOut({ clock, ids, inboxes, texts, queueMails, mailQuietMs }: Dependencies) {
  async function mail(tx: Executor, { thread, eventId }: Activity, recipients: readonly Recipient[]): Promise<void> {
    const mails = recipients.flatMap((recipient) => {
      const kind = mailKind(thread.subject, recipient);
      return kind ? [{ id: ids(), userId: recipient.userId, kind, threadId: thread.id, commentId: eventId }] : [];
    });
    const now = clock.now();
    if (mails.length > 0) await queueMails?.(tx, mails, { now, dueAt: now + mailQuietMs });
  }

  /** Notes who takes part, once for each event; returns whom an edit mentions first. */
  async function note(tx: Executor, activity: Activity): Promise<string[] | undefined> {
    const mentioned = await noteMentioned(tx, activity);
    if (activity.isEdit) return mentioned;
    await noteWriters(tx, activity);
    await noteTakingPart(tx, activity);
    return undefined;
  }

  const fanOut =
    <Data>({ placesOf, activityOf, threadOf }: ActivitySource<Data>): Reaction<Data> =>
    async (tx, event, after) => {
      // Whoever takes away what was lost there waits, and sees what is told here.
      await advisoryLockShared(tx, placesOf(event.data));
      const activity = await activityOf(tx, texts, event);
      const among = activity && after === undefined ? await note(tx, activity) : undefined;
      if (after === undefined) await refreshPreview(tx, threadOf(event.data));
      if (!activity) return undefined;
      const page = await recipientsOf(tx, activity, { among, after: after ?? '', limit: PAGE });
      const told = page.filter(({ mayBeTold }) => mayBeTold);
      await upsertNotifications(
        tx,
        inboxes,
        activity,
        told.filter((recipient) => isListed(activity.thread.subject, recipient)),
      );
      await mail(tx, activity, told);
      return page.length < PAGE ? undefined : page.at(-1)?.userId;
    };

  return { onDiscussionEvent: fanOut(discussionActivity), onCommentEvent: fanOut(commentActivity) };
}
