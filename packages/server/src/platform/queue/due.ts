import type { Database, ReadExecutor } from '../database/transaction.ts';
import { MAX_FAILURES, type SetAside } from './dead-letters.ts';
import { firstDueAt, lockDueAttempts, type RowQueue, setDue } from './due-store.ts';
import { describeFault, failuresAfter, isTransient } from './fault.ts';

/** The wait for due rows that another process has locked. */
export const LOCKED_RETRY_MS = 50;

/** Returns the wait after a number of failures: 1 s, doubled each time, at most 5 min. */
export const backoffMs = (attempts: number): number => Math.min(1000 * 2 ** (attempts - 1), 300_000);

/**
 * Returns in how many milliseconds to poll a queue again that has no available row; undefined if the queue is empty. Rows that
 * are due before `from` do not count.
 */
export async function nextDueInMs(
  executor: ReadExecutor,
  queue: RowQueue,
  { now, from = 0 }: { readonly now: number; readonly from?: number },
): Promise<number | undefined> {
  const due = await firstDueAt(executor, queue, from);
  if (due === undefined) return undefined;
  return due <= now ? LOCKED_RETRY_MS : due - now;
}

interface Failure {
  readonly now: number;
  readonly error: unknown;
  readonly setAside: SetAside;
}

/**
 * Postpones a row whose work failed and was rolled back, or sets the row aside after too many failures. Returns the number
 * of failures; undefined if another process has since done the work, failed at it, or is doing it.
 */
export const postpone = (
  database: Database,
  queue: RowQueue,
  id: string,
  { now, error, setAside }: Failure,
): Promise<number | undefined> =>
  database.transaction(async (tx) => {
    const before = await lockDueAttempts(tx, queue, id, now);
    if (before === undefined) return undefined;
    const attempts = failuresAfter(before, error);
    await setDue(tx, queue, id, { attempts, dueAt: now + backoffMs(attempts) });
    if (attempts >= MAX_FAILURES && !isTransient(error))
      await setAside(tx, queue.name, id, { error: describeFault(error), failures: attempts, deaths: 0 });
    return attempts;
  });
