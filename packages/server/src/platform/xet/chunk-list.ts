import { chunkHeaderFor, HEADER_BYTES } from './chunk-header.ts';
import { HASH_BYTES } from './hash-text.ts';
import type { XorbIndex } from './xorb-index.ts';

/** The size of a record: the hash of a chunk and its length in 4 bytes. */
export const CHUNK_RECORD_BYTES = HASH_BYTES + 4;

/** Successive chunks of a file that lies in one piece, which together are offered as a xorb without compression. */
export interface ChunkList {
  readonly chunks: number;
  hash(chunk: number): Buffer;
  length(chunk: number): number;
  /** Returns where a chunk begins within the bytes of the file; for the number of chunks, where the last one ends. */
  offset(chunk: number): number;
  /** Returns where a chunk begins within the xorb, in which each chunk has a header. */
  storedOffset(chunk: number): number;
  /** Returns the chunk that has a byte of the file. */
  chunkAt(byte: number): number;
  /** Returns the chunk that has a byte of the xorb. */
  chunkAtStored(byte: number): number;
  hashes(start: number, end: number): Buffer;
}

/** Reads records, which are the hub's own. */
export function readChunkList(records: Buffer): ChunkList {
  const chunks = records.length / CHUNK_RECORD_BYTES;
  const hash = (chunk: number) => records.subarray(chunk * CHUNK_RECORD_BYTES, chunk * CHUNK_RECORD_BYTES + HASH_BYTES);
  const length = (chunk: number) => records.readUInt32LE(chunk * CHUNK_RECORD_BYTES + HASH_BYTES);
  const offsets = new Float64Array(chunks + 1);
  for (let chunk = 0; chunk < chunks; chunk++) offsets[chunk + 1] = (offsets[chunk] ?? 0) + length(chunk);
  const offset = (chunk: number) => offsets[chunk] ?? 0;
  const storedOffset = (chunk: number) => offset(chunk) + chunk * HEADER_BYTES;

  /** Returns the last chunk that begins at a byte or before it. */
  function lastFrom(byte: number, begin: (chunk: number) => number): number {
    let [low, high] = [0, chunks - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (begin(middle) <= byte) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  return {
    ...{ chunks, hash, length, offset, storedOffset },
    chunkAt: (byte) => lastFrom(byte, offset),
    chunkAtStored: (byte) => lastFrom(byte, storedOffset),
    hashes: (start, end) => Buffer.concat(Array.from({ length: end - start }, (_, at) => hash(start + at))),
  };
}

/** Returns the index of the xorb that a list is offered as. */
export const indexOfList = (list: ChunkList): XorbIndex => ({
  chunks: list.chunks,
  hashes: (start, end) => list.hashes(start, end),
  rawBytes: (start, end) => list.offset(end) - list.offset(start),
  storedRange: (start, end) => ({ first: list.storedOffset(start), last: list.storedOffset(end) - 1 }),
});

/**
 * Returns some chunks of a list as parts of a xorb, each with its header; `bytes` are those of the file from the first of
 * these chunks on.
 */
export async function* asXorb(
  list: ChunkList,
  { start, end }: { readonly start: number; readonly end: number },
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  let chunk = start;
  let missing = 0;
  for await (const piece of bytes)
    for (let at = 0; at < piece.length; ) {
      if (missing === 0) {
        if (chunk === end) return;
        missing = list.length(chunk++);
        yield chunkHeaderFor(missing);
      }
      const part = piece.subarray(at, at + missing);
      yield part;
      missing -= part.length;
      at += part.length;
    }
  if (missing > 0 || chunk < end) throw new Error('A file ends before its last chunk');
}
