import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { ChangedIds } from '../../platform/queue/broadcast.ts';
import type { CrashGuard } from '../../platform/queue/crash-guard/crash-guard.ts';
import type { Leases } from '../../platform/queue/leases.ts';
import { loadForSending } from './delivery-store.ts';
import type { LaneLimits } from './limits.ts';
import { nextOfLanes, type WaitingLane } from './queue-store.ts';
import type { Sending } from './sending.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly limits: LaneLimits;
  readonly crashGuard: CrashGuard;
  readonly sending: Sending;
}

/** The lanes whose deliveries are loaded together. */
const LANES_A_LOAD = 20;
/** The pause of a lane whose due deliveries all belong to webhooks that have enough in flight. */
const PAUSE_MS = 100;
/** The pause of a lane that another worker has leased. */
const FOREIGN_MS = 1_000;
/** How long a delivery that may have ended a process is sent alone; after that others no longer wait for its receiver. */
export const PROBATION = { aloneMs: 100, suspectMs: 1_000 };

/** Takes due deliveries from the queue, lane by lane, from lanes that this worker can lease and that have free places. */
export function createDeliveryFetcher({ database, clock, leases, limits, crashGuard, sending }: Dependencies) {
  const pausedUntil = new Map<string, number>();
  /** The lanes in which the last look found as many deliveries as it wanted. */
  const withMore = new Set<string>();
  let stopping = false;

  const pause = (lane: string, now: number, ms: number) => pausedUntil.set(lane, now + ms);

  /** Returns the lanes to serve, in turn: those with a due delivery and a free place, and not leased by another worker. */
  async function toServe(lanes: readonly WaitingLane[]): Promise<string[]> {
    const now = clock.now();
    for (const [lane, until] of pausedUntil) if (until <= now || until > now + FOREIGN_MS) pausedUntil.delete(lane);
    const serving = limits
      .roundRobin(lanes.filter(({ lane, dueAt }) => dueAt !== null && dueAt <= now && !pausedUntil.has(lane)))
      .map(({ lane }) => lane)
      .filter((lane) => sending.wanted(lane) > 0);
    const foreign = await leases.acquire(serving);
    for (const lane of foreign) {
      pause(lane, now, FOREIGN_MS);
      withMore.delete(lane);
    }
    return serving.filter((lane) => !foreign.has(lane));
  }

  /** Takes the next deliveries of some lanes and begins to send them; returns how many were taken. */
  async function serve(lanes: readonly string[]): Promise<number> {
    const now = clock.now();
    const claims = stopping ? [] : lanes.flatMap((lane) => sending.claimOf(lane) ?? []);
    if (claims.length === 0) return 0;
    const mine = [...lanes.flatMap((lane) => sending.idsOf(lane)), ...crashGuard.suspects('deliveries')];
    const found = await nextOfLanes(database.read, claims, { now, inFlight: mine });
    const next: string[] = [];
    for (const { lane, limit } of claims) {
      const due = found.get(lane) ?? [];
      const fresh = due.filter((id) => !sending.has(id));
      if (fresh.length === 0) pause(lane, now, PAUSE_MS);
      if (due.length === limit) withMore.add(lane);
      else withMore.delete(lane);
      next.push(...fresh);
    }
    if (next.length === 0) return 0;
    const admitted = await crashGuard.admit('deliveries', next);
    crashGuard.onProbation('deliveries', admitted, PROBATION);
    const [deliveries] = await Promise.all([loadForSending(database.read, admitted), database.durable()]);
    sending.add(deliveries, now);
    return deliveries.length;
  }

  return {
    /** Takes the due deliveries of some lanes; returns how many were taken. */
    async take(lanes: readonly WaitingLane[]): Promise<number> {
      const serving = await toServe(lanes);
      let done = 0;
      for (let from = 0; from < serving.length; from += LANES_A_LOAD)
        done += await serve(serving.slice(from, from + LANES_A_LOAD));
      return done;
    },

    /** Takes one delivery that may have ended a process, when nothing else is to be sent; returns how many were taken. */
    async takeSuspect(isFirstPass: boolean): Promise<number> {
      if (stopping || !crashGuard.isActive('deliveries')) return 0;
      const suspects = crashGuard.suspects('deliveries');
      const open = await loadForSending(database.read, suspects);
      const ids = open.map(({ id }) => id);
      if (!isFirstPass) await crashGuard.endFirstPass('deliveries', ids);
      const now = clock.now();
      const due = open.filter(({ dueAt, id }) => dueAt <= now && !sending.has(id));
      const foreign = await leases.acquire([...new Set(due.map(({ lane }) => lane))]);
      const inOwnLanes = due.filter(({ lane }) => !foreign.has(lane));
      const admitted = await crashGuard.admit(
        'deliveries',
        inOwnLanes.map(({ id }) => id),
      );
      crashGuard.onProbation('deliveries', admitted, PROBATION);
      // Read again: the delivery may have been set aside before it was admitted.
      const chosen = await loadForSending(database.read, admitted);
      for (const delivery of chosen) sending.begin(delivery);
      return chosen.length;
    },

    /** Returns the end of a lane's pause; undefined for a lane that is not paused. */
    pausedUntil: (lane: string): number | undefined => pausedUntil.get(lane),

    /** Returns whether a lane probably has more due deliveries than were taken of it last. */
    hasMore: (lane: string): boolean => withMore.has(lane),

    /** Ends the pause of lanes that another worker has released. */
    resume(lanes: ChangedIds): void {
      for (const lane of lanes === 'all' ? [...pausedUntil.keys()] : lanes) pausedUntil.delete(lane);
    },

    /** Takes no more deliveries. */
    stop(): void {
      stopping = true;
    },
  };
}
