import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../platform/clock.ts';
import { HubError } from '../../platform/http/errors.ts';
import { OutboundFailure } from '../../platform/outbound/failure.ts';
import { RemoteFault } from '../../platform/outbound/remote/fault.ts';

/** What became of a question: asked, or answered from what is kept because the upstream was away, slow or silent. */
export type Outcome = 'asked' | 'kept' | 'failed';

interface Dependencies {
  readonly clock: Clock;
  /** How long a caller waits for news about something that is kept. */
  readonly waitMs: number;
  readonly onOutcome: (outcome: Outcome) => void;
  readonly onFault: (fault: RemoteFault) => void;
}

/** After a fault, callers do not wait for news about what is kept for this long. */
const REST_MS = 5_000;

export type Patience = ReturnType<typeof createPatience>;

/** Decides how long callers wait for the upstream. */
export function createPatience({ clock, waitMs, onOutcome, onFault }: Dependencies) {
  let restsUntil = 0;

  async function ask<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof RemoteFault) {
        if (clock.now() >= restsUntil) onFault(error);
        restsUntil = clock.now() + REST_MS;
      }
      throw error;
    }
  }

  return {
    /** Waits for work whose result is needed. Throws 504 if the upstream fails. */
    async need<T>(what: string, work: () => Promise<T>): Promise<T> {
      try {
        const result = await ask(work);
        onOutcome('asked');
        return result;
      } catch (error) {
        onOutcome(error instanceof RemoteFault ? 'failed' : 'asked');
        throw refusalOf(what, error);
      }
    },

    /**
     * Waits a little for work; returns undefined if the caller should go on with what is kept. The work goes on, so that
     * whoever provokes faults cannot keep the hub from learning what has changed.
     */
    async hope<T>(work: () => Promise<T>): Promise<T | undefined> {
      const isResting = clock.now() < restsUntil;
      const given = ask(work).catch((error: unknown) => {
        if (!(error instanceof RemoteFault)) throw error;
        return undefined;
      });
      const result = await within(given, isResting ? 0 : waitMs);
      onOutcome(result === undefined ? 'kept' : 'asked');
      return result;
    },
  };
}

/** Waits for a promise, but no longer than a time; returns undefined after that. A later failure is nobody's concern. */
export async function within<T>(given: Promise<T>, ms: number): Promise<T | undefined> {
  const ending = new AbortController();
  try {
    return await Promise.race([given, pause(ms, undefined, { signal: ending.signal })]);
  } finally {
    ending.abort();
    given.catch(() => {});
  }
}

/** Returns the error for callers, 504 for a fault of the upstream; other errors unchanged. Hosts and addresses are not named. */
export function refusalOf(what: string, error: unknown): unknown {
  if (!(error instanceof RemoteFault)) return error;
  const reason = error.cause instanceof OutboundFailure ? 'The connection failed' : error.message;
  return new HubError(504, `${what} is not kept here, and the upstream hub does not give it: ${reason}`);
}
