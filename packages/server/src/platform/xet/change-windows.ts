import type { ByteRange } from '../blobs/blob-store.ts';
import { MAX_CHUNK_BYTES, MIN_CHUNK_BYTES } from './chunk-header.ts';

/** Bytes of a file from `start` up to, but not including, `end`, at bounds of chunks. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns whether a chunk of this size ends where its bytes say so, and not for its minimum or maximum size, of it or of the
 * one before it.
 */
const isSteady = (bytes: number): boolean => bytes >= 2 * MIN_CHUNK_BYTES && bytes < MAX_CHUNK_BYTES - MIN_CHUNK_BYTES;

/**
 * Finds the chunks of a file that a client has to cut again after it changed some ranges: those that have a changed byte, and
 * the next ones until two steady ones follow each other, from where on the chunks are the same as before.
 */
export function createChangeWindows(changed: readonly ByteRange[]): {
  /** The windows so far. */
  readonly windows: readonly Window[];
  /** Takes the next chunk of the file; returns whether it is in a window. */
  take(bytes: number): boolean;
} {
  const windows: Window[] = [];
  let position = 0;
  let next = 0;
  let isOpen = false;
  let wasSteady = false;

  function extend(end: number): void {
    const last = isOpen ? windows.pop() : undefined;
    windows.push({ start: last?.start ?? position, end });
  }

  return {
    windows,
    take(bytes) {
      const end = position + bytes;
      while ((changed[next]?.last ?? Infinity) < position) next += 1;
      const isChanged = (changed[next]?.first ?? Infinity) < end;
      const isIn = isChanged || isOpen;
      if (isIn) {
        extend(end);
        const steady = !isChanged && isSteady(bytes);
        isOpen = !(steady && wasSteady);
        wasSteady = isOpen && steady;
      }
      position = end;
      return isIn;
    },
  };
}
