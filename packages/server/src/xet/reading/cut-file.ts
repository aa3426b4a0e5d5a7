import type { BlobName, Bytes } from '../../platform/blobs/blob-store.ts';
import { HEADER_BYTES, MAX_CHUNKS, MIN_CHUNK_BYTES } from '../../platform/xet/chunk-header.ts';
import { CHUNK_RECORD_BYTES, readChunkList } from '../../platform/xet/chunk-list.ts';
import type { ChunkThreads } from '../../platform/xet/chunk-threads.ts';
import { isAskedFor, textOfHash } from '../../platform/xet/hash-text.ts';
import { createHashTree } from '../../platform/xet/hash-tree.ts';
import { hashFile } from '../../platform/xet/keyed-hashes.ts';
import type { FileChunk, FileXorb } from './file-store.ts';

/** The work of cutting is done in pieces of this size; a chunk has 64 KiB on average. */
const PIECE_BYTES = 1024 * 1024;
/** The size of a xorb with its headers. */
const MAX_STORED_BYTES = 64 * 1024 * 1024;
/** For whom the threads work: all files together take one turn. */
const BACKGROUND = 'background';

/** Returns the maximum size of the list of the chunks of a file. */
export const maxListBytes = (size: number): number => (Math.ceil(size / MIN_CHUNK_BYTES) + 1) * CHUNK_RECORD_BYTES;

/** Collects bytes to pieces; says which one is the last. */
async function* gathered(bytes: Bytes): AsyncGenerator<{ readonly piece: Buffer; readonly isLast: boolean }> {
  let pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    size += piece.length;
    if (size < PIECE_BYTES) continue;
    yield { piece: Buffer.concat(pieces), isLast: false };
    [pieces, size] = [[], 0];
  }
  yield { piece: Buffer.concat(pieces), isLast: true };
}

interface Description {
  readonly hash: string;
  readonly xorbs: readonly FileXorb[];
  /** The chunks that clients ask for. */
  readonly asked: readonly FileChunk[];
}

/** Groups the chunks of a file to xorbs, and computes the hash of each and of the file. */
function createDescription() {
  const file = createHashTree();
  const xorbs: FileXorb[] = [];
  const asked = new Map<string, FileChunk>();
  let [chunks, bytes] = [0, 0];
  let current = { tree: createHashTree(), firstChunk: 0, firstByte: 0 };

  function closeXorb(): void {
    const root = current.tree.root();
    if (root === undefined) return;
    const { firstChunk, firstByte } = current;
    xorbs.push({
      ...{ first_chunk: firstChunk, chunks: chunks - firstChunk },
      ...{ first_byte: firstByte, bytes: bytes - firstByte, hash: textOfHash(root) },
    });
    current = { tree: createHashTree(), firstChunk: chunks, firstByte: bytes };
  }

  return {
    add(hash: Uint8Array, length: number): void {
      const count = chunks - current.firstChunk;
      const stored = bytes - current.firstByte + (count + 1) * HEADER_BYTES + length;
      if (count === MAX_CHUNKS || stored > MAX_STORED_BYTES) closeXorb();
      if (chunks === 0 || isAskedFor(hash)) {
        const text = textOfHash(hash);
        if (!asked.has(text)) asked.set(text, { chunk_hash: text, chunk: chunks });
      }
      file.add(hash, length);
      current.tree.add(hash, length);
      chunks += 1;
      bytes += length;
    },
    /** Describes the file once all chunks are added. */
    end(): Description {
      closeXorb();
      const root = file.root();
      if (root === undefined) throw new Error('A file without bytes has no chunks');
      return { hash: textOfHash(hashFile(root)), xorbs, asked: [...asked.values()] };
    },
  };
}

export type CutFile = ReturnType<typeof cutFile>;

/** Cuts a file into chunks: `records` passes the list of the chunks on, and `end` describes the file after the last one. */
export function cutFile({ size }: BlobName, bytes: Bytes, threads: ChunkThreads) {
  const description = createDescription();
  return {
    async *records(): Bytes {
      let rest = Buffer.alloc(0);
      let cut = 0;
      for await (const { piece, isLast } of gathered(bytes)) {
        const whole = Buffer.concat([rest, piece]);
        const records = Buffer.from(await threads.records(BACKGROUND, whole, isLast));
        const list = readChunkList(records);
        for (let chunk = 0; chunk < list.chunks; chunk++)
          description.add(Buffer.from(list.hash(chunk)), list.length(chunk));
        rest = whole.subarray(list.offset(list.chunks));
        cut += list.offset(list.chunks);
        if (records.length > 0) yield records;
      }
      if (cut !== size) throw new Error(`A file of ${size} bytes was cut into chunks of ${cut}`);
    },
    end: () => description.end(),
  };
}
