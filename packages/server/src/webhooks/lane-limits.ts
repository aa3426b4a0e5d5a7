/** Requests in flight at once: to one origin at the most and at first, and in all. */
const PER_LANE = 32;
const AT_FIRST = 8;
const IN_ALL = 256;
/** Beyond the limit in all: so that lanes with nothing in flight need not wait for those that fill it. */
const FOR_IDLE_LANES = 64;

export type LaneLimits = ReturnType<typeof createLaneLimits>;

/**
 * How many deliveries a lane may have in flight: fewer to a receiver that fails, more to one that answers, and always
 * a first one (behaviour: a slow or dead receiver never delays another).
 */
export function createLaneLimits() {
  const inFlight = new Map<string, number>();
  const limits = new Map<string, number>();
  let all = 0;
  let lastServed = '';

  return {
    /** Free places of a lane. */
    free(lane: string): number {
      const own = inFlight.get(lane) ?? 0;
      if (own === 0 && all >= IN_ALL) return all < IN_ALL + FOR_IDLE_LANES ? 1 : 0;
      return Math.max(0, Math.min((limits.get(lane) ?? AT_FIRST) - own, IN_ALL - all));
    },

    /** The lanes in the order of service: after the one that was served last. */
    inTurn(lanes: readonly string[]): string[] {
      return [...lanes.filter((lane) => lane > lastServed), ...lanes.filter((lane) => lane <= lastServed)];
    },

    begin(lane: string, count: number): void {
      if (count === 0) return;
      lastServed = lane;
      all += count;
      inFlight.set(lane, (inFlight.get(lane) ?? 0) + count);
    },

    /** `well`: the receiver answered, and not that it is in trouble. */
    end(lane: string, well: boolean): void {
      const left = (inFlight.get(lane) ?? 1) - 1;
      const limit = well ? Math.min(PER_LANE, 2 * (limits.get(lane) ?? AT_FIRST)) : 1;
      all -= 1;
      if (left > 0) inFlight.set(lane, left);
      else inFlight.delete(lane);
      limits.set(lane, limit);
      // What is idle and well is as good as new; so the map holds no more lanes than are busy or in trouble.
      if (left === 0 && well) limits.delete(lane);
    },
  };
}
