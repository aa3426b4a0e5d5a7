import type { Clock } from '../../platform/clock.ts';
import type { Deliver } from './deliver.ts';
import type { Sendable } from './delivery-store.ts';
import { createInFlight } from './in-flight.ts';
import type { LaneLimits } from './limits.ts';
import { createPrefetchBuffer } from './prefetch-buffer.ts';
import type { LaneClaim } from './queue-store.ts';

interface Dependencies {
  readonly clock: Clock;
  readonly limits: LaneLimits;
  readonly deliver: Deliver;
  /** Called where there is room for more. */
  readonly nudge: () => void;
}

export type Sending = ReturnType<typeof createSending>;

/** What was taken ahead and has not begun after this is looked up again: it may be stale. */
const HELD_MS = 1_000;
const MAX_HELD = 1_000;
/** Requests in flight and attempts that wait to be recorded: where recording does not keep up, nothing more is taken. */
const MAX_SENDING = 2_000;
/** What was sent and could not be recorded is sent again after this, not at once. */
const UNRECORDED_MS = 30_000;

/** Deliveries from the future are stale as well: the clock was put back. */
const isStale = (since: number, now: number): boolean => now - since >= HELD_MS || since > now;

/** The deliveries that a worker has in hand: taken ahead, being sent, or sent and not recorded. */
export function createSending({ clock, limits, deliver, nudge }: Dependencies) {
  const prefetched = createPrefetchBuffer();
  const inFlight = createInFlight();
  const requests = new Set<Promise<void>>();
  /** Sent and not recorded, and until when those are left alone. */
  const unrecorded = new Map<Sendable, number>();

  const wanted = (lane: string): number => limits.wanted(lane, prefetched.count(lane), MAX_HELD - prefetched.size());

  function send(lane: string, delivery: Sendable): void {
    limits.begin(lane, delivery.webhookId);
    const sent = deliver(delivery, ({ url, result }) => {
      // Where nothing was sent, nothing is known of the receiver.
      const well = url === null ? undefined : result.kind === 'answered' && result.status < 500;
      limits.end(lane, delivery.webhookId, well);
      fill(lane);
      if (wanted(lane) > 0) nudge();
    }).then(({ recorded }) => {
      requests.delete(sent);
      if (recorded) inFlight.delete(lane, delivery.id);
      else unrecorded.set(delivery, clock.now() + UNRECORDED_MS);
      if (requests.size === MAX_SENDING - 1) nudge();
    });
    requests.add(sent);
  }

  /** Begins what is held, in its order, as far as there are places for its lane and its webhook. */
  function fill(lane: string): void {
    let places = limits.free(lane);
    const taken = new Map<string, number>();
    const now = clock.now();
    const next = prefetched.take(lane, ({ delivery: { webhookId }, since }) => {
      const own = taken.get(webhookId) ?? 0;
      if (places === 0 || limits.freeOf(webhookId) <= own || isStale(since, now)) return false;
      places -= 1;
      taken.set(webhookId, own + 1);
      return true;
    });
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

    /** What more may be taken of a lane, or undefined where nothing may. */
    claimOf(lane: string): LaneClaim | undefined {
      const limit = wanted(lane);
      if (limit === 0 || requests.size >= MAX_SENDING) return undefined;
      const butNotOf = limits.haveEnough(lane, prefetched.byWebhook(lane));
      return { lane, limit, perWebhook: limits.perWebhook(lane), butNotOf };
    },

    /** Takes what was looked up at a time, and begins with it as far as there are places. */
    add(deliveries: readonly Sendable[], since: number): void {
      for (const { lane, id } of deliveries) inFlight.add(lane, id);
      for (const lane of new Set(deliveries.map((delivery) => delivery.lane))) {
        prefetched.add(
          lane,
          deliveries.filter((delivery) => delivery.lane === lane),
          since,
        );
        fill(lane);
      }
    },

    /** Takes a delivery and begins with it, whatever its lane and webhook have in flight. */
    begin(delivery: Sendable): void {
      inFlight.add(delivery.lane, delivery.id);
      send(delivery.lane, delivery);
    },

    /** Begins with what there are places for again. */
    fill(): void {
      for (const lane of prefetched.lanes()) fill(lane);
    },

    /** Forgets what was held for too long, or for a receiver that began to fail; and what could not be recorded, in its time. */
    dropStale(now: number): void {
      for (const lane of prefetched.lanes())
        drop(prefetched.take(lane, ({ since }) => limits.failing(lane) || isStale(since, now)));
      for (const [delivery, until] of unrecorded)
        if (until <= now || until > now + UNRECORDED_MS) {
          unrecorded.delete(delivery);
          drop([delivery]);
        }
    },

    /** Forgets what has not begun. */
    dropPrefetched(): void {
      for (const lane of prefetched.lanes()) drop(prefetched.take(lane, () => true));
    },

    /** Resolves when nothing is in flight. */
    async settled(): Promise<void> {
      while (requests.size > 0) await Promise.all(requests);
    },
  };
}
