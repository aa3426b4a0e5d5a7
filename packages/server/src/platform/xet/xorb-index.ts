import type { ChunkHeader } from './chunk-header.ts';
import { HEADER_BYTES } from './chunk-header.ts';
import { HASH_BYTES } from './hash-text.ts';

const ENDS_BYTES = 8;

/** The number of bytes of an index with so many chunks. */
export const indexBytes = (chunks: number): number => chunks * (HASH_BYTES + ENDS_BYTES);

/** The chunks of a stored xorb: their hashes, and where each ends, as stored and without compression. */
export interface XorbIndex {
  readonly chunks: number;
  /** Returns the hashes of the chunks from `start` up to, but not including, `end`. */
  hashes(start: number, end: number): Buffer;
  /** Returns the number of bytes of some chunks without compression. */
  rawBytes(start: number, end: number): number;
  /** Returns the first and the last stored byte of some chunks. */
  storedRange(start: number, end: number): { readonly first: number; readonly last: number };
}

/** Reads an index. The bytes are the hub's own: the hashes, then for each chunk where it ends, twice 4 bytes. */
export function readXorbIndex(bytes: Buffer): XorbIndex {
  const chunks = bytes.length / indexBytes(1);
  const endOf = (chunk: number, at: number) =>
    chunk === 0 ? 0 : bytes.readUInt32LE(chunks * HASH_BYTES + (chunk - 1) * ENDS_BYTES + at);
  return {
    chunks,
    hashes: (start, end) => bytes.subarray(start * HASH_BYTES, end * HASH_BYTES),
    rawBytes: (start, end) => endOf(end, 4) - endOf(start, 4),
    storedRange: (start, end) => ({ first: endOf(start, 0), last: endOf(end, 0) - 1 }),
  };
}

/** Collects the chunks of a xorb while it arrives. */
export function createIndexWriter() {
  const hashes: Uint8Array[] = [];
  const ends: Buffer[] = [];
  let [storedEnd, rawEnd] = [0, 0];
  return {
    /** Adds successive chunks with their hashes, one after the other. */
    add(headers: readonly ChunkHeader[], hashesOfRun: Uint8Array): void {
      hashes.push(hashesOfRun);
      for (const { storedBytes, rawBytes } of headers) {
        storedEnd += HEADER_BYTES + storedBytes;
        rawEnd += rawBytes;
        const both = Buffer.alloc(ENDS_BYTES);
        both.writeUInt32LE(storedEnd, 0);
        both.writeUInt32LE(rawEnd, 4);
        ends.push(both);
      }
    },
    chunks: (): number => ends.length,
    bytes: (): Buffer => Buffer.concat([...hashes, ...ends]),
  };
}
