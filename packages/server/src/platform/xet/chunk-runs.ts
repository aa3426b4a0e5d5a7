import { createBlocks } from '../blobs/blocks.ts';
import {
  type ChunkHeader,
  chunkHeaderAt,
  HEADER_BYTES,
  isFooterAt,
  MAX_CHUNKS,
  MAX_XORB_BYTES,
} from './chunk-header.ts';
import { XetFault } from './xet-fault.ts';

/** Chunks are worked on in runs of about this size, before and after decompression. */
export const RUN_BYTES = 1024 * 1024;
/** The maximum size of a footer: 48 bytes per chunk, and 4 KiB, which is more than its other fields need. */
const MAX_FOOTER_BYTES = 48 * MAX_CHUNKS + 4096;

/** The memory of a run, with headers, and with compression that makes chunks larger. */
const BLOCK_BYTES = RUN_BYTES + 64 * 1024;
/** The number of blocks that wait to be used again. */
const MAX_FREE = 8;

const blocks = createBlocks(() => new ArrayBuffer(BLOCK_BYTES), MAX_FREE);

/** Successive chunks of a xorb. */
export interface ChunkRun {
  /** The chunks as they were sent, with their headers, in memory that belongs to the run. */
  readonly bytes: Buffer<ArrayBuffer>;
  readonly headers: readonly ChunkHeader[];
}

/** Gives the memory of a run to others; nobody can use its bytes any more. */
export function recycle({ bytes: { buffer } }: ChunkRun): void {
  if (buffer.byteLength === BLOCK_BYTES) blocks.give(buffer);
}

/** Gathers chunks to a run. */
function createGathering() {
  const bytes = Buffer.from(blocks.take());
  const headers: ChunkHeader[] = [];
  let [filled, rawBytes, missing] = [0, 0, 0];
  return {
    hasRoomFor: (header: ChunkHeader): boolean =>
      headers.length === 0 ||
      (rawBytes + header.rawBytes <= RUN_BYTES && filled + HEADER_BYTES + header.storedBytes <= BLOCK_BYTES),
    begin(header: ChunkHeader, asSent: Uint8Array): void {
      bytes.set(asSent, filled);
      headers.push(header);
      filled += HEADER_BYTES;
      rawBytes += header.rawBytes;
      missing = header.storedBytes;
    },
    /** The number of bytes that the last chunk lacks. */
    missing: (): number => missing,
    add(part: Uint8Array): void {
      bytes.set(part, filled);
      filled += part.length;
      missing -= part.length;
    },
    run: (): ChunkRun => ({ bytes: bytes.subarray(0, filled), headers }),
  };
}

/** Cuts the chunks of a xorb into runs as they arrive; skips the footer. Throws a `XetFault`. */
export async function* chunkRuns(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ChunkRun, void> {
  const head = Buffer.alloc(HEADER_BYTES);
  let gathering = createGathering();
  let [headBytes, size, chunks, footerBytes] = [0, 0, 0, 0];

  /** Begins the chunk or the footer whose head is there; returns the run for which that chunk is too much. */
  function begin(): ChunkRun | undefined {
    headBytes = 0;
    if (isFooterAt(head, 0)) {
      footerBytes = HEADER_BYTES;
      return undefined;
    }
    const header = chunkHeaderAt(head, 0);
    chunks += 1;
    size += HEADER_BYTES + header.storedBytes;
    if (size > MAX_XORB_BYTES) throw new XetFault(`A xorb can have at most ${MAX_XORB_BYTES} bytes`);
    if (chunks > MAX_CHUNKS) throw new XetFault(`A xorb can have at most ${MAX_CHUNKS} chunks`);
    const full = gathering.hasRoomFor(header) ? undefined : gathering.run();
    if (full) gathering = createGathering();
    gathering.begin(header, head);
    return full;
  }

  for await (const piece of bytes)
    for (let at = 0; at < piece.length; ) {
      if (footerBytes > 0) {
        footerBytes += piece.length - at;
        if (footerBytes > MAX_FOOTER_BYTES) throw new XetFault('The footer of the xorb is too long');
        break;
      }
      const missing = gathering.missing();
      const part = piece.subarray(at, at + (missing || HEADER_BYTES - headBytes));
      at += part.length;
      if (missing > 0) {
        gathering.add(part);
        continue;
      }
      head.set(part, headBytes);
      headBytes += part.length;
      const full = headBytes === HEADER_BYTES ? begin() : undefined;
      if (full) yield full;
    }
  if (headBytes > 0 || gathering.missing() > 0) throw new XetFault('The xorb ends within a chunk');
  if (chunks === 0) throw new XetFault('The xorb has no chunks');
  yield gathering.run();
}
