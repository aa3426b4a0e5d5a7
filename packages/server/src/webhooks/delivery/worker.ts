import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { alone, type Join } from '../../platform/queue/broadcast.ts';
import type { Care } from '../../platform/queue/care.ts';
import { endLeases, type Leases } from '../../platform/queue/leases.ts';
import type { Nudge } from '../../platform/queue/nudge.ts';
import type { Deliver } from './deliver.ts';
import { createLaneWindows } from './lane-windows.ts';
import { createLaneLimits } from './limits.ts';
import { createSending } from './sending.ts';
import { createTaking, PROBATION } from './taking.ts';

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

/** Leases are held on at least so often. */
const MAX_SLEEP_MS = 1_000;

/** Sends what is due, lane by lane up to each lane's places, beside what is in flight already. */
export function createDeliveryWorker({ database, clock, leases, nudge, deliver, care, join = alone }: Dependencies) {
  const limits = createLaneLimits();
  const sending = createSending({ clock, limits, deliver, nudge });
  const taking = createTaking({ database, clock, leases, limits, care, sending });
  const windows = createLaneWindows({
    database,
    lastServed: limits.lastServed,
    butNot: () => [...sending.ids(), ...care.suspects('deliveries')],
  });

  const tellFree = join('lanes', (lanes) => {
    taking.resume(lanes);
    nudge();
  });

  return {
    /** At a start that knows that nobody else works: what a process that died was sending is due at once. */
    takeBack: (): Promise<void> => database.transaction(endLeases),

    /** Looks at every lane once. */
    round: async (): Promise<{ done: number; dueInMs?: number | undefined }> => {
      const now = clock.now();
      sending.dropStale(now);
      await care.releaseEnded('deliveries', sending.has);
      await leases.hold(sending.lanes());
      sending.fill();
      let done = 0;
      // What was pending may wait in lanes that a process had which died.
      let isFirstPass = false;
      const later: number[] = [];
      for await (const lanes of windows()) {
        isFirstPass ||= lanes.some(({ dueAt }) => dueAt !== null && care.wasDueBefore(dueAt));
        done += await taking.take(lanes);
        later.push(
          ...lanes.flatMap(
            ({ lane, dueAt }) => taking.pausedUntil(lane) ?? (dueAt !== null && dueAt > now ? dueAt : []),
          ),
        );
      }
      if (done === 0) done = await taking.takeSuspect(isFirstPass);
      const longestMs = care.suspects('deliveries').length > 0 ? PROBATION.aloneMs : MAX_SLEEP_MS;
      // What has no place now is looked for again when a place is free: that nudges.
      return { done, dueInMs: later.reduce((least, at) => Math.min(least, at - now), longestMs) };
    },

    settled: () => sending.settled(),

    /** Takes no more, in the round that is on either. */
    stop: () => taking.stop(),

    /**
     * Forgets what has not begun and waits for the rest. Lets go of its lanes, each as soon as nothing of it is in flight:
     * the next process need not wait.
     */
    async finish(): Promise<void> {
      sending.dropPrefetched();
      const ended = sending.settled().then(() => true);
      for (let done = false; !done; ) {
        const sendingTo = sending.lanes();
        await leases.hold(sendingTo);
        tellFree(await leases.end(sendingTo));
        done = await Promise.race([ended, pauseFor(MAX_SLEEP_MS, false, { ref: false })]);
      }
      // What was sent and could not be recorded is as free as what was not sent.
      tellFree(await leases.end());
    },
  };
}
