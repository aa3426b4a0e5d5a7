import { type Account, countTokens } from '../accounts/index.ts';
import { countOpenedToday } from '../discussions/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import { effectiveQuota } from '../platform/limits/own-quotas.ts';
import { countWebhooks } from '../webhooks/index.ts';

/** Something that users have up to a quota. */
export interface Counted {
  /** The name in the contract. */
  readonly key: string;
  /** The column of a quota that a site administrator gave a user. */
  readonly column: 'webhook_quota' | 'token_quota' | 'discussion_quota';
  /** The name of the quota in the log of the hub. */
  readonly name: string;
  /** The quota of the settings; undefined means no limit. */
  readonly byDefault: number | undefined;
  /** Counts what a user has, up to `max`. */
  readonly count: (executor: ReadExecutor, userId: string, max: number) => Promise<number>;
}

export type CountedThings = ReturnType<typeof countedThings>;

interface CountSettings {
  readonly maxWebhooks: number;
  readonly maxTokens: number | undefined;
  readonly discussionDailyLimit: number | undefined;
}

/** Returns what users have up to a quota, by the names of the contract. */
export const countedThings = (clock: Clock, settings: CountSettings) =>
  ({
    webhooks: {
      key: 'webhooks',
      column: 'webhook_quota',
      name: 'webhook quota',
      byDefault: settings.maxWebhooks,
      count: countWebhooks,
    },
    tokens: {
      key: 'tokens',
      column: 'token_quota',
      name: 'token quota',
      byDefault: settings.maxTokens,
      count: countTokens,
    },
    discussions: {
      key: 'discussions',
      column: 'discussion_quota',
      name: 'daily quota of discussions',
      byDefault: settings.discussionDailyLimit,
      count: (executor, userId, max) => countOpenedToday(executor, userId, clock.now(), max),
    },
  }) as const satisfies Record<string, Counted>;

/** Calls a function for each of the things; returns its results by their names. */
export const forEachThing = async <T>(
  { webhooks, tokens, discussions }: CountedThings,
  make: (counted: Counted) => Promise<T>,
) => ({ webhooks: await make(webhooks), tokens: await make(tokens), discussions: await make(discussions) });

/** Returns the quota of a user that holds; null means no limit. */
export const limitOf = (user: Account, { column, byDefault }: Pick<Counted, 'column' | 'byDefault'>): number | null =>
  effectiveQuota({ own: user[column], byDefault }) ?? null;
