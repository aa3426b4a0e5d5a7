import { conflict } from '../platform/http/errors.ts';

/** What the entries of one thread can have together: a hundred of the longest comments, or thousands of short ones. */
const MAX_BYTES = 16 * 1024 * 1024;

/** What one response carries of a thread: changes that nobody is refused, and older threads, are beyond the maximum. */
export const MAX_SHOWN_BYTES = 20 * 1024 * 1024;

/** What an entry counts besides its data; its author and its times are in the response as well. */
export const BYTES_OF_ENTRY = 500;

/** Returns what an entry of a thread counts. */
export const entryBytes = (data: string): number => Buffer.byteLength(data) + BYTES_OF_ENTRY;

/** Throws 409 if the entries of a thread have too many bytes. */
export function requireThreadRoom(bytes: number): void {
  if (bytes > MAX_BYTES)
    throw conflict(
      `This thread is full: its comments and changes have ${MAX_BYTES / 2 ** 20} MiB together; open another one`,
    );
}
