import { BlobError } from '../blobs/blob-store.ts';
import { sqlFault } from '../database/sql-errors.ts';
import { errorText } from '../error-text.ts';
import { MAX_FAILURES } from './dead-letters.ts';

const MAX_LENGTH = 500;

/** Describes an error in one bounded line for site administrators. */
export function describeFault(error: unknown): string {
  const line = errorText(error).replace(/\s+/g, ' ');
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH - 1)}…` : line;
}

/** An error that passes without a change to the item. */
export class TransientFault extends Error {
  override name = 'TransientFault';
}

/** Thrown in a transaction that needs a slow value: the value is fetched outside it, and the work starts again. */
export class ValueNotFetched extends TransientFault {
  override name = 'ValueNotFetched';
  readonly get: () => Promise<unknown>;

  constructor(what: string, get: () => Promise<unknown>) {
    super(`Not fetched yet: ${what}`);
    this.get = get;
  }
}

/** Codes of network errors and of exhausted resources. */
const SURROUNDINGS =
  /^(ECONN[A-Z]+|E(AI_)?AGAIN|ENOTFOUND|ETIMEDOUT|EPIPE|E(HOST|NET)(UNREACH|DOWN)|ENOSPC|EDQUOT|EMFILE|ENFILE|ENOMEM|EIO|EROFS|UND_ERR_[A-Z_]+)$/;

/**
 * Returns whether an error comes from the environment of an item, such as a full disk, or a database or bucket that cannot be reached: it
 * passes by itself and does not count against the item.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof TransientFault || (error instanceof BlobError && error.fault === 'unavailable')) return true;
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

/** Returns the new number of failures of an item. A passing error prolongs the wait, but never sets the item aside. */
export const failuresAfter = (before: number, error: unknown): number =>
  isTransient(error) ? Math.max(before, Math.min(before + 1, MAX_FAILURES - 1)) : before + 1;
