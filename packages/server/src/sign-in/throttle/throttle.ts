import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { HubError, tooManyRequests } from '../../platform/http/errors.ts';
import { addressBlock } from '../../platform/limits/address-block.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { FailureRow } from '../tables.ts';
import { countFailure, failuresOf, forgetFailures } from './failure-store.ts';
import { ADDRESS, addressOpensAt, NAME, nameOpensAt } from './policy.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
}

/** An attempt to sign in: as which name, in the form in which names are compared, and from which IP address. */
export interface Attempt {
  readonly key: string;
  readonly address: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * Slows those down who guess passwords, by where they are and by name and place together. No name is ever refused as
 * such, so that nobody is locked out by strangers; names that nobody has count like all others.
 */
export function createThrottle({ database, clock }: Dependencies) {
  const subjectsOf = ({ key, address }: Attempt) => {
    const block = addressBlock(address);
    return {
      fromAddress: sha256(`address ${block}`),
      nameFromAddress: sha256(`name ${key} address ${block}`),
      name: sha256(`name ${key}`),
    };
  };

  /** Counts a failed attempt. Returns how often the name failed today, from anywhere. */
  async function countFailed(tx: Executor, attempt: Attempt): Promise<number> {
    const { fromAddress, nameFromAddress, name } = subjectsOf(attempt);
    const now = clock.now();
    await countFailure(tx, fromAddress, now, ADDRESS.windowMs);
    await countFailure(tx, nameFromAddress, now, DAY_MS);
    return countFailure(tx, name, now, NAME.windowMs);
  }

  return {
    countFailed,

    /** Throws 429 where this address, or this address with this name, has to wait. */
    async requireOpen(attempt: Attempt, executor: ReadExecutor = database.read): Promise<void> {
      const { fromAddress, nameFromAddress } = subjectsOf(attempt);
      const rows = await failuresOf(executor, [fromAddress, nameFromAddress]);
      const now = clock.now();
      const opensAt = Math.max(0, ...rows.map((row) => opening(row, row.subject === fromAddress)));
      if (opensAt <= now) return;
      throw tooManyRequests('Too many failed attempts to sign in', Math.ceil((opensAt - now) / 1000));
    },

    /** Counts that a mail was asked for, whoever gets it. Throws 429 where an address asks too often. */
    async countRequest(tx: Executor, address: string): Promise<void> {
      const asked = await countFailure(tx, sha256(`mail ${addressBlock(address)}`), clock.now(), ADDRESS.windowMs);
      if (asked <= ADDRESS.free) return;
      throw new HubError(429, 'Too many links were asked for from your address; try again in 15 minutes', {
        headers: { 'retry-after': String(ADDRESS.windowMs / 1000) },
      });
    },

    /** The same as `countFailed`, in a transaction of its own. */
    failed: (attempt: Attempt): Promise<number> => database.transaction((tx) => countFailed(tx, attempt)),

    /** Returns how often a name failed today, from anywhere. */
    async failuresToday(executor: ReadExecutor, key: string): Promise<number> {
      const [row] = await failuresOf(executor, [sha256(`name ${key}`)]);
      return row && row.first_at + NAME.windowMs > clock.now() ? row.failures : 0;
    },

    /** Whoever signs in at this address with this name begins anew; what others failed at elsewhere stays counted. */
    succeeded: (tx: Executor, attempt: Attempt): Promise<void> =>
      forgetFailures(tx, subjectsOf(attempt).nameFromAddress),
  };
}

function opening({ failures, first_at: firstAt, last_at: lastAt }: FailureRow, ofAddress: boolean): number {
  const known = { failures, firstAt, lastAt };
  return ofAddress ? addressOpensAt(known) : nameOpensAt(known);
}
