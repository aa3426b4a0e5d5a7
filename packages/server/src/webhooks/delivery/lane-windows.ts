import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { LaneBounds } from './lane-bounds.ts';
import { type WaitingLane, waitingLanes } from './queue-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly bounds: LaneBounds;
  /** Returns the lane that was served last. */
  readonly lastServed: () => string;
  /** Returns the lanes whose `dueAt` need not be looked for, with what stands in its place. */
  readonly known: () => ReadonlyMap<string, number | null>;
  /** Returns the ids of the deliveries that do not count in the other lanes. */
  readonly ignored: (known: ReadonlyMap<string, number | null>) => readonly string[];
}

/** The lanes that one query lists. */
const WINDOW = 200;
const BEYOND_ALL = '~';

/**
 * Returns the generator of lanes with pending deliveries, a window at a time. Where one window cannot hold all lanes, it begins
 * after the lane that was served last and wraps around, so that the first lanes do not take all places.
 */
export function createLaneWindows({ database, clock, bounds, lastServed, known, ignored }: Dependencies) {
  let lanesSeen = 0;

  return async function* windows(): AsyncGenerator<readonly WaitingLane[]> {
    const start = lanesSeen < WINDOW ? '' : lastServed();
    lanesSeen = 0;
    for (const [after, upTo] of [[start, BEYOND_ALL] as const, ['', start] as const]) {
      for (let from = after; from < upTo; ) {
        const dueAt = known();
        const now = clock.now();
        const since = new Map<string, number | null>(bounds.all(now));
        for (const lane of dueAt.keys()) since.set(lane, null);
        const found = await waitingLanes(database.read, from, WINDOW, { from: since, inFlight: ignored(dueAt) });
        for (const each of found) if (!since.has(each.lane)) bounds.saw(each.lane, now, each.dueAt);
        const lanes = found
          .filter(({ lane }) => lane <= upTo)
          .map((each) => ({ ...each, dueAt: dueAt.get(each.lane) ?? each.dueAt }));
        lanesSeen += lanes.length;
        yield lanes;
        from = lanes.length < WINDOW ? upTo : (lanes.at(-1)?.lane ?? upTo);
        // Lets requests be handled in between: queries of SQLite are synchronous.
        if (lanes.length === WINDOW) await setImmediate();
      }
    }
  };
}
