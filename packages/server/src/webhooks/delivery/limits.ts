import { LRUCache } from 'lru-cache';

/** Requests in flight at once: to one origin at the most and at first, of one webhook, and in all. */
const PER_LANE = 32;
const AT_FIRST = 8;
const PER_WEBHOOK = 8;
const IN_ALL = 256;
/** Beyond the limit in all: so that lanes with nothing in flight, unless they fail, need not wait for those that fill it. */
const FOR_IDLE_LANES = 64;
/** Claimed ahead for a lane at its full speed, so that its places are filled at once as they become free. */
const AHEAD = 128;

/** Lanes whose pace is remembered: those that answered, or failed to, last. */
const MAX_REMEMBERED = 100_000;

export type LaneLimits = ReturnType<typeof createLaneLimits>;

/**
 * How many deliveries a lane may have in flight: fewer to a receiver that fails, more to one that answers, and always
 * a first one (behaviour: a slow or dead receiver never delays another).
 */
export function createLaneLimits() {
  const inFlight = new Map<string, number>();
  const ofWebhook = new Map<string, number>();
  // Bounded by size, not by `max`, for which the cache would set aside the memory of all lanes at once.
  const limits = new LRUCache<string, number>({ maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 });
  let all = 0;
  let lastServed = '';

  function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
    const value = (counts.get(key) ?? 0) + change;
    if (value > 0) counts.set(key, value);
    else counts.delete(key);
  }

  /** Whether the last request to a lane failed. */
  const failing = (lane: string): boolean => limits.get(lane) === 1;

  /** Free places of a lane. */
  function free(lane: string): number {
    const own = inFlight.get(lane) ?? 0;
    if (own === 0 && all >= IN_ALL) return all < IN_ALL + FOR_IDLE_LANES && !failing(lane) ? 1 : 0;
    return Math.max(0, Math.min((limits.get(lane) ?? AT_FIRST) - own, IN_ALL - all));
  }

  /** How many may be taken beyond the free places. */
  const ahead = (lane: string): number => (limits.get(lane) === PER_LANE ? AHEAD : 0);

  /** Of one webhook in flight and held: what it can use soon where something is taken ahead, else at once. */
  const perWebhook = (lane: string): number => (ahead(lane) > 0 ? 2 * PER_WEBHOOK : PER_WEBHOOK);

  return {
    failing,
    free,
    ahead,
    perWebhook,

    /** Free places of a webhook. */
    freeOf: (webhookId: string): number => PER_WEBHOOK - (ofWebhook.get(webhookId) ?? 0),

    /**
     * How many to take for a lane that holds so many already: none while those last. `room` is how many more may be held
     * in all.
     */
    wanted(lane: string, held: number, room = Number.POSITIVE_INFINITY): number {
      if (held >= free(lane) && (held >= ahead(lane) / 2 || room <= 0)) return 0;
      return free(lane) + Math.min(ahead(lane), Math.max(0, held + room)) - held;
    },

    /** The webhooks that have as much in flight, and held in this lane, as they can use. */
    haveEnough: (lane: string, held: ReadonlyMap<string, number>): string[] =>
      [...new Set([...ofWebhook.keys(), ...held.keys()])].filter(
        (id) => (ofWebhook.get(id) ?? 0) + (held.get(id) ?? 0) >= perWebhook(lane),
      ),

    lastServed: (): string => lastServed,

    /** The lanes in the order of service: after the one that was served last. */
    inTurn<Lane extends { readonly lane: string }>(lanes: readonly Lane[]): Lane[] {
      return [...lanes.filter(({ lane }) => lane > lastServed), ...lanes.filter(({ lane }) => lane <= lastServed)];
    },

    begin(lane: string, webhookId: string): void {
      lastServed = lane;
      all += 1;
      count(inFlight, lane, 1);
      count(ofWebhook, webhookId, 1);
    },

    /** `well`: the receiver answered, and not that it is in trouble; undefined where it was not asked. */
    end(lane: string, webhookId: string, well: boolean | undefined): void {
      all -= 1;
      count(ofWebhook, webhookId, -1);
      count(inFlight, lane, -1);
      if (well === undefined) return;
      const limit = well ? Math.min(PER_LANE, 2 * (limits.get(lane) ?? AT_FIRST)) : 1;
      limits.set(lane, limit);
    },
  };
}
