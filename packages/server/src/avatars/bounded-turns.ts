import { createTurns } from '../platform/turns.ts';

/** Runs work one at a time; if `limit` callers already wait, returns undefined at once without running the work. */
export function createBoundedTurns(limit: number) {
  const inTurn = createTurns();
  let waiting = 0;
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (waiting > limit) return undefined;
    waiting += 1;
    try {
      return await inTurn(work);
    } finally {
      waiting -= 1;
    }
  };
}
