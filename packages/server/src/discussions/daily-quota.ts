import { findAccountById, lockAccountById } from '../accounts/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Executor, ReadExecutor } from '../platform/database/transaction.ts';
import { forbidden, tooManyRequests } from '../platform/http/errors.ts';
import { ASK_FOR_MORE, effectiveQuota, quotaText, usedUpQuota } from '../platform/limits/own-quotas.ts';
import { countOpened, openedBefore } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface Dependencies {
  readonly clock: Clock;
  /** The discussions and pull requests that a user may open in any 24 hours; undefined means no limit. */
  readonly byDefault: number | undefined;
}

/** Counts the discussions and pull requests that a user opened in the last 24 hours, up to `max`. */
export const countOpenedToday = (executor: ReadExecutor, authorId: string, now: number, max: number): Promise<number> =>
  countOpened(executor, { authorId, since: now - DAY_MS, max });

export type RequireDailyRoom = ReturnType<typeof createDailyQuota>;

/**
 * Creates the check of the daily quota, which locks the account of a user who has one. Throws 429 with the time until which
 * the quota is used up, 403 for a quota of none.
 */
export const createDailyQuota =
  ({ clock, byDefault }: Dependencies) =>
  async (tx: Executor, userId: string): Promise<void> => {
    const quotaOf = (account: { readonly discussion_quota: number | null } | undefined) => ({
      ...{ own: account?.discussion_quota ?? null, byDefault },
    });
    if (effectiveQuota(quotaOf(await findAccountById(tx, userId))) === undefined) return;
    // A site administrator may have changed the quota before the lock was held.
    const account = await lockAccountById(tx, userId);
    const now = clock.now();
    const usedUp = await usedUpQuota(quotaOf(account), (max) => countOpenedToday(tx, userId, now, max));
    if (usedUp === undefined) return;
    if (usedUp === 0) throw forbidden(`You may open no discussions and pull requests; ${ASK_FOR_MORE}`);
    const oldest = await openedBefore(tx, { authorId: userId, since: now - DAY_MS, count: usedUp });
    const seconds = Math.max(1, Math.ceil(((oldest ?? now) + DAY_MS - now) / 1000));
    const text = quotaText(usedUp, 'discussion');
    throw tooManyRequests(
      `You may open ${text} in 24 hours, pull requests included; ${ASK_FOR_MORE}, or wait`,
      seconds,
    );
  };
