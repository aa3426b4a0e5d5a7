import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { type JoinTopic, noBroadcast } from '../../platform/queue/broadcast.ts';
import type { CrashGuard } from '../../platform/queue/crash-guard/crash-guard.ts';
import { endLeases } from '../../platform/queue/lease-store.ts';
import type { Leases } from '../../platform/queue/leases.ts';
import type { Nudge } from '../../platform/queue/nudge.ts';
import type { Deliver } from './deliver.ts';
import { createDeliveryFetcher, PROBATION } from './delivery-fetcher.ts';
import { createFreshDeliveries } from './fresh-deliveries.ts';
import { createLaneBounds } from './lane-bounds.ts';
import { createLanePauses } from './lane-pauses.ts';
import { createLaneWindows } from './lane-windows.ts';
import { createLaneLimits } from './limits.ts';
import { createLooks } from './looks.ts';
import { createSending } from './sending.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly leases: Leases;
  readonly nudge: Nudge;
  readonly deliver: Deliver;
  readonly crashGuard: CrashGuard;
  /** Connects the processes of the hub, which tell each other which lanes are free. */
  readonly join?: JoinTopic;
}

export type DeliveryWorker = ReturnType<typeof createDeliveryWorker>;

/** The longest time between two renewals of the leases on lanes that something is sent to. */
const MAX_SLEEP_MS = 1_000;

/** Sends due deliveries, lane by lane up to the free places of each lane. */
export function createDeliveryWorker({
  database,
  clock,
  leases,
  nudge,
  deliver,
  crashGuard,
  join = noBroadcast,
}: Dependencies) {
  const limits = createLaneLimits();
  const pauses = createLanePauses();
  const looks = createLooks({ clock, pauses, nudge });
  const sending = createSending({ clock, limits, deliver, looks });
  const bounds = createLaneBounds();
  const fresh = createFreshDeliveries({ clock, isTaken: sending.has });
  const fetcher = createDeliveryFetcher({
    ...{ database, clock, leases, limits, crashGuard, sending, bounds, fresh, pauses, looks },
  });
  const windows = createLaneWindows({
    ...{ database, clock, bounds },
    lastServed: limits.lastServed,
    // The guard against crashes has to see what is left of the time before one.
    known: () => (crashGuard.isActive('deliveries') ? new Map() : knownLanes()),
    ignored: (known) => [
      ...sending.lanes().flatMap((lane) => (known.has(lane) ? [] : sending.idsOf(lane))),
      ...crashGuard.suspects('deliveries'),
    ],
  });

  /** The lanes of which nothing is wanted, and those in which deliveries may wait: looking into them costs the most. */
  function knownLanes(): Map<string, number | null> {
    const now = clock.now();
    return new Map(
      sending.lanes().flatMap((lane): [string, number | null][] => {
        if (sending.room(lane) > 0) return looks.mayWait(lane) ? [[lane, now]] : [];
        looks.noteWaiting(lane, 'place');
        return [[lane, null]];
      }),
    );
  }

  /** Serves the lanes that have just got deliveries without a look at the others, unless that is due. */
  async function serveFresh(): Promise<number> {
    const lanes = fresh.take();
    if (lanes.size === 0 || looks.areDue() || crashGuard.isActive('deliveries')) return 0;
    looks.defer();
    return fetcher.takeFresh(lanes);
  }

  const tellFree = join('lanes', (lanes) => {
    pauses.resume(lanes);
    nudge();
  });

  return {
    /** Ends the leases of all processes: called at a start at which no other process works. */
    takeBack: (): Promise<void> => database.transaction(endLeases),

    /** Looks at once for lanes that other processes held: called when one of them has become silent. */
    takeOver(): void {
      pauses.resume('all');
      nudge();
    },

    /** Notes lanes that have just got deliveries, which the next round serves first, and deliveries that it need not read. */
    expect: fresh.add,

    /** Serves every lane once, or those that have just got deliveries. */
    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      const now = clock.now();
      for (const lane of sending.dropStale(now)) bounds.forget(lane);
      // The guard has to see everything that was pending before the unclean end of a process.
      if (crashGuard.isActive('deliveries')) bounds.forgetAll();
      await crashGuard.releaseEnded('deliveries', sending.has);
      await leases.acquire(sending.lanes());
      sending.fill();
      const served = await serveFresh();
      if (served > 0) return { done: served, dueInMs: looks.dueInMs() };
      looks.begin();
      let done = 0;
      // The first pass ends when nothing is left that was pending before the unclean end of a process.
      let isFirstPass = false;
      const later: number[] = [];
      for await (const lanes of windows()) {
        isFirstPass ||= lanes.some(({ dueAt }) => dueAt !== null && crashGuard.wasDueBefore(dueAt));
        done += await fetcher.take(lanes);
        later.push(
          ...lanes.flatMap(({ lane, dueAt }) => pauses.until(lane) ?? (dueAt !== null && dueAt > now ? dueAt : [])),
        );
      }
      if (done === 0) done = await fetcher.takeSuspect(isFirstPass);
      if (crashGuard.suspects('deliveries').length > 0) later.push(now + PROBATION.aloneMs);
      if (done > 0 || sending.lanes().length > 0) later.push(now + MAX_SLEEP_MS);
      // Deliveries without a free place need no timer: a free place nudges the worker.
      return { done, dueInMs: later.length > 0 ? later.reduce((a, b) => Math.min(a, b)) - now : undefined };
    },

    settled: () => sending.settled(),

    /** Takes no more deliveries, not even in the current round. */
    stop: () => fetcher.stop(),

    /**
     * Drops prefetched deliveries and waits for those in flight. Releases each lane as soon as nothing of it is in flight, so that
     * the next process need not wait.
     */
    async finish(): Promise<void> {
      sending.dropPrefetched();
      const ended = sending.settled().then(() => true);
      for (let done = false; !done; ) {
        const sendingTo = sending.lanes();
        await leases.acquire(sendingTo);
        tellFree(await leases.releaseAll(sendingTo));
        done = await Promise.race([ended, pauseFor(MAX_SLEEP_MS, false, { ref: false })]);
      }
      // Deliveries whose attempt could not be recorded are released as well.
      tellFree(await leases.releaseAll());
    },
  };
}
