import { setTimeout as pause } from 'node:timers/promises';
import type { Bytes } from '../../platform/blobs/blob-store.ts';

/** Reading takes a quarter of the time and leaves the rest to requests. */
const REST_FACTOR = 3;
const TURN_MS = 20;

/** Yields the bytes slowly. Throws once `isStopped` returns true. */
export async function* paced(bytes: Bytes, isStopped: () => boolean): Bytes {
  let since = performance.now();
  for await (const piece of bytes) {
    if (isStopped()) throw new Error('The hub is stopping');
    yield piece;
    const worked = performance.now() - since;
    if (worked < TURN_MS) continue;
    await pause(worked * REST_FACTOR);
    since = performance.now();
  }
}
