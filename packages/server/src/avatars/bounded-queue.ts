import { createMutex } from '../platform/mutex.ts';

/** Runs work one at a time; if `limit` callers already wait, returns undefined at once without running the work. */
export function createBoundedQueue(limit: number) {
  const runExclusive = createMutex();
  let waiting = 0;
  return async <T>(work: () => Promise<T>): Promise<T | undefined> => {
    if (waiting > limit) return undefined;
    waiting += 1;
    try {
      return await runExclusive(work);
    } finally {
      waiting -= 1;
    }
  };
}
