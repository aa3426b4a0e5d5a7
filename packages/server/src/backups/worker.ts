import type { Clock } from '../platform/clock.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Logger } from '../platform/logger.ts';
import type { Leases } from '../platform/queue/leases.ts';
import type { Round } from '../platform/queue/worker.ts';
import { type createAttempt, HubStops, TakenOver } from './attempt.ts';
import { nextDueAt } from './due.ts';
import { countFailures, findLatest } from './store.ts';

/** The lane that whoever makes backups has leased. */
const LANE = 'backups';
/** The pause between two checks of a backup in progress, within which the lease is renewed. */
const CHECK_MS = 1_000;
/** The wait after an error that no row could tell. */
const AFTER_ERROR_MS = 60_000;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly clock: Clock;
  readonly logger: Logger;
  /** The leases of this worker alone. */
  readonly leases: Leases;
  readonly place: string;
  readonly schedule: string;
  readonly attempt: ReturnType<typeof createAttempt>;
}

/** Makes backups when they are due, one at a time, in one process at a time. */
export function createBackupWorker({ read, clock, logger, leases, place, schedule, attempt }: Dependencies) {
  let running: { readonly ending: AbortController; readonly ended: Promise<void> } | undefined;
  let finished = 0;
  let notBefore = 0;
  let isStopping = false;

  async function dueAt(): Promise<number> {
    const latest = await findLatest(read, place);
    return nextDueAt(latest, await countFailures(read, place), schedule, clock.now());
  }

  async function run(signal: AbortSignal): Promise<void> {
    await attempt.settleLeft();
    // Another process may have made one in the meantime, and what failed waits.
    if ((await dueAt()) <= clock.now() && !signal.aborted) await attempt.make(signal);
  }

  function begin(): void {
    const ending = new AbortController();
    const ended = run(ending.signal)
      .catch((err: unknown) => {
        notBefore = clock.now() + AFTER_ERROR_MS;
        logger.error({ err, place }, 'a backup could not be begun or recorded');
      })
      .then(() => leases.releaseAll())
      .catch((err: unknown) => logger.error({ err }, 'the lease on backups could not be ended'))
      .then(() => {
        running = undefined;
        finished += 1;
      });
    running = { ending, ended };
    if (isStopping) ending.abort(new HubStops());
  }

  function takeFinished(): number {
    const taken = finished;
    finished = 0;
    return taken;
  }

  return {
    /** Begins a backup if one is due; it goes on after the round. */
    async round(): ReturnType<Round> {
      if (isStopping) return { done: 0 };
      if (running) {
        if ((await leases.acquire([LANE])).size > 0) running.ending.abort(new TakenOver());
        return { done: 0, dueInMs: CHECK_MS };
      }
      const done = takeFinished();
      const now = clock.now();
      const at = Math.max(await dueAt(), notBefore - now > AFTER_ERROR_MS ? 0 : notBefore);
      if (at > now) return { done, dueInMs: done > 0 ? undefined : at - now };
      if ((await leases.acquire([LANE])).size > 0) return { done, dueInMs: CHECK_MS };
      begin();
      return { done: done + 1 };
    },

    /** Resolves when no backup is in progress, with the number of those that have ended since the last round. */
    async settled(): Promise<number> {
      await running?.ended;
      return takeFinished();
    },

    /** Ends a backup in progress. */
    stop(): void {
      isStopping = true;
      running?.ending.abort(new HubStops());
    },
  };
}
