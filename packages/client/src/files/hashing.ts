import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Hashes bytes incrementally. */
export interface Hasher {
  update(bytes: Uint8Array): unknown;
  /** Returns the hash in lower-case hexadecimal characters; may be called once, at the end. */
  hex(): string;
}

/** Creates a hasher. An implementation with `node:crypto` is several times as fast as `createHash`. */
export type CreateHash = (algorithm: 'sha1' | 'sha256') => Hasher;

/**
 * Creates a hasher in JavaScript, because browsers offer Web Cryptography only on secure origins, and not
 * incrementally.
 */
export const createHash: CreateHash = (algorithm) => {
  const hash = (algorithm === 'sha1' ? sha1 : sha256).create();
  return { update: (bytes) => hash.update(bytes), hex: () => bytesToHex(hash.digest()) };
};
