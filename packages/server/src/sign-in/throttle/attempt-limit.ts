import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/transaction.ts';
import { tooManyRequests } from '../../platform/http/errors.ts';
import { addressBlock } from '../../platform/limits/address-block.ts';
import { sha256 } from '../../platform/secrets.ts';
import { countFailure, failuresOf } from './failure-store.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  /** What is being guessed, as a phrase in error messages. */
  readonly what: string;
  /** The maximum number of failures per session and per address in a window. */
  readonly max: number;
  readonly windowMs: number;
}

export type AttemptLimit = ReturnType<typeof createAttemptLimit>;

/** Limits guesses at a short code, by session and by address. */
export function createAttemptLimit({ database, clock, what, max, windowMs }: Dependencies) {
  return {
    /** Returns the keys under which attempts of a session and of an address are counted. */
    subjects: ({ session, address }: { readonly session: string; readonly address: string }) => [
      sha256(`${what} session ${session}`),
      sha256(`${what} address ${addressBlock(address)}`),
    ],

    /** Throws 429 if one of the subjects failed too often. */
    async requireOpen(subjects: readonly string[]): Promise<void> {
      const now = clock.now();
      const full = (await failuresOf(database.read, subjects)).filter(
        (row) => row.failures >= max && row.first_at + windowMs > now,
      );
      if (full.length === 0) return;
      const seconds = Math.ceil((Math.max(...full.map((row) => row.first_at)) + windowMs - now) / 1000);
      throw tooManyRequests(`Too many attempts with a wrong ${what}`, seconds);
    },

    /** Counts a failed attempt. */
    failed: (subjects: readonly string[]): Promise<void> =>
      database.transaction(async (tx) => {
        for (const subject of subjects) await countFailure(tx, subject, clock.now(), windowMs);
      }),
  };
}
