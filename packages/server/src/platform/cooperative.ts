import { setImmediate, setTimeout } from 'node:timers/promises';

/** How long a long work keeps the event loop before other work runs. */
const TURN_MS = 5;

/** Called between the pieces of long work; returns a promise to wait for where others have waited for long. */
export type Pause = () => Promise<void> | undefined;

/** Returns a pause for one long work. */
export function createPause(): Pause {
  let until = performance.now() + TURN_MS;
  const yieldTurn = async () => {
    await setImmediate();
    until = performance.now() + TURN_MS;
  };
  return () => (performance.now() < until ? undefined : yieldTurn());
}

/** The longest rest: work that waited for others did not keep the event loop. */
const MAX_REST_MS = 100;

/**
 * Returns what to wait for between the pieces of long work that nobody waits for: it rests for about as long as it worked.
 * Throws the reason of the signal once that is aborted.
 */
export function createRest(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    signal.throwIfAborted();
    const worked = performance.now() - since;
    if (worked < TURN_MS) return;
    await setTimeout(Math.min(worked, MAX_REST_MS));
    signal.throwIfAborted();
    since = performance.now();
  };
}

/** Maps items one after the other, and lets other work of the event loop run in between. */
export async function mapCooperatively<T, R>(items: Iterable<T>, map: (item: T) => R | Promise<R>): Promise<R[]> {
  const mapped: R[] = [];
  const pause = createPause();
  for (const item of items) {
    mapped.push(await map(item));
    const waiting = pause();
    if (waiting) await waiting;
  }
  return mapped;
}
