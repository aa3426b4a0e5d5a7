import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { FailedError } from '../program/failure.ts';
import { type Environment, requireCredentialsFile } from './credentials.ts';

/** The age at which a lock counts as abandoned: its process sends one request, which takes at most 30 seconds. */
const STALE_MS = 60_000;
const LOOK_MS = 50;

type Sleep = (milliseconds: number) => Promise<void>;

/**
 * Runs an action on the stored credentials while no other process changes them: two processes that renewed a login at
 * the same time would invalidate each other's tokens.
 */
export async function withCredentialsLock<T>(env: Environment, sleep: Sleep, act: () => Promise<T> | T): Promise<T> {
  const lock = `${requireCredentialsFile(env)}.lock`;
  for (let waited = 0; !acquire(lock); waited += LOOK_MS) {
    if (waited > 2 * STALE_MS)
      throw new FailedError(`Another process holds ${lock}. Remove it if no other command runs.`);
    await sleep(LOOK_MS);
  }
  try {
    return await act();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Creates the lock file; returns false if it exists. */
function acquire(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600));
    return true;
  } catch (error) {
    if (!isExisting(error)) throw error;
    if (ageOf(lock) > STALE_MS) rmSync(lock, { force: true });
    return false;
  }
}

const isExisting = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

/** Returns the age of the lock in milliseconds; 0 if it no longer exists. */
function ageOf(lock: string): number {
  const stats = statSync(lock, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}
