import { setImmediate } from 'node:timers/promises';
import type { Database } from '../../platform/database/transaction.ts';
import { type WaitingLane, waitingLanes } from './queue-store.ts';

interface Dependencies {
  readonly database: Database;
  /** The lane that was served last. */
  readonly lastServed: () => string;
  /** Deliveries that do not count. */
  readonly butNot: () => readonly string[];
}

/** Lanes that one query lists. */
const WINDOW = 200;
const BEYOND_ALL = '~';

/**
 * The lanes with deliveries that wait, a window at a time: where one does not show all, from the lane after the one
 * that was served last, and around, so that those of the first window do not take all places.
 */
export function createLaneWindows({ database, lastServed, butNot }: Dependencies) {
  let lanesSeen = 0;

  return async function* windows(): AsyncGenerator<readonly WaitingLane[]> {
    const start = lanesSeen < WINDOW ? '' : lastServed();
    lanesSeen = 0;
    for (const [after, upTo] of [[start, BEYOND_ALL] as const, ['', start] as const]) {
      for (let from = after; from < upTo; ) {
        const found = await waitingLanes(database.read, from, WINDOW, butNot());
        const lanes = found.filter(({ lane }) => lane <= upTo);
        lanesSeen += lanes.length;
        yield lanes;
        from = lanes.length < WINDOW ? upTo : (lanes.at(-1)?.lane ?? upTo);
        // SQLite answers at once: without this, requests would wait for all lanes.
        if (lanes.length === WINDOW) await setImmediate();
      }
    }
  };
}
