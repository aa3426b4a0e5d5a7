import { MAX_REGULAR_BYTES } from './upload.ts';

/** A larger binary file becomes a large file. */
const MAX_BINARY_BYTES = 100_000;

interface Facts {
  readonly size: number;
  /** The verdict of `.gitattributes`; undefined if no pattern matches. */
  readonly byPattern: boolean | undefined;
  /** Whether the path currently holds a large file. */
  readonly isLfsNow: boolean;
  /** The first bytes of the file. */
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

/** Returns whether bytes contain NUL or are not UTF-8; a character that the end of the sample cuts off is accepted. */
function isBinary(sample: Uint8Array): boolean {
  if (sample.includes(0)) return true;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true });
    return false;
  } catch {
    return true;
  }
}
