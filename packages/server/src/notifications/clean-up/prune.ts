import { sql } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Executor } from '../../platform/database/transaction.ts';
import { defineTask, type StepOf } from '../../platform/queue/tasks.ts';
import type { Inboxes } from '../inbox/inboxes.ts';
import { PAGE, shiftsOf } from './delete-notifications.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Inboxes a step: so many are looked at, and so many are held at the most. */
const LOOKED_AT = 500;
const HELD = 50;

const Reached = z.object({
  /** What had no news since then goes. */
  before: z.number(),
  /** The user up to whom inboxes are done. */
  after: z.string(),
});
export const pruneNotificationsTask = defineTask('notifications.retain', Reached.nullable());

interface Dependencies {
  readonly clock: Clock;
  readonly inboxes: Inboxes;
  readonly days: number;
}

/**
 * Deletes notifications, read or not, of threads without news for so many days: inbox by inbox, by the index that lists
 * them, so that no further one has to be kept for this. They come back with the next activity.
 */
export const createPruneNotifications =
  ({ clock, inboxes, days }: Dependencies): StepOf<typeof pruneNotificationsTask> =>
  async (tx, task) => {
    const { before, after } = task.data ?? { before: clock.now() - days * DAY_MS, after: '' };
    const page = await oldestOf(tx, after);
    const old = page.filter(({ oldest }) => oldest !== null && oldest < before).map(({ user_id }) => user_id);
    const turn = old.slice(0, HELD);
    const full = turn.length > 0 ? await takeOld(tx, inboxes, turn, before) : undefined;
    if (full !== undefined) return { data: { before, after: full } };
    const reached = old.length > HELD ? turn.at(-1) : page.at(-1)?.user_id;
    return reached === undefined || (page.length < LOOKED_AT && old.length <= HELD)
      ? 'done'
      : { data: { before, after: reached } };
  };

/** The next inboxes, each with the time of its oldest notification. */
async function oldestOf(tx: Executor, after: string) {
  const { rows } = await sql<{ user_id: string; oldest: number | null }>`
    select user_id, (
      select updated_at from notifications n where n.user_id = inboxes.user_id order by updated_at limit 1
    ) as oldest from inboxes where user_id > ${after} order by user_id limit ${LOOKED_AT}
  `.execute(tx);
  return rows;
}

/** Deletes a page of what is old of these users; where that leaves some of it, answers the user before that one. */
async function takeOld(
  tx: Executor,
  inboxes: Inboxes,
  userIds: readonly string[],
  before: number,
): Promise<string | undefined> {
  await inboxes.hold(tx, userIds);
  const gone: { user_id: string; read: number }[] = [];
  let done = '';
  for (const userId of userIds) {
    const { rows } = await sql<{ user_id: string; read: number }>`
      delete from notifications where user_id = ${userId} and thread_id in (
        select thread_id from notifications where user_id = ${userId} and updated_at < ${before}
        order by updated_at limit ${PAGE - gone.length}
      ) returning user_id, read`.execute(tx);
    gone.push(...rows);
    if (gone.length === PAGE) break;
    done = userId;
  }
  await inboxes.shift(tx, shiftsOf(gone, -1));
  return gone.length === PAGE ? done : undefined;
}
