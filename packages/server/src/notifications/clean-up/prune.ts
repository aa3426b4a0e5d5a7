import * as z from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { defineTask, type StepOf } from '../../platform/queue/tasks.ts';
import { recordDeleted } from '../../platform/retention/deletion-store.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { counterChanges } from './delete-notifications.ts';
import type { CountedNotification } from './notification-store.ts';
import { PAGE } from './page-size.ts';
import { deleteOldest, nextInboxes } from './prune-store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The inboxes that one step looks at, and those among them that it may lock. */
const MAX_LOOKED_AT = 500;
const MAX_LOCKED = 50;

const Reached = z.object({
  /** Notifications that were last updated before this time are deleted. */
  before: z.number(),
  /** The last user whose inbox is done. */
  after: z.string(),
});
export const pruneNotificationsTask = defineTask('notifications.retain', Reached.nullable());

interface Dependencies {
  readonly clock: Clock;
  readonly inboxes: Inboxes;
  readonly days: number;
}

/**
 * Deletes notifications, read, done or neither, of threads in which nothing happened for some days. Works inbox by inbox, so that the
 * index of inbox pages suffices. With the next activity in the thread, its users are notified again.
 */
export const createPruneNotifications =
  ({ clock, inboxes, days }: Dependencies): StepOf<typeof pruneNotificationsTask> =>
  async (tx, task) => {
    const { before, after } = task.data ?? { before: clock.now() - days * DAY_MS, after: '' };
    const page = await nextInboxes(tx, after, MAX_LOOKED_AT);
    const isOld = (time: number | null) => time !== null && time < before;
    const old = page.flatMap((each) => (isOld(each.oldest) || isOld(each.oldest_done) ? [each.user_id] : []));
    const turn = old.slice(0, MAX_LOCKED);
    const stoppedAfter = turn.length > 0 ? await deleteOld(tx, inboxes, turn, { before, now: clock.now() }) : undefined;
    if (stoppedAfter !== undefined) return { data: { before, after: stoppedAfter || after } };
    const reached = old.length > MAX_LOCKED ? turn.at(-1) : page.at(-1)?.user_id;
    return reached === undefined || (page.length < MAX_LOOKED_AT && old.length <= MAX_LOCKED)
      ? 'done'
      : { data: { before, after: reached } };
  };

/** Deletes a page of the old notifications of users. Returns the last finished user where the page was full. */
async function deleteOld(
  tx: Executor,
  inboxes: Inboxes,
  userIds: readonly string[],
  { before, now }: { readonly before: number; readonly now: number },
): Promise<string | undefined> {
  await inboxes.lock(tx, userIds);
  const deleted: CountedNotification[] = [];
  let left = PAGE;
  let finished = '';
  for (const userId of userIds) {
    const ofInbox = await deleteOldest(tx, 'notifications', userId, before, left);
    deleted.push(...ofInbox);
    left -= ofInbox.length;
    if (left > 0) left -= (await deleteOldest(tx, 'done_notifications', userId, before, left)).length;
    if (left === 0) break;
    finished = userId;
  }
  await inboxes.changeCounters(tx, counterChanges(deleted, -1));
  await recordDeleted(tx, 'notifications', PAGE - left, now);
  return left === 0 ? finished : undefined;
}
