import { boundedCache } from '../../platform/bounded-cache.ts';

/** The most requests in flight at once: in a lane, in a lane whose receiver is still unknown, of a webhook, and in all. */
const PER_LANE = 32;
const AT_FIRST = 8;
const PER_WEBHOOK = 8;
const IN_ALL = 256;
/** Places beyond `IN_ALL` for healthy lanes with nothing in flight, so that they need not wait for busy ones. */
const FOR_IDLE_LANES = 64;
/** Deliveries taken ahead for a lane at full speed, which fill its places as soon as they become free. */
const AHEAD = 512;
/** The same for a lane in which so many have waited for too long. */
const AHEAD_OF_SLOW = 128;
/** The most deliveries of a lane that are read from the queue at once. */
const MAX_READ = 160;
/** The share of the deliveries taken ahead that one webhook may have. */
const SHARE_OF_WEBHOOK = 1 / 8;

/** The lanes whose limit is remembered: those with the latest responses or failures. */
const MAX_REMEMBERED = 100_000;

export type LaneLimits = ReturnType<typeof createLaneLimits>;

/**
 * Limits how many deliveries may be in flight in a lane, which is all targets of one origin: one after a failure, twice as many
 * after each response. Places are kept for idle lanes whose receivers respond, for when slow or dead receivers have all others.
 */
export function createLaneLimits() {
  const inFlight = new Map<string, number>();
  const ofWebhook = new Map<string, number>();
  const ofWebhookInLane = new Map<string, number>();
  const limits = boundedCache<string, number>(MAX_REMEMBERED);
  const slow = boundedCache<string, true>(MAX_REMEMBERED);
  let all = 0;
  let lastServed = '';

  function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
    const value = (counts.get(key) ?? 0) + change;
    if (value > 0) counts.set(key, value);
    else counts.delete(key);
  }

  /** Returns whether the last request to a lane failed. */
  const failing = (lane: string): boolean => limits.get(lane) === 1;

  /** Returns the free places of a lane. */
  function freePlaces(lane: string): number {
    const own = inFlight.get(lane) ?? 0;
    if (own === 0 && all >= IN_ALL) return all < IN_ALL + FOR_IDLE_LANES && !failing(lane) ? 1 : 0;
    return Math.max(0, Math.min((limits.get(lane) ?? AT_FIRST) - own, IN_ALL - all));
  }

  /** Returns how many deliveries may be taken beyond the free places of a lane. */
  function ahead(lane: string): number {
    if (limits.get(lane) !== PER_LANE) return 0;
    return slow.get(lane) ? AHEAD_OF_SLOW : AHEAD;
  }

  /** Returns how many deliveries of one webhook may be in flight or prefetched. */
  const perWebhook = (lane: string): number => Math.max(PER_WEBHOOK, ahead(lane) * SHARE_OF_WEBHOOK);

  /**
   * Returns how many deliveries may be added to the `prefetched` ones of a lane. `roomInAll` is how many more may be prefetched
   * in all lanes.
   */
  const room = (lane: string, prefetched: number, roomInAll = Number.POSITIVE_INFINITY): number =>
    Math.max(0, freePlaces(lane) + Math.min(ahead(lane), Math.max(0, prefetched + roomInAll)) - prefetched);

  return {
    failing,
    freePlaces,
    ahead,
    perWebhook,

    /** Returns whether busy lanes have taken all places. */
    isFull: (): boolean => all >= IN_ALL,

    /** Returns whether a webhook has deliveries in flight in a lane. */
    sendsTo: (lane: string, webhookId: string): boolean => ofWebhookInLane.has(`${lane} ${webhookId}`),

    /** Returns the free places of a webhook. */
    freePlacesOf: (webhookId: string): number => PER_WEBHOOK - (ofWebhook.get(webhookId) ?? 0),

    room,

    /** Returns how many of these to read from the queue: none while enough are prefetched. */
    wanted(lane: string, prefetched: number, roomInAll = Number.POSITIVE_INFINITY): number {
      if (prefetched >= freePlaces(lane) && (prefetched >= ahead(lane) / 2 || roomInAll <= 0)) return 0;
      return Math.min(MAX_READ, room(lane, prefetched, roomInAll));
    },

    /** Notes that deliveries taken ahead for a lane have waited for too long. */
    tookTooMany: (lane: string): void => void slow.set(lane, true),

    /** Notes that none are left. */
    ranOut: (lane: string): void => void slow.delete(lane),

    /** Returns the webhooks that have enough in flight and prefetched; `prefetched` counts the deliveries of this lane. */
    haveEnough: (lane: string, prefetched: ReadonlyMap<string, number>): string[] =>
      [...new Set([...ofWebhook.keys(), ...prefetched.keys()])].filter(
        (id) => (ofWebhook.get(id) ?? 0) + (prefetched.get(id) ?? 0) >= perWebhook(lane),
      ),

    lastServed: (): string => lastServed,

    /** Returns lanes in the order of service, beginning after the lane that was served last. */
    roundRobin<Lane extends { readonly lane: string }>(lanes: readonly Lane[]): Lane[] {
      return [...lanes.filter(({ lane }) => lane > lastServed), ...lanes.filter(({ lane }) => lane <= lastServed)];
    },

    begin(lane: string, webhookId: string): void {
      lastServed = lane;
      all += 1;
      count(inFlight, lane, 1);
      count(ofWebhook, webhookId, 1);
      count(ofWebhookInLane, `${lane} ${webhookId}`, 1);
    },

    /** `healthy` says whether the receiver responded without a server error; undefined where nothing was sent. */
    end(lane: string, webhookId: string, healthy: boolean | undefined): void {
      all -= 1;
      count(ofWebhook, webhookId, -1);
      count(ofWebhookInLane, `${lane} ${webhookId}`, -1);
      count(inFlight, lane, -1);
      if (healthy === undefined) return;
      const limit = healthy ? Math.min(PER_LANE, 2 * (limits.get(lane) ?? AT_FIRST)) : 1;
      limits.set(lane, limit);
    },
  };
}
