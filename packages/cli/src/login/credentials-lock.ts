import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { FailedError } from '../program/failure.ts';
import { type Environment, placeForCredentials } from './credentials.ts';

/** A process that holds the lock for longer has died: it asks the hub once, which takes 30 seconds at most. */
const STALE_MS = 60_000;
const LOOK_MS = 50;

type Sleep = (milliseconds: number) => Promise<void>;

/**
 * Does something with the stored credentials while no other process changes them: two processes that renewed a login at
 * the same time would each end what the other got.
 */
export async function lockingCredentials<T>(env: Environment, sleep: Sleep, act: () => Promise<T> | T): Promise<T> {
  const lock = `${placeForCredentials(env)}.lock`;
  for (let waited = 0; !take(lock); waited += LOOK_MS) {
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

/** Takes the lock, which is the existence of the file; returns whether it was free. */
function take(lock: string): boolean {
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

/** How long ago the lock was taken, in milliseconds; none where it is gone. */
function ageOf(lock: string): number {
  const stats = statSync(lock, { throwIfNoEntry: false });
  return stats === undefined ? 0 : Date.now() - stats.mtimeMs;
}
