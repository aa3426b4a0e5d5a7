import { sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';

/** Hashes bytes as they come. */
export interface Hasher {
  update(bytes: Uint8Array): unknown;
  /** Returns the hash in lower-case hexadecimal characters; called once, at the end. */
  hex(): string;
}

/** Makes a hasher. One of `node:crypto` is several times as fast as `createHash`. */
export type CreateHash = (algorithm: 'sha1' | 'sha256') => Hasher;

/**
 * Hashes in JavaScript. Browsers offer Web Cryptography to secure origins only, and it takes no bytes piece by piece.
 */
export const createHash: CreateHash = (algorithm) => {
  const hash = (algorithm === 'sha1' ? sha1 : sha256).create();
  return { update: (bytes) => hash.update(bytes), hex: () => bytesToHex(hash.digest()) };
};
