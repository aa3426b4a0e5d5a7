import type { Texts } from '../../comments/index.ts';
import type { VouchedAddresses } from '../../organizations/index.ts';
import type { Clock } from '../../platform/clock.ts';
import { advisoryLockShared, type Executor } from '../../platform/database/transaction.ts';
import type { Reaction } from '../../platform/events/reaction.ts';
import type { Ids } from '../../platform/ids.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { refreshPreview } from '../thread-previews/thread-previews.ts';
import { createAccessNotices } from './access-requests.ts';
import { type Activity, type ActivitySource, commentActivitySource, discussionActivitySource } from './activity.ts';
import { markTakingPart } from './notification-store.ts';
import { recordMentioned, recordWriters } from './participant-store.ts';
import { isListed, mailKind } from './policy.ts';
import { createRecipientsOf, type Recipient } from './recipient-store.ts';
import { upsertNotifications } from './upsert-notifications.ts';

/** Queues mails; a mail that waits for the same user and thread covers the new one. */
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
  readonly vouched: VouchedAddresses;
  /** Undefined where the hub sends no mail. */
  readonly queueMails?: QueueMails | undefined;
  /** How long a mail waits for further comments in the same thread. */
  readonly mailQuietMs: number;
}

const PAGE = 500;

export type FanOut = ReturnType<typeof createFanOut>;

/**
 * Notifies users of activities in discussions and in comments on papers, posts and articles, a page of users at a time, and of
 * requests for access.
 */
export function createFanOut({ clock, ids, inboxes, texts, vouched, queueMails, mailQuietMs }: Dependencies) {
  const recipientsOf = createRecipientsOf(vouched);

  async function mail(tx: Executor, { thread, eventId }: Activity, recipients: readonly Recipient[]): Promise<void> {
    const mails = recipients.flatMap((recipient) => {
      const kind = mailKind(thread.subject, recipient);
      return kind ? [{ id: ids(), userId: recipient.userId, kind, threadId: thread.id, commentId: eventId }] : [];
    });
    const now = clock.now();
    if (mails.length > 0) await queueMails?.(tx, mails, { now, dueAt: now + mailQuietMs });
  }

  /** Records the participants, once per event. Returns the users whom an edit concerns; undefined for other activities. */
  async function recordParticipants(tx: Executor, activity: Activity): Promise<string[] | undefined> {
    const mentioned = await recordMentioned(tx, activity);
    if (activity.isEdit) return mentioned;
    await recordWriters(tx, activity);
    await markTakingPart(tx, activity);
    return undefined;
  }

  const fanOut =
    <Data>({ locksOf, activityOf, threadOf }: ActivitySource<Data>): Reaction<Data> =>
    async (tx, event, after) => {
      // Shared lock: clean-up after lost access waits until these rows are committed, and then sees them.
      await advisoryLockShared(tx, locksOf(event.data));
      const activity = await activityOf(tx, texts, event);
      const among = activity && after === undefined ? await recordParticipants(tx, activity) : undefined;
      if (after === undefined) await refreshPreview(tx, threadOf(event.data));
      if (!activity) return undefined;
      const page = await recipientsOf(tx, activity, { among, after: after ?? '', limit: PAGE });
      const notified = page.filter(({ mayBeNotified }) => mayBeNotified);
      await upsertNotifications(
        tx,
        inboxes,
        activity,
        notified.filter((recipient) => isListed(activity.thread.subject, recipient)),
      );
      await mail(tx, activity, notified);
      return page.length < PAGE ? undefined : page.at(-1)?.userId;
    };

  return {
    onDiscussionEvent: fanOut(discussionActivitySource),
    onCommentEvent: fanOut(commentActivitySource),
    onAccessRequestEvent: createAccessNotices({ inboxes, recipientsOf }),
  };
}
