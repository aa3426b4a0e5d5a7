import type { Clock } from '../clock.ts';
import type { Database, Executor } from '../database/transaction.ts';
import { backoffMs } from './due.ts';
import { EVENTS, shiftDue, TASKS } from './due-store.ts';
import type { Round } from './worker.ts';

/** Smaller steps are regular corrections of the clock, as by NTP. */
const MIN_JUMP_MS = 5000;
/** The maximum wait of a task between two steps or after a failure; a task due later is scheduled. */
const MAX_PAUSE_MS = backoffMs(Infinity);

interface ClockWatchOptions {
  readonly clock: Clock;
  readonly database: Database;
  readonly logger: { warn(details: object, message: string): void };
  /** Milliseconds of a monotonic clock. */
  readonly elapsed?: () => number;
  /** Makes other waiting rows due earlier by this many milliseconds, but not before `now`. */
  readonly shiftOthers: (tx: Executor, now: number, byMs: number) => Promise<void>;
}

/**
 * Detects that the clock was stepped back: a retry due in a second would otherwise wait for as long as the clock was
 * wrong. Makes waiting rows due earlier by the same amount. A forward step only makes rows due too early, which is harmless.
 */
export function createClockWatch({
  clock,
  database,
  logger,
  elapsed,
  shiftOthers,
}: ClockWatchOptions): () => ReturnType<Round> {
  const ahead = () => clock.now() - (elapsed ?? performance.now.bind(performance))();
  let before = ahead();
  return async () => {
    const byMs = Math.round(before - ahead());
    if (byMs >= MIN_JUMP_MS) {
      logger.warn({ seconds: Math.round(byMs / 1000) }, 'the clock was put back');
      const now = clock.now();
      await database.transaction(async (tx) => {
        await shiftDue(tx, EVENTS, { now, byMs });
        await shiftDue(tx, TASKS, { now, byMs, until: now + byMs + MAX_PAUSE_MS });
        await shiftOthers(tx, now, byMs);
      });
    }
    before = ahead();
    return { done: 0 };
  };
}
