import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { CrashGuard } from '../../platform/queue/crash-guard/crash-guard.ts';
import type { Leases } from '../../platform/queue/leases.ts';
import { loadForSending, type Sendable } from './delivery-store.ts';
import { type FreshDeliveries, shareOf } from './fresh-deliveries.ts';
import type { LaneBounds } from './lane-bounds.ts';
import type { LanePauses } from './lane-pauses.ts';
import type { LaneLimits } from './limits.ts';
import type { Looks } from './looks.ts';
import type { ReadDelivery } from './prefetch-buffer.ts';
import { nextOfLanes, type WaitingLane } from './queue-store.ts';
import type { Sending } from './sending.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly limits: LaneLimits;
  readonly crashGuard: CrashGuard;
  readonly sending: Sending;
  readonly bounds: LaneBounds;
  readonly fresh: FreshDeliveries;
  readonly pauses: LanePauses;
  readonly looks: Pick<Looks, 'noteWaiting' | 'mayWait'>;
}

/** The lanes whose deliveries are loaded together. */
const LANES_A_LOAD = 20;
/** The pause of a lane whose due deliveries all belong to webhooks that have enough in flight, unless one gets a place. */
const PAUSE_MS = 100;
/** The pause of a lane that another worker has leased. */
const FOREIGN_MS = 1_000;
/** How long a delivery that may have ended a process is sent alone; after that others no longer wait for its receiver. */
export const PROBATION = { aloneMs: 100, suspectMs: 1_000 };

