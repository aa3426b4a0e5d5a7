import type { Clock } from '../../platform/clock.ts';
import type { Database, Executor, ReadExecutor } from '../../platform/database/transaction.ts';
import { HubError, tooManyRequests } from '../../platform/http/errors.ts';
import { addressBlock } from '../../platform/limits/address-block.ts';
import type { AuthenticationLog } from '../../platform/logging/authentication-log.ts';
import { sha256 } from '../../platform/secrets.ts';
import type { FailureRow } from '../tables.ts';
import { countFailure, failuresOf, forgetFailures } from './failure-store.ts';
import { ADDRESS, addressOpensAt, NAME, nameOpensAt } from './policy.ts';

interface Dependencies {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: AuthenticationLog;
}

/** An attempt to sign in: the name in the form for comparisons, the IP address, and the id of the request. */
export interface Attempt {
  readonly key: string;
  readonly address: string;
  readonly requestId: string;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export type Throttle = ReturnType<typeof createThrottle>;

/**
 * Slows down people who guess passwords, by address, and by address and name together. No name is ever blocked as such,
 * so that strangers cannot lock anybody out; unknown names count like all others.
 */
export function createThrottle({ database, clock, log }: Dependencies) {
  const subjectsOf = ({ key, address }: Attempt) => {
    const block = addressBlock(address);
    return {
      fromAddress: sha256(`address ${block}`),
      nameFromAddress: sha256(`name ${key} address ${block}`),
      name: sha256(`name ${key}`),
    };
  };

  /** Counts a failed attempt. Returns how many with the name failed in its current window, from any address. */
  async function countFailed(tx: Executor, attempt: Attempt): Promise<number> {
    const { fromAddress, nameFromAddress, name } = subjectsOf(attempt);
    const now = clock.now();
    await countFailure(tx, fromAddress, now, ADDRESS.windowMs);
    await countFailure(tx, nameFromAddress, now, DAY_MS);
    return countFailure(tx, name, now, NAME.windowMs);
  }

  return {
    countFailed,

    /** Throws 429 if the address, or the address with this name, has to wait. */
    async requireOpen(attempt: Attempt, executor: ReadExecutor = database.read): Promise<void> {
      const { fromAddress, nameFromAddress } = subjectsOf(attempt);
      const rows = await failuresOf(executor, [fromAddress, nameFromAddress]);
      const now = clock.now();
      const opensAt = Math.max(0, ...rows.map((row) => opening(row, row.subject === fromAddress)));
      if (opensAt <= now) return;
      log.refused(attempt, { method: 'password', reason: 'too many attempts' });
      throw tooManyRequests('Too many failed attempts to sign in', Math.ceil((opensAt - now) / 1000));
    },

    /** Counts a request for a mail, whoever receives it. Throws 429 if an address asks too often. */
    async countRequest(tx: Executor, address: string): Promise<void> {
      const requests = await countFailure(tx, sha256(`mail ${addressBlock(address)}`), clock.now(), ADDRESS.windowMs);
      if (requests <= ADDRESS.free) return;
      throw new HubError(429, 'Too many links were requested from your address; try again in 15 minutes', {
        headers: { 'retry-after': String(ADDRESS.windowMs / 1000) },
      });
    },

    /** Like `countFailed`, in a transaction of its own. */
    failed: (attempt: Attempt): Promise<number> => database.transaction((tx) => countFailed(tx, attempt)),

    /** Returns how many attempts with a name, from any address, failed in its current window. */
    async recentFailures(executor: ReadExecutor, key: string): Promise<number> {
      const [row] = await failuresOf(executor, [sha256(`name ${key}`)]);
      return row && row.first_at + NAME.windowMs > clock.now() ? row.failures : 0;
    },

    /** Resets the failures of the name at this address; failures of the name at other addresses stay counted. */
    succeeded: (tx: Executor, attempt: Attempt): Promise<void> =>
      forgetFailures(tx, subjectsOf(attempt).nameFromAddress),
  };
}

function opening({ failures, first_at: firstAt, last_at: lastAt }: FailureRow, ofAddress: boolean): number {
  const known = { failures, firstAt, lastAt };
  return ofAddress ? addressOpensAt(known) : nameOpensAt(known);
}
