import { MAX_REGULAR_BYTES } from './upload.ts';

/** A binary file above this size is a large one. */
const MAX_BINARY_BYTES = 100_000;

interface Facts {
  readonly size: number;
  /** What `.gitattributes` says; undefined: nothing. */
  readonly byPattern: boolean | undefined;
  /** Whether the path is a large file now. */
  readonly isLfsNow: boolean;
  /** The first bytes. */
  readonly sample: Uint8Array;
}

/** Returns whether a file goes into git or becomes a large file. */
export function uploadMode({ size, byPattern, isLfsNow, sample }: Facts): 'lfs' | 'regular' {
  if (size === 0) return 'regular';
  if (size > MAX_REGULAR_BYTES) return 'lfs';
  if (byPattern !== undefined) return byPattern ? 'lfs' : 'regular';
  if (isLfsNow) return 'lfs';
  return size > MAX_BINARY_BYTES && isBinary(sample) ? 'lfs' : 'regular';
}

/** Whether bytes are no text: a NUL, or no UTF-8. A character that the sample cuts off is none. */
function isBinary(sample: Uint8Array): boolean {
  if (sample.includes(0)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return false;
  } catch {
    return true;
  }
}
