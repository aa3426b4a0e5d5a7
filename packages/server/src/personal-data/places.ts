import { createKeyedSemaphore, createSemaphore } from '../platform/concurrency/semaphore.ts';
import { tooManyRequests } from '../platform/http/errors.ts';

/** The exports that one process runs at once. */
const MAX_AT_ONCE = 8;
const RETRY_AFTER_SECONDS = 30;

/**
 * Creates the function that takes a place for an export of a user and returns the function that gives it back. Throws 429
 * while an export of the same user runs, or too many of others.
 */
export function createPlaces(): (userId: string) => Promise<() => void> {
  const ofUser = createKeyedSemaphore({
    ...{ atOnce: 1, maxWaiting: 0 },
    refuse: () => tooManyRequests('An export of this user is running', RETRY_AFTER_SECONDS),
  });
  const ofProcess = createSemaphore({
    ...{ atOnce: MAX_AT_ONCE, maxWaiting: 0 },
    refuse: () => tooManyRequests('Too many exports are running', RETRY_AFTER_SECONDS),
  });
  return (userId) =>
    new Promise((resolve, reject) => {
      const untilGivenBack = () => new Promise<void>((giveBack) => resolve(() => giveBack()));
      ofUser(userId, () => ofProcess(untilGivenBack)).catch(reject);
    });
}
