import { setTimeout as pauseFor, setImmediate } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { alone, type Join } from '../../platform/queue/broadcast.ts';
import type { Care } from '../../platform/queue/care.ts';
import { endLeases, type Leases } from '../../platform/queue/leases.ts';
import type { Nudge } from '../../platform/queue/nudge.ts';
import type { Deliver } from './deliver.ts';
import { loadForSending, type Sendable } from './delivery-store.ts';
import { createInFlight } from './in-flight.ts';
import { createLaneLimits } from './limits.ts';
import { createPrefetchBuffer } from './prefetch-buffer.ts';
import { type LaneClaim, nextOfLanes, type WaitingLane, waitingLanes } from './queue-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly nudge: Nudge;
  readonly deliver: Deliver;
  readonly care: Care;
  /** Where other processes work, too: how they tell each other which lanes are free. */
  readonly join?: Join;
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** Lanes that one query lists, and whose deliveries are loaded together. */
const WINDOW = 200;
const LANES_A_LOAD = 20;
const BEYOND_ALL = '~';
/** What was taken ahead and has not begun after this is looked up again: it may be stale. */
const HELD_MS = 1_000;
const MAX_HELD = 1_000;
/** Requests in flight and attempts that wait to be recorded: where recording does not keep up, nothing more is taken. */
const MAX_SENDING = 2_000;
/** A lane is not asked again so soon when what is due in it belongs to webhooks that have enough in flight. */
const PAUSE_MS = 100;
/** Nor one that another worker has. */
const FOREIGN_MS = 1_000;
/** What was sent and could not be recorded is sent again after this, not at once. */
const UNRECORDED_MS = 30_000;
/** How long what may end the process is alone: its receiver can take much longer, and others do not wait for it. */
const PROBATION = { aloneMs: 100, suspectMs: 1_000 };
/** Leases are held on at least so often. */
const MAX_SLEEP_MS = 1_000;

/** Also where the clock was put back: nobody knows how old it is. */
const isStale = (since: number, now: number): boolean => now - since >= HELD_MS || since > now;

