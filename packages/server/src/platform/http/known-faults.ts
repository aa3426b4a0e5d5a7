import { BlobError } from '../blobs/blob-store.ts';
import { type SqlFault, sqlFault } from '../database/sql-errors.ts';
import { codeOf } from '../error-text.ts';
import { conflict, HubError } from './errors.ts';

/** A restarted database or a failover is back within seconds. */
const RETRY_AFTER_SECONDS = '2';
const UNAVAILABLE_MESSAGES: Partial<Record<SqlFault, string>> = {
  full: 'The disk of the database is full: nothing can be changed until there is space again',
  'read-only': 'The database accepts no changes at the moment; try again in a few seconds',
  unavailable: 'The database is not responding; try again in a few seconds',
};

const DISK_FULL = 'The disk of the hub is full: nothing can be changed until there is space again';
/** The codes of file systems without space. */
const FULL_CODES: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT']);

const unavailable = (message: string) =>
  new HubError(503, message, { headers: { 'retry-after': RETRY_AFTER_SECONDS } });

/** Translates errors of the database, the disk and the bucket into errors with messages for callers; undefined for other errors. */
export function knownFault(error: unknown): HubError | undefined {
  if (error instanceof HubError) return error;
  if (FULL_CODES.has(codeOf(error) ?? '')) return unavailable(DISK_FULL);
  if (error instanceof BlobError && error.fault === 'unavailable') return unavailable(error.message);
  const fault = sqlFault(error);
  if (fault === 'unique' || fault === 'foreign-key')
    return conflict('This conflicts with another change made at the same time; try again');
  const sentence = UNAVAILABLE_MESSAGES[fault];
  return sentence === undefined ? undefined : unavailable(sentence);
}
