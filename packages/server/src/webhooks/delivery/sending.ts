import type { Clock } from '../../platform/clock.ts';
import type { Deliver } from './deliver.ts';
import type { Sendable } from './delivery-store.ts';
import { createInFlight } from './in-flight.ts';
import type { LaneLimits } from './limits.ts';
import type { Looks } from './looks.ts';
import { type Choice, createPrefetchBuffer, type ReadDelivery } from './prefetch-buffer.ts';
import type { LaneClaim } from './queue-store.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly limits: LaneLimits;
  readonly deliver: Deliver;
  /** Told when there is room for deliveries that may be waiting. */
  readonly looks: Pick<Looks, 'roomIn' | 'roomForAll'>;
}

export type Sending = ReturnType<typeof createSending>;

/** A prefetched delivery that has waited this long may be stale: it is dropped and read again. */
const MAX_PREFETCHED_MS = 1_000;
const MAX_PREFETCHED = 1_000;
/** Requests in flight and attempts that wait to be recorded: the worker takes no more when recording does not keep up. */
const MAX_SENDING = 2_000;
/** A delivery whose attempt could not be recorded is sent again after this time. */
const UNRECORDED_MS = 30_000;

/** Deliveries from the future are stale as well: the clock was put back. */
const isStale = (since: number, now: number): boolean => now - since >= MAX_PREFETCHED_MS || since > now;

/** Returns what chooses among the prefetched deliveries of a lane, in their order, as far as there are free places. */
function chooserOf(lane: string, limits: LaneLimits, now: number) {
  let places = limits.freePlaces(lane);
  const taken = new Map<string, number>();
  return ({ delivery: { webhookId }, since }: ReadDelivery): Choice => {
    if (places === 0) return 'stop';
    const own = taken.get(webhookId) ?? 0;
    if (limits.freePlacesOf(webhookId) <= own || isStale(since, now)) return 'leave';
    places -= 1;
    taken.set(webhookId, own + 1);
    return 'take';
  };
}

/** Holds the deliveries of a worker: prefetched, being sent, or sent without being recorded. */
export function createSending({ clock, limits, deliver, looks }: Dependencies) {
  const prefetched = createPrefetchBuffer();
  const inFlight = createInFlight();
  const requests = new Set<Promise<void>>();
  /** Deliveries whose attempt could not be recorded, with the time until which they are not sent again. */
  const unrecorded = new Map<Sendable, number>();

  const wanted = (lane: string): number =>
    limits.wanted(lane, prefetched.count(lane), MAX_PREFETCHED - prefetched.size());

  const room = (lane: string): number => limits.room(lane, prefetched.count(lane), MAX_PREFETCHED - prefetched.size());

  /** Returns the webhooks that have enough in flight and prefetched. */
  const enough = (lane: string): string[] => limits.haveEnough(lane, prefetched.byWebhook(lane));

  function send(lane: string, delivery: Sendable): void {
    limits.begin(lane, delivery.webhookId);
    const sent = deliver(delivery, ({ url, result }) => {
      const wasFull = limits.isFull() || prefetched.size() >= MAX_PREFETCHED;
      // Where nothing was sent, the health of the receiver is unknown.
      const healthy = url === null ? undefined : result.kind === 'answered' && result.status < 500;
      limits.end(lane, delivery.webhookId, healthy);
      fill(lane);
      if (wasFull) looks.roomForAll();
      else if (wanted(lane) > 0) looks.roomIn(lane, () => !enough(lane).includes(delivery.webhookId));
    }).then(({ recorded }) => {
      requests.delete(sent);
      if (recorded) inFlight.delete(lane, delivery.id);
      else unrecorded.set(delivery, clock.now() + UNRECORDED_MS);
      if (requests.size === MAX_SENDING - 1) looks.roomForAll();
    });
    requests.add(sent);
  }

  /** Sends prefetched deliveries of a lane, in their order, as far as the lane and their webhooks have free places. */
  function fill(lane: string): void {
    const next = prefetched.take(lane, chooserOf(lane, limits, clock.now()));
    if (prefetched.count(lane) === 0) limits.ranOut(lane);
    for (const delivery of next) send(lane, delivery);
  }

  function drop(deliveries: readonly Sendable[]): void {
    for (const { lane, id } of deliveries) inFlight.delete(lane, id);
  }

  return {
    has: inFlight.has,
    ids: inFlight.ids,
    lanes: inFlight.lanes,
    idsOf: inFlight.idsOf,
    wanted,
    room,

    /** Returns what may be taken of a lane, up to a limit; undefined where that is nothing. */
    claimOf(lane: string, limit: number): Omit<LaneClaim, 'from'> | undefined {
      if (limit === 0 || requests.size >= MAX_SENDING) return undefined;
      return { lane, limit, perWebhook: limits.perWebhook(lane), exceptWebhooks: enough(lane) };
    },

    /** Adds deliveries, and sends them as far as there are free places. */
    add(deliveries: readonly ReadDelivery[]): void {
      for (const { delivery } of deliveries) inFlight.add(delivery.lane, delivery.id);
      for (const lane of new Set(deliveries.map(({ delivery }) => delivery.lane))) {
        prefetched.add(
          lane,
          deliveries.filter(({ delivery }) => delivery.lane === lane),
        );
        fill(lane);
      }
    },

    /** Sends a delivery at once, whatever its lane and webhook have in flight. */
    begin(delivery: Sendable): void {
      inFlight.add(delivery.lane, delivery.id);
      send(delivery.lane, delivery);
    },

    /** Sends prefetched deliveries of all lanes as far as there are free places. */
    fill(): void {
      for (const lane of prefetched.lanes()) fill(lane);
    },

    /**
     * Drops prefetched deliveries that are stale or whose receiver began to fail, and releases unrecorded ones in time. Returns the
     * lanes of these.
     */
    dropStale(now: number): Set<string> {
      const dropped = prefetched.lanes().flatMap((lane) => {
        const stale = prefetched.takeIf(lane, ({ since }) => limits.failing(lane) || isStale(since, now));
        if (stale.length > 0 && !limits.failing(lane)) limits.tookTooMany(lane);
        return stale;
      });
      for (const [delivery, until] of unrecorded)
        if (until <= now || until > now + UNRECORDED_MS) {
          unrecorded.delete(delivery);
          dropped.push(delivery);
        }
      drop(dropped);
      return new Set(dropped.map(({ lane }) => lane));
    },

    /** Drops the deliveries that are not being sent yet. */
    dropPrefetched(): void {
      for (const lane of prefetched.lanes()) drop(prefetched.takeIf(lane, () => true));
    },

    /** Resolves when nothing is in flight. */
    async settled(): Promise<void> {
      while (requests.size > 0) await Promise.all(requests);
    },
  };
}