/** Returns the largest number of deliveries in a lane that one webhook has. */
function mostOfAWebhook(deliveries: readonly Sendable[], lane: string): number {
  const counts = new Map<string, number>();
  for (const { webhookId } of deliveries.filter((delivery) => delivery.lane === lane))
    counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/**
 * Chooses among deliveries that were read already; none if others of the lane may have waited for longer, if a webhook of theirs has
 * enough in flight, or if another worker may have sent them since.
 */
function chosenOf(
  { sending, looks, leases }: Pick<Dependencies, 'sending' | 'looks' | 'leases'>,
  lane: string,
  deliveries: readonly ReadDelivery[],
): ReadDelivery[] {
  const claim = sending.claimOf(lane, sending.room(lane));
  if (!claim || looks.mayWait(lane)) return [];
  if (deliveries.some(({ delivery }) => claim.exceptWebhooks.includes(delivery.webhookId))) return [];
  if (!deliveries.every(({ since }) => leases.heldAt(lane, since))) return [];
  const chosen = shareOf(deliveries, claim);
  looks.noteWaiting(lane, chosen.length < deliveries.length ? 'place' : undefined);
  return chosen;
}

/** Returns the lanes that have none of some deliveries. */
function without(lanes: readonly string[], deliveries: readonly ReadDelivery[]): string[] {
  const taken = new Set(deliveries.map(({ delivery }) => delivery.lane));
  return lanes.filter((lane) => !taken.has(lane));
}

/** Takes one delivery that may have ended a process; returns how many were taken. */
async function takeSuspect(
  { database, clock, leases, crashGuard, sending }: Dependencies,
  isFirstPass: boolean,
): Promise<number> {
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
}

/** Takes due deliveries from the queue, lane by lane, from lanes that this worker can lease and that have free places. */
export function createDeliveryFetcher(given: Dependencies) {
  const { database, clock, leases, limits, crashGuard, sending, bounds, fresh, pauses, looks } = given;
  let stopping = false;

  /** Returns the lanes to serve, in turn: those with a due delivery and a free place, and not leased by another worker. */
  async function toServe(lanes: readonly WaitingLane[], room: (lane: string) => number): Promise<string[]> {
    const now = clock.now();
    pauses.endThoseOver(now);
    const due = limits
      .roundRobin(lanes.filter(({ lane, dueAt }) => dueAt !== null && dueAt <= now && !pauses.has(lane)))
      .map(({ lane }) => lane);
    const serving = due.filter((lane) => room(lane) > 0);
    for (const lane of due) if (room(lane) === 0) looks.noteWaiting(lane, 'place');
    const foreign = await leases.acquire(serving);
    for (const lane of foreign) {
      pauses.pause(lane, now, FOREIGN_MS);
      looks.noteWaiting(lane, undefined);
    }
    return serving.filter((lane) => !foreign.has(lane));
  }

  /** Takes the next deliveries of some lanes and begins to send them; returns how many were taken. */
  async function serve(lanes: readonly string[]): Promise<number> {
    const now = clock.now();
    const claims = (stopping ? [] : lanes).flatMap((lane) => {
      const claim = sending.claimOf(lane, sending.wanted(lane));
      if (!claim) looks.noteWaiting(lane, 'place');
      // Those of other lanes say nothing about what waits in this one.
      const isFull = claim?.exceptWebhooks.some((id) => limits.sendsTo(lane, id));
      return claim ? { ...claim, from: bounds.from(lane, now), isFull } : [];
    });
    if (claims.length === 0) return 0;
    const mine = [...lanes.flatMap((lane) => sending.idsOf(lane)), ...crashGuard.suspects('deliveries')];
    const found = await nextOfLanes(database.read, claims, { now, inFlight: mine });
    const next: string[] = [];
    for (const { lane, limit, from, isFull } of claims) {
      const { ids: due = [], oldest = null } = found.get(lane) ?? {};
      if (from === 0) bounds.saw(lane, now, oldest);
      const open = due.filter((id) => !sending.has(id));
      // A lane in which deliveries were only thought to wait is not paused.
      if (open.length === 0 && (isFull || !looks.mayWait(lane))) pauses.pause(lane, now, PAUSE_MS);
      looks.noteWaiting(lane, due.length === limit ? 'place' : isFull ? 'webhook' : undefined);
      next.push(...open);
    }
    if (next.length === 0) return 0;
    const admitted = await crashGuard.admit('deliveries', next);
    crashGuard.onProbation('deliveries', admitted, PROBATION);
    const [deliveries] = await Promise.all([loadForSending(database.read, admitted), database.durable()]);
    fresh.forget(deliveries);
    for (const { lane, perWebhook } of claims)
      if (!looks.mayWait(lane) && mostOfAWebhook(deliveries, lane) >= perWebhook) looks.noteWaiting(lane, 'webhook');
    sending.add(deliveries.map((delivery) => ({ delivery, since: now })));
    return deliveries.length;
  }

  async function serveAll(lanes: readonly string[]): Promise<number> {
    let done = 0;
    for (let from = 0; from < lanes.length; from += LANES_A_LOAD)
      done += await serve(lanes.slice(from, from + LANES_A_LOAD));
    return done;
  }

  /** Sends deliveries of some lanes that were read already, as far as they may be chosen; returns these. */
  async function sendRead(
    serving: readonly string[],
    read: ReadonlyMap<string, readonly ReadDelivery[]>,
  ): Promise<ReadDelivery[]> {
    const chosen = stopping ? [] : serving.flatMap((lane) => chosenOf(given, lane, read.get(lane) ?? []));
    // On PostgreSQL the relay has waited for the disk.
    if (chosen.length > 0 && database.engine === 'sqlite') await database.durable();
    sending.add(chosen);
    return chosen;
  }

  return {
    /** Takes the due deliveries of some lanes; returns how many were taken. */
    take: async (lanes: readonly WaitingLane[]): Promise<number> => serveAll(await toServe(lanes, sending.wanted)),

    /**
     * Takes deliveries that were read with their event, by lane, as far as nothing else may wait in the lane; the others are read.
     * Returns how many were taken.
     */
    async takeFresh(lanes: ReadonlyMap<string, readonly ReadDelivery[]>): Promise<number> {
      const now = clock.now();
      const serving = await toServe(
        [...lanes.keys()].map((lane) => ({ lane, dueAt: now })),
        sending.room,
      );
      const begun = await sendRead(
        serving.filter((lane) => !limits.failing(lane)),
        lanes,
      );
      const left = without(serving, begun);
      if (left.length === 0) return begun.length;
      // To open a connection or to read takes longer than to write to an open connection, which the others have done then.
      if (begun.length > 0) await nextTurn();
      const later = await sendRead(left.filter(limits.failing), lanes);
      const unread = without(left, later);
      // Only thought to wait: a look may have found them already.
      for (const lane of unread) looks.noteWaiting(lane, 'place');
      return begun.length + later.length + (await serveAll(unread));
    },

    /** Takes one delivery that may have ended a process, if there are such; called when nothing else is to be sent. */
    takeSuspect: async (isFirstPass: boolean): Promise<number> =>
      stopping || !crashGuard.isActive('deliveries') ? 0 : takeSuspect(given, isFirstPass),

    /** Takes no more deliveries. */
    stop(): void {
      stopping = true;
    },
  };
}
