import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Logger } from '../../platform/logger.ts';
import type { GitUpkeepRow } from '../tables.ts';
import { createLooking, type MaintenanceRun } from './looking.ts';
import type { Look } from './maintenance.ts';
import { findDue } from './upkeep-store.ts';

const HOLD_EVERY_MS = 2_000;

/** The maintenance of git objects, wherever they are, a little in each round. */
export interface GitUpkeep {
  round(): Promise<{ readonly done: number }>;
  /** Interrupts the maintenance in progress. */
  stop(): void;
}

export interface DueLooks {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Returns whether this process is the one, of all that share the database, that maintains git objects. */
  readonly hold: () => Promise<boolean>;
  readonly onRun?: ((run: MaintenanceRun) => void) | undefined;
  /** The time between renewals of the lease while a repository is maintained. */
  readonly holdEveryMs?: number | undefined;
  /** Maintains a repository where that is due. Throws the reason of the signal if that ends the work. */
  readonly maintain: (row: GitUpkeepRow, signal: AbortSignal) => Promise<Look>;
}

/**
 * Returns the function that looks at the repository that has been due for the longest time, for as long as this process
 * may, and returns how many it looked at.
 */
export function createDueLooks({
  database,
  clock,
  logger,
  hold,
  onRun = () => {},
  holdEveryMs = HOLD_EVERY_MS,
  maintain,
}: DueLooks) {
  const look = createLooking({ database, clock, logger, onRun, maintain });

  return async (stopping: AbortSignal): Promise<number> => {
    const row = await findDue(database.read, clock.now());
    if (!row || stopping.aborted || !(await hold())) return 0;
    const lost = new AbortController();
    const timer = setInterval(() => {
      hold().then(
        (isHeld) => isHeld || lost.abort(),
        (error: unknown) => logger.error({ err: error }, 'the lease on the upkeep of git objects could not be renewed'),
      );
    }, holdEveryMs);
    try {
      await look(row, AbortSignal.any([stopping, lost.signal]));
      return 1;
    } finally {
      clearInterval(timer);
    }
  };
}
