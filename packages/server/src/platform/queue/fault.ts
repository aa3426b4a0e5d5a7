import { sqlFault } from '../database/sql-errors.ts';
import { errorText } from '../error-text.ts';
import { MAX_FAILURES } from './dead-letters.ts';

const MAX_LENGTH = 500;

/** What went wrong, in one bounded line for site administrators. */
export function describeFault(error: unknown): string {
  const line = errorText(error).replace(/\s+/g, ' ');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}

/** A fault that ends without a change to the item. */
export class PassingFault extends Error {
  override name = 'PassingFault';
}

/** Thrown in a transaction that needs what takes a while to get: that is got outside of it, and the work begins again. */
export class NotAtHand extends PassingFault {
  override name = 'NotAtHand';
  readonly get: () => Promise<unknown>;

  constructor(what: string, get: () => Promise<unknown>) {
    super(`Not at hand: ${what}`);
    this.get = get;
  }
}

/** Of networks, and of what a machine runs out of. */
const SURROUNDINGS =
  /^(ECONN[A-Z]+|E(AI_)?AGAIN|ENOTFOUND|ETIMEDOUT|EPIPE|E(HOST|NET)(UNREACH|DOWN)|ENOSPC|EDQUOT|EMFILE|ENFILE|ENOMEM|EIO|EROFS|UND_ERR_[A-Z_]+)$/;

/**
 * Whether a fault lies with what surrounds an item, such as a full disk, a database or an engine that is away: it ends
 * by itself, and does not count against the item.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof PassingFault) return true;
  const fault = sqlFault(error);
  if (fault === 'retry' || fault === 'full' || fault === 'read-only' || fault === 'unavailable') return true;
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (
      ('code' in cause && SURROUNDINGS.test(String(cause.code))) ||
      ('syscall' in cause && cause.syscall === 'connect')
    )
      return true;
  return false;
}

/** How often an item has failed by now. A passing fault makes it wait longer, and is never the last straw. */
export const failuresAfter = (before: number, error: unknown): number =>
  isPassing(error) ? Math.max(before, Math.min(before + 1, MAX_FAILURES - 1)) : before + 1;
