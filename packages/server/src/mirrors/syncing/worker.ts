import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import type { Leases } from '../../platform/queue/leases.ts';
import type { Round } from '../../platform/queue/worker.ts';
import { nextDue, nextDueAt } from '../store.ts';
import { createSyncRecords } from './records.ts';
import { createRunningSyncs, type MirrorLogger } from './running-syncs.ts';
import type { Sync } from './sync.ts';

/** The longest pause between two checks of running syncs. */
const CHECK_MS = 1_000;

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: MirrorLogger;
  readonly random: () => number;
  /** The leases of this worker, which exclude other processes. */
  readonly leases: Leases;
  readonly sync: Sync;
  readonly settings: { readonly enabled: boolean; readonly maxSyncs: number };
  /** Wakes this worker. */
  readonly nudge: () => void;
}

/** Syncs mirrors that are due, some at a time, and each in one process at a time. */
export function createMirrorWorker({ database, clock, logger, random, leases, sync, settings, nudge }: Dependencies) {
  const { read } = database;
  const records = createSyncRecords({ database, clock, random });
  const running = createRunningSyncs({ read, logger, leases, sync, records, onEnd: nudge });
  const maxPerUser = Math.max(1, Math.floor(settings.maxSyncs / 2));
  let isStopping = false;

  /** Begins syncs while places are free and mirrors are due; returns their number. */
  async function beginDue(): Promise<number> {
    const passed: string[] = [];
    let begun = 0;
    while (running.size() < settings.maxSyncs && !isStopping) {
      const exceptIds = [...running.ids(), ...passed];
      const exceptUsers = running.usersWith(maxPerUser);
      const id = await nextDue(read, { now: clock.now(), exceptIds, exceptUsers });
      if (id === undefined) break;
      if (await running.begin(id)) begun += 1;
      else passed.push(id);
    }
    return begun;
  }

  return {
    /** Begins what is due; syncs go on after the round. */
    async round(): ReturnType<Round> {
      if (!settings.enabled || isStopping) return { done: 0 };
      await running.check();
      await running.storeProgress();
      const done = (await beginDue()) + running.takeFinished();
      const checkMs = running.size() > 0 ? CHECK_MS : undefined;
      if (done > 0) return { done, dueInMs: checkMs };
      const now = clock.now();
      const dueAt = await nextDueAt(read, now);
      // What is due already waits for a place; the end of a sync wakes this worker.
      const dueInMs = dueAt !== undefined && dueAt > now ? dueAt - now : checkMs;
      return { done, dueInMs: checkMs === undefined ? dueInMs : Math.min(dueInMs ?? checkMs, checkMs) };
    },

    /** Resolves when no sync is running, with the number of syncs that have ended since the last round. */
    async settled(): Promise<number> {
      await running.settled();
      return running.takeFinished();
    },

    /** Ends the syncs in progress. */
    stop(): void {
      isStopping = true;
      running.stop();
    },
  };
}
