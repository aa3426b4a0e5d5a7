import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { News } from '../../platform/queue/broadcast.ts';
import type { Care } from '../../platform/queue/care.ts';
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
  readonly care: Care;
  readonly sending: Sending;
}

/** Lanes whose deliveries are loaded together. */
const LANES_A_LOAD = 20;
/** A lane is not asked again so soon when what is due in it belongs to webhooks that have enough in flight. */
const PAUSE_MS = 100;
/** Nor one that another worker has. */
const FOREIGN_MS = 1_000;
/** How long what may end the process is alone: its receiver can take much longer, and others do not wait for it. */
export const PROBATION = { aloneMs: 100, suspectMs: 1_000 };

/** Takes what is due from the queue, in turn from lanes that no other worker has, as far as it may be sent. */
export function createTaking({ database, clock, leases, limits, care, sending }: Dependencies) {
  const pausedUntil = new Map<string, number>();
  let stopping = false;

  const pause = (lane: string, now: number, ms: number) => pausedUntil.set(lane, now + ms);

  /** Those of the lanes that have something due, and places for it, and that no other worker has, in turn. */
  async function toServe(lanes: readonly WaitingLane[]): Promise<string[]> {
    const now = clock.now();
    for (const [lane, until] of pausedUntil) if (until <= now || until > now + FOREIGN_MS) pausedUntil.delete(lane);
    const serving = limits
      .inTurn(lanes.filter(({ lane, dueAt }) => dueAt !== null && dueAt <= now && !pausedUntil.has(lane)))
      .map(({ lane }) => lane)
      .filter((lane) => sending.wanted(lane) > 0);
    const foreign = await leases.hold(serving);
    for (const lane of foreign) pause(lane, now, FOREIGN_MS);
    return serving.filter((lane) => !foreign.has(lane));
  }

  /** Looks up what is next in some lanes, loads it together, and begins with it. */
  async function serve(lanes: readonly string[]): Promise<number> {
    const now = clock.now();
    const claims = stopping ? [] : lanes.flatMap((lane) => sending.claimOf(lane) ?? []);
    if (claims.length === 0) return 0;
    const mine = [...lanes.flatMap((lane) => sending.idsOf(lane)), ...care.suspects('deliveries')];
    const found = await nextOfLanes(database.read, claims, { now, inFlight: mine });
    const next: string[] = [];
    for (const { lane } of claims) {
      const fresh = (found.get(lane) ?? []).filter((id) => !sending.has(id));
      if (fresh.length === 0) pause(lane, now, PAUSE_MS);
      next.push(...fresh);
    }
    if (next.length === 0) return 0;
    const admitted = await care.admit('deliveries', next);
    care.onProbation('deliveries', admitted, PROBATION);
    const deliveries = await loadForSending(database.read, admitted);
    sending.add(deliveries, now);
    return deliveries.length;
  }

  return {
    /** Takes what is due in some lanes; returns how much. */
    async take(lanes: readonly WaitingLane[]): Promise<number> {
      const serving = await toServe(lanes);
      let done = 0;
      for (let from = 0; from < serving.length; from += LANES_A_LOAD)
        done += await serve(serving.slice(from, from + LANES_A_LOAD));
      return done;
    },

    /** One of those that may have ended a process, where nothing else is to be sent. */
    async takeSuspect(isFirstPass: boolean): Promise<number> {
      if (stopping || !care.isOn('deliveries')) return 0;
      const suspects = care.suspects('deliveries');
      const open = await loadForSending(database.read, suspects);
      const ids = open.map(({ id }) => id);
      if (!isFirstPass) await care.endFirstPass('deliveries', ids);
      const now = clock.now();
      const due = open.filter(({ dueAt, id }) => dueAt <= now && !sending.has(id));
      const foreign = await leases.hold([...new Set(due.map(({ lane }) => lane))]);
      const free = due.filter(({ lane }) => !foreign.has(lane));
      const admitted = await care.admit(
        'deliveries',
        free.map(({ id }) => id),
      );
      care.onProbation('deliveries', admitted, PROBATION);
      // Loaded again: it may have been set aside before it was in hand.
      const chosen = await loadForSending(database.read, admitted);
      for (const delivery of chosen) sending.begin(delivery);
      return chosen.length;
    },

    /** Until when a lane is not asked again, where it is not. */
    pausedUntil: (lane: string): number | undefined => pausedUntil.get(lane),

    /** Asks lanes again that another worker has let go of. */
    resume(lanes: News): void {
      for (const lane of lanes === 'all' ? [...pausedUntil.keys()] : lanes) pausedUntil.delete(lane);
    },

    /** Takes no more. */
    stop(): void {
      stopping = true;
    },
  };
}
