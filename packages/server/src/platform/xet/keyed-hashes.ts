import { createRequire } from 'node:module';
import { Blake3Hasher } from '@napi-rs/blake-hash';

/** Returns the BLAKE3 hash of bytes under a key: 32 bytes. */
export type KeyedHash = (bytes: Uint8Array) => Uint8Array;

/** The path of the library, for threads. */
export const HASH_LIBRARY = createRequire(import.meta.url).resolve('@napi-rs/blake-hash');

/** The key of the hashes of chunks, in hexadecimal (Xet specification, hashing.md, like the other keys). */
export const CHUNK_KEY = '6697f5775b9550de3135cbaca597181c9de421109beb2b58b4d0b04b93adf229';
const NODE_KEY = '017ec5c7a5472996fd946666b48a02e65ddd536f37c76dd2f86352e64a53713f';
const VERIFICATION_KEY = '7f1857d6ce56ed66127ff913e7a5c3f3a4cd26d5b5db49e64124987f28fb94c3';
const FILE_KEY = '00'.repeat(32);

function keyedHash(key: string): KeyedHash {
  const hasher = Blake3Hasher.newKeyed(Buffer.from(key, 'hex'));
  return (bytes) => {
    hasher.reset();
    // A text costs less than a buffer of another language.
    const input = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return Buffer.from(hasher.update(input).digest('hex'), 'hex');
  };
}

/** Hashes a chunk. */
export const hashChunk = keyedHash(CHUNK_KEY);
/** Hashes the text of an inner node of a tree of hashes. */
export const hashNode = keyedHash(NODE_KEY);
/** Hashes the hashes of the chunks of a term, which proves that a client knows the chunks. */
export const hashTerm = keyedHash(VERIFICATION_KEY);
/** Hashes the root of the chunks of a file, which gives the hash of the file. */
export const hashFile = keyedHash(FILE_KEY);
