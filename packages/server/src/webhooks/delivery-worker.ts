import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/transaction.ts';
import type { Ids } from '../platform/ids.ts';
import type { Nudge } from '../platform/queue/nudge.ts';
import type { Deliver } from './deliver.ts';
import { loadForSending, type Sendable } from './delivery-store.ts';
import { createHeld } from './held.ts';
import { createLaneLimits } from './lane-limits.ts';
import { claimLane, handAllBack, handBack, LEASE_MS, type WaitingLane, waitingLanes } from './queue-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly nudge: Nudge;
  readonly deliver: Deliver;
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** Lanes that one round looks at, and that one transaction claims from. */
const WINDOW = 200;
const LANES_A_CLAIM = 20;
const BEYOND_ALL = '~';
/** What was claimed and has not begun after this goes back: it may be stale, and its lease must outlast its sending. */
const HELD_MS = 1_000;
/** Requests in flight and attempts that wait to be recorded: where recording does not keep up, nothing more is claimed. */
const MOST_SENDING = 2_000;
/** A lane is not asked again so soon when what is due in it belongs to webhooks that have enough in flight. */
const PAUSE_MS = 100;

/** Also where the clock was put back: nobody knows how old it is. */
const isStale = (since: number, now: number): boolean => now - since >= HELD_MS || since > now;

