import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database, Executor } from '../database/transaction.ts';
import { backoffMs, openRows } from './due.ts';
import type { Round } from './worker.ts';

/** Less than this is the clock being kept right, as NTP does all the time. */
const MIN_JUMP_MS = 5000;
/** What a task waits at the most between two steps, or after a failure; what is due later has its time of day. */
const MAX_PAUSE_MS = backoffMs(Infinity);

interface ClockWatchOptions {
  readonly clock: Clock;
  readonly database: Database;
  readonly logger: { warn(details: object, message: string): void };
  /** Milliseconds of a clock that nobody sets. */
  readonly elapsed?: () => number;
  /** What else waits, to be due earlier by so many milliseconds, and not before `now`. */
  readonly shiftDue: (tx: Executor, now: number, byMs: number) => Promise<void>;
}

/**
 * Notices that the clock of the machine was put back: what was to be tried again in a second would wait for as long as
 * the clock was wrong. It is due earlier by as much. A clock that is put forward makes due too early, and does no harm.
 */
export function createClockWatch({ clock, database, logger, elapsed, shiftDue }: ClockWatchOptions): Round {
  const ahead = () => clock.now() - (elapsed ?? performance.now.bind(performance))();
  let before = ahead();
  return async () => {
    const byMs = Math.round(before - ahead());
    if (byMs >= MIN_JUMP_MS) {
      logger.warn({ seconds: Math.round(byMs / 1000) }, 'the clock was put back');
      const now = clock.now();
      await database.transaction(async (tx) => {
        await makeEarlier(tx, 'events', now, byMs);
        await makeEarlier(tx, 'mails', now, byMs);
        await makeEarlier(tx, 'tasks', now, byMs, now + byMs + MAX_PAUSE_MS);
        await shiftDue(tx, now, byMs);
      });
    }
    before = ahead();
    return { done: 0 };
  };
}

async function makeEarlier(
  tx: Executor,
  queue: 'events' | 'mails' | 'tasks',
  now: number,
  byMs: number,
  until = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  await sql`
    update ${sql.table(queue)}
    set due_at = case when due_at - ${byMs} > ${now} then due_at - ${byMs} else ${now} end
    where ${openRows(queue)} and due_at > ${now} and due_at <= ${until}`.execute(tx);
}
