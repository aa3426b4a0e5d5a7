import { boundedCache } from '../../platform/bounded-cache.ts';
import { createDueBound, type DueBound } from '../../platform/queue/due-bound.ts';

/** The lanes whose bound is remembered: those that were looked at last. */
const MAX_LANES = 200;

export type LaneBounds = ReturnType<typeof createLaneBounds>;

/** The due times below which nothing waits in lanes. */
export function createLaneBounds() {
  const bounds = boundedCache<string, DueBound>(MAX_LANES);

  return {
    /** Returns the due time from which to look in a lane; 0 where it is time to look at all of it. */
    from: (lane: string, now: number): number => bounds.get(lane)?.from(now) ?? 0,

    /** Notes a look at all of a lane that began at a time, and the due time of the first delivery that it left waiting. */
    saw(lane: string, now: number, oldest: number | null): void {
      const bound = bounds.get(lane) ?? createDueBound();
      bound.saw(now, oldest ?? undefined);
      bounds.set(lane, bound);
    },

    /** Forgets what was seen of a lane, of which deliveries were given back. */
    forget(lane: string): void {
      bounds.delete(lane);
    },

    forgetAll: (): void => bounds.clear(),

    /** Returns the lanes with a bound, and the due time from which to look in each. */
    all: (now: number): [string, number][] =>
      [...bounds.entries()].flatMap(([lane, bound]): [string, number][] => {
        const from = bound.from(now);
        return from > 0 ? [[lane, from]] : [];
      }),
  };
}