/** Claims what is due, lane by lane up to each lane's places, and sends it beside what is in flight already. */
export function createDeliveryWorker({ database, clock, ids, nudge, deliver }: Dependencies) {
  const limits = createLaneLimits();
  const held = createHeld();
  const sending = new Set<Promise<void>>();
  const pausedUntil = new Map<string, number>();
  let lanesSeen = 0;
  let stopping = false;
  /** Sent, and not recorded: handed back at the end. */
  const unrecorded = new Map<string, Sendable>();

  function send(lane: string, delivery: Sendable): void {
    limits.begin(lane, delivery.webhookId);
    const sent = deliver(delivery, ({ url, result }) => {
      // Where nothing was sent, nothing is known of the receiver.
      const well = url === null ? undefined : result.kind === 'answered' && result.status < 500;
      limits.end(lane, delivery.webhookId, well);
      fill(lane);
      if (limits.wanted(lane, held.count(lane)) > 0) nudge();
    }).then(({ recorded }) => {
      sending.delete(sent);
      if (!recorded) unrecorded.set(delivery.id, delivery);
      if (sending.size === MOST_SENDING - 1) nudge();
    });
    sending.add(sent);
  }

  /** Begins what is held, in its order, as far as there are places for its lane and its webhook. */
  function fill(lane: string): void {
    let places = limits.free(lane);
    const taken = new Map<string, number>();
    const now = clock.now();
    const next = held.take(lane, ({ delivery: { webhookId }, since }) => {
      const own = taken.get(webhookId) ?? 0;
      if (places === 0 || limits.freeOf(webhookId) <= own || isStale(since, now)) return false;
      places -= 1;
      taken.set(webhookId, own + 1);
      return true;
    });
    for (const delivery of next) send(lane, delivery);
  }

  async function giveBack(deliveries: readonly Sendable[]): Promise<void> {
    for (const lease of new Set(deliveries.map((each) => each.lease))) {
      const own = deliveries.filter((each) => each.lease === lease).map(({ id }) => id);
      if (lease !== null) await handBack(database.executor, own, lease, clock.now());
    }
  }

  /** What waits for too long, or for a receiver that has begun to fail. */
  const giveBackStale = (now: number) =>
    giveBack(
      held.lanes().flatMap((lane) => held.take(lane, ({ since }) => limits.failing(lane) || isStale(since, now))),
    );

  /** Those of the lanes that have something due and places for it, in turn. */
  function toServe(lanes: readonly WaitingLane[]): WaitingLane[] {
    const now = clock.now();
    for (const [lane, until] of pausedUntil) if (until <= now || until > now + PAUSE_MS) pausedUntil.delete(lane);
    return limits.inTurn(
      lanes.filter(
        ({ lane, dueAt }) => dueAt <= now && !pausedUntil.has(lane) && limits.wanted(lane, held.count(lane)) > 0,
      ),
    );
  }

  /** Claims for some lanes in one transaction, loads what was claimed, and begins with it. */
  async function serve(lanes: readonly WaitingLane[]): Promise<number> {
    if (stopping || sending.size >= MOST_SENDING) return 0;
    // Not the time at which the round began: that may take long, and leases count from now.
    const now = clock.now();
    const lease = ids();
    const claimed = await database.transaction(async (tx) => {
      const taken: string[] = [];
      for (const { lane } of lanes) {
        const limit = limits.wanted(lane, held.count(lane));
        if (limit === 0) continue;
        const butNotOf = limits.haveEnough(lane, held.byWebhook(lane));
        const own = await claimLane(tx, { lane, lease, now, limit, perWebhook: limits.perWebhook(lane), butNotOf });
        if (own.length === 0) pausedUntil.set(lane, now + PAUSE_MS);
        taken.push(...own);
      }
      return taken;
    });
    if (claimed.length === 0) return 0;
    const deliveries = await loadForSending(database.executor, claimed, lease);
    for (const lane of new Set(deliveries.map((delivery) => delivery.lane))) {
      held.add(
        lane,
        deliveries.filter((delivery) => delivery.lane === lane),
        now,
      );
      fill(lane);
    }
    return claimed.length;
  }

  /**
   * The lanes with deliveries that wait, a window at a time: where one does not show all, from the lane after the one
   * that was served last, and around, so that those of the first window do not take all places.
   */
  async function* windows(): AsyncGenerator<readonly WaitingLane[]> {
    const start = lanesSeen < WINDOW ? '' : limits.lastServed();
    lanesSeen = 0;
    for (const [after, upTo] of [[start, BEYOND_ALL] as const, ['', start] as const]) {
      for (let from = after; from < upTo; ) {
        const lanes = (await waitingLanes(database.executor, from, WINDOW)).filter(({ lane }) => lane <= upTo);
        lanesSeen += lanes.length;
        yield lanes;
        from = lanes.length < WINDOW ? upTo : (lanes.at(-1)?.lane ?? upTo);
        // SQLite answers at once: without this, requests would wait for all lanes.
        if (lanes.length === WINDOW) await setImmediate();
      }
    }
  }

  /** Resolves when nothing is in flight. */
  async function settled(): Promise<void> {
    while (sending.size > 0) await Promise.all(sending);
  }

  return {
    /** At a start that knows that nobody else works: what a process that died was sending is due at once. */
    takeBack: (): Promise<void> => handAllBack(database.executor, clock.now()),

    /** Looks at every lane once. */
    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      const now = clock.now();
      await giveBackStale(now);
      for (const lane of held.lanes()) fill(lane);
      let done = 0;
      const later: number[] = [];
      for await (const lanes of windows()) {
        const serving = toServe(lanes);
        for (let from = 0; from < serving.length; from += LANES_A_CLAIM)
          done += await serve(serving.slice(from, from + LANES_A_CLAIM));
        later.push(...lanes.flatMap(({ lane, dueAt }) => pausedUntil.get(lane) ?? (dueAt > now ? dueAt : [])));
      }
      const dueInMs = later.reduce((least, at) => Math.min(least, at - now), LEASE_MS);
      return { done, dueInMs: done > 0 ? undefined : dueInMs };
    },

    settled,

    /** Claims no more, in the round that is on either. */
    stop(): void {
      stopping = true;
    },

    /** Gives back what has not begun, and waits for the rest: the next process need not wait for a lease to end. */
    async finish(): Promise<void> {
      await giveBack(held.lanes().flatMap((lane) => held.take(lane, () => true)));
      await settled();
      await giveBack([...unrecorded.values()]);
    },
  };
}
