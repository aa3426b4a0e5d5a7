import type { Clock } from '../../platform/clock.ts';
import { createBufferedCounts } from '../../platform/concurrency/buffered-counts.ts';
import type { Database, Executor } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import { MAX_FAILURES } from '../../platform/queue/dead-letters.ts';
import { MANY_CHANGES, PRUNE_EVERY_MS, SOON_MS } from './pace.ts';
import { addChanges } from './upkeep-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
}

export type GitChanges = ReturnType<typeof createGitChanges>;

/** Makes repositories due for a look, as if each had changed a number of times. */
export const noteChanges = (tx: Executor, changes: ReadonlyMap<string, number>, now: number): Promise<void> =>
  addChanges(tx, changes, {
    ...{ now, soonAt: now + SOON_MS, pruneAt: now + PRUNE_EVERY_MS },
    ...{ manyChanges: MANY_CHANGES, maxFailures: MAX_FAILURES },
  });

/**
 * Counts in memory which repositories change, and stores the counts every few seconds in one transaction, so that no
 * push or commit waits for the upkeep. A process that crashes loses the last ones; the next change makes up for them.
 */
export function createGitChanges({ database, clock, logger }: Dependencies) {
  const { flush, count } = createBufferedCounts({
    store: (changes) => database.transaction((tx) => noteChanges(tx, changes, clock.now())),
    onFailure: (err) =>
      logger.error({ err }, 'changes of repositories could not be noted for their upkeep; they are noted later'),
  });
  /** `onChanged` is to be called after each change of refs. */
  return { flush, onChanged: count };
}
