import type { FileBytes } from './store.ts';

const EMPTY_SHA256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** What clients take for the Xet hash of a file without bytes, of which they send none. */
const EMPTY_HASHES = ['0'.repeat(64)];

/** Files without bytes, by the hash that a client has for them. */
export const EMPTY_FILES: ReadonlyMap<string, FileBytes> = new Map(
  EMPTY_HASHES.map((hash) => [hash, { sha256: EMPTY_SHA256, size: 0, xet_hash: hash }]),
);
