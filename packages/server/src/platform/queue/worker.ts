import { setImmediate } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import type { Nudge } from './nudge.ts';

export interface Worker {
  /** Works in the background until stopped. */
  start(): void;
  /** Ends the loop after the current round. */
  stop(): Promise<void>;
}

/**
 * One round; returns the amount of work done and, if nothing is available now, in how many milliseconds something is due.
 * `nudged` tells that there probably is work.
 */
export type Round = (nudged: boolean) => Promise<{ done: number; dueInMs?: number | undefined }>;

interface WorkerOptions {
  readonly name: string;
  readonly nudge: Nudge;
  readonly logger: Logger;
  /** Called after every round with its duration and whether it failed. */
  readonly onRound?: ((worker: string, seconds: number, succeeded: boolean) => void) | undefined;
  /** Returns whether all work comes from this process, with a nudge. */
  readonly mayRest?: (() => boolean) | undefined;
  readonly round: Round;
}

/** The longest sleep, which guarantees that work is found without a nudge. */
const POLL_MS = 1000;
/** The longest sleep of a worker that has found nothing for `REST_AFTER` rounds, where all work comes with a nudge. */
const REST_MS = 5000;
const REST_AFTER = 10;
const AFTER_FAILURE_MS = 1000;

/** Runs rounds of work one after the other; sleeps when there is nothing to do. */
export function createWorker({ name, nudge, logger, onRound, mayRest = () => false, round }: WorkerOptions): Worker {
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;
  let foundNothing = 0;

  function sleepAfter({ done, dueInMs }: Awaited<ReturnType<Round>>, nudged: boolean): number {
    foundNothing = done > 0 || nudged ? 0 : foundNothing + 1;
    const longestMs = foundNothing >= REST_AFTER && mayRest() ? REST_MS : POLL_MS;
    return Math.min(dueInMs ?? (done > 0 ? 0 : longestMs), longestMs);
  }

  async function run(): Promise<void> {
    let nudged = true;
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      let succeeded = true;
      const sleepMs = await round(nudged).then(
        (found) => sleepAfter(found, nudged),
        (error: unknown) => {
          succeeded = false;
          logger.error({ err: error, worker: name }, 'a round of work failed');
          return AFTER_FAILURE_MS;
        },
      );
      onRound?.(name, (performance.now() - startedAt) / 1000, succeeded);
      if (sleepMs > 0) {
        nudged = await nudge.wait(sleepMs, stopping.signal);
      } else {
        await setImmediate();
        nudged = nudge.take();
      }
    }
  }

  return {
    start() {
      loop ??= run();
    },
    async stop() {
      stopping.abort();
      await loop;
    },
  };
}