/** Sends what is due, lane by lane up to each lane's places, beside what is in flight already. */
export function createDeliveryWorker({ database, clock, leases, nudge, deliver, care, join = alone }: Dependencies) {
  const limits = createLaneLimits();
  const prefetched = createPrefetchBuffer();
  const inFlight = createInFlight();
  const sending = new Set<Promise<void>>();
  const pausedUntil = new Map<string, number>();
  let lanesSeen = 0;
  let stopping = false;
  /** Sent and not recorded, and until when those are left alone. */
  const unrecorded = new Map<Sendable, number>();

  const tellFree = join('lanes', (news) => {
    for (const lane of news === 'all' ? [...pausedUntil.keys()] : news) pausedUntil.delete(lane);
    nudge();
  });

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
      sending.delete(sent);
      if (recorded) inFlight.delete(lane, delivery.id);
      else unrecorded.set(delivery, clock.now() + UNRECORDED_MS);
      if (sending.size === MAX_SENDING - 1) nudge();
    });
    sending.add(sent);
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

  /** What was held for too long, or for a receiver that has begun to fail; and what could not be recorded, in its time. */
  function dropStale(now: number): void {
    for (const lane of prefetched.lanes())
      drop(prefetched.take(lane, ({ since }) => limits.failing(lane) || isStale(since, now)));
    for (const [delivery, until] of unrecorded)
      if (until <= now || until > now + UNRECORDED_MS) {
        unrecorded.delete(delivery);
        drop([delivery]);
      }
  }

  const pause = (lane: string, now: number, ms: number) => pausedUntil.set(lane, now + ms);

  /** Those of the lanes that have something due, and places for it, and that no other worker has, in turn. */
  async function toServe(lanes: readonly WaitingLane[]): Promise<string[]> {
    const now = clock.now();
    for (const [lane, until] of pausedUntil) if (until <= now || until > now + FOREIGN_MS) pausedUntil.delete(lane);
    const serving = limits
      .inTurn(lanes.filter(({ lane, dueAt }) => dueAt !== null && dueAt <= now && !pausedUntil.has(lane)))
      .map(({ lane }) => lane)
      .filter((lane) => wanted(lane) > 0);
    const foreign = await leases.hold(serving);
    for (const lane of foreign) pause(lane, now, FOREIGN_MS);
    return serving.filter((lane) => !foreign.has(lane));
  }

  /** What is wanted of a lane, or undefined where nothing is. */
  function claimOf(lane: string): LaneClaim | undefined {
    const limit = wanted(lane);
    if (limit === 0 || stopping || sending.size >= MAX_SENDING) return undefined;
    const butNotOf = limits.haveEnough(lane, prefetched.byWebhook(lane));
    return { lane, limit, perWebhook: limits.perWebhook(lane), butNotOf };
  }

  /** Looks up what is next in some lanes, loads it together, and begins with it. */
  async function serve(lanes: readonly string[]): Promise<number> {
    const now = clock.now();
    const claims = lanes.flatMap((lane) => claimOf(lane) ?? []);
    if (claims.length === 0) return 0;
    const mine = [...lanes.flatMap((lane) => inFlight.idsOf(lane)), ...care.suspects('deliveries')];
    const found = await nextOfLanes(database.read, claims, { now, inFlight: mine });
    const next: string[] = [];
    for (const { lane } of claims) {
      const fresh = (found.get(lane) ?? []).filter((id) => !inFlight.has(id));
      if (fresh.length === 0) pause(lane, now, PAUSE_MS);
      next.push(...fresh);
    }
    if (next.length === 0) return 0;
    const admitted = await care.admit('deliveries', next);
    care.onProbation('deliveries', admitted, PROBATION);
    const deliveries = await loadForSending(database.read, admitted);
    for (const { lane, id } of deliveries) inFlight.add(lane, id);
    for (const lane of new Set(deliveries.map((delivery) => delivery.lane))) {
      prefetched.add(
        lane,
        deliveries.filter((delivery) => delivery.lane === lane),
        now,
      );
      fill(lane);
    }
    return deliveries.length;
  }

  /** One of those that may have ended a process, where nothing else is to be sent. */
  async function serveSuspect(isFirstPass: boolean): Promise<number> {
    const suspects = care.suspects('deliveries');
    const open = await loadForSending(database.read, suspects);
    const ids = open.map(({ id }) => id);
    if (!isFirstPass) await care.endFirstPass('deliveries', ids);
    const now = clock.now();
    const due = open.filter(({ dueAt, id }) => dueAt <= now && !inFlight.has(id));
    const foreign = await leases.hold([...new Set(due.map(({ lane }) => lane))]);
    const free = due.filter(({ lane }) => !foreign.has(lane));
    const admitted = await care.admit(
      'deliveries',
      free.map(({ id }) => id),
    );
    care.onProbation('deliveries', admitted, PROBATION);
    // Loaded again: it may have been set aside before it was in hand.
    const chosen = await loadForSending(database.read, admitted);
    for (const delivery of chosen) {
      inFlight.add(delivery.lane, delivery.id);
      send(delivery.lane, delivery);
    }
    return chosen.length;
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
        const lanes = (
          await waitingLanes(database.read, from, WINDOW, [...inFlight.ids(), ...care.suspects('deliveries')])
        ).filter(({ lane }) => lane <= upTo);
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
    takeBack: (): Promise<void> => database.transaction(endLeases),

    /** Looks at every lane once. */
    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      const now = clock.now();
      dropStale(now);
      await care.releaseEnded('deliveries', inFlight.has);
      await leases.hold(inFlight.lanes());
      for (const lane of prefetched.lanes()) fill(lane);
      let done = 0;
      // What was pending may wait in lanes that a process had which died.
      let isFirstPass = false;
      const later: number[] = [];
      for await (const lanes of windows()) {
        isFirstPass ||= lanes.some(({ dueAt }) => dueAt !== null && care.wasDueBefore(dueAt));
        const serving = await toServe(lanes);
        for (let from = 0; from < serving.length; from += LANES_A_LOAD)
          done += await serve(serving.slice(from, from + LANES_A_LOAD));
        later.push(
          ...lanes.flatMap(({ lane, dueAt }) => pausedUntil.get(lane) ?? (dueAt !== null && dueAt > now ? dueAt : [])),
        );
      }
      if (done === 0 && !stopping && care.isOn('deliveries')) done = await serveSuspect(isFirstPass);
      const longestMs = care.suspects('deliveries').length > 0 ? PROBATION.aloneMs : MAX_SLEEP_MS;
      // What has no place now is looked for again when a place is free: that nudges.
      return { done, dueInMs: later.reduce((least, at) => Math.min(least, at - now), longestMs) };
    },

    settled,

    /** Takes no more, in the round that is on either. */
    stop(): void {
      stopping = true;
    },

    /**
     * Forgets what has not begun and waits for the rest. Lets go of its lanes, each as soon as nothing of it is in flight:
     * the next process need not wait.
     */
    async finish(): Promise<void> {
      for (const lane of prefetched.lanes()) drop(prefetched.take(lane, () => true));
      const ended = settled().then(() => true);
      for (let done = false; !done; ) {
        const sendingTo = inFlight.lanes();
        await leases.hold(sendingTo);
        tellFree(await leases.end(sendingTo));
        done = await Promise.race([ended, pauseFor(MAX_SLEEP_MS, false, { ref: false })]);
      }
      // What was sent and could not be recorded is as free as what was not sent.
      tellFree(await leases.end());
    },
  };
}
