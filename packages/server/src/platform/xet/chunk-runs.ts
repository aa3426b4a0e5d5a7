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
export const RUN_BYTES = 512 * 1024;
/** The maximum size of a footer: 48 bytes per chunk, and 4 KiB, which is more than its other fields need. */
const MAX_FOOTER_BYTES = 48 * MAX_CHUNKS + 4096;

/** Successive chunks of a xorb. */
export interface ChunkRun {
  /** The chunks as they were sent, with their headers. */
  readonly bytes: Buffer;
  readonly headers: readonly ChunkHeader[];
}

/** The end of what can be cut into runs: whether by a footer, or for want of bytes. */
interface Cut {
  readonly end: number;
  readonly isFooter: boolean;
}

function* runsIn(bytes: Buffer): Generator<ChunkRun, Cut> {
  let headers: ChunkHeader[] = [];
  let [start, at, rawBytes] = [0, 0, 0];
  let isFooter = false;
  while (bytes.length - at >= HEADER_BYTES) {
    isFooter = isFooterAt(bytes, at);
    if (isFooter) break;
    const header = chunkHeaderAt(bytes, at);
    if (bytes.length - at - HEADER_BYTES < header.storedBytes) break;
    if (headers.length > 0 && rawBytes + header.rawBytes > RUN_BYTES) {
      yield { bytes: bytes.subarray(start, at), headers };
      [headers, start, rawBytes] = [[], at, 0];
    }
    headers.push(header);
    rawBytes += header.rawBytes;
    at += HEADER_BYTES + header.storedBytes;
  }
  if (headers.length > 0) yield { bytes: bytes.subarray(start, at), headers };
  return { end: at, isFooter };
}

/** Cuts the chunks of a xorb into runs as they arrive; skips the footer. Throws a `XetFault`. */
export async function* chunkRuns(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ChunkRun, void> {
  let pieces: Uint8Array[] = [];
  let [gathered, size, chunks, footerBytes] = [0, 0, 0, 0];
  let isFooter = false;

  function* take(): Generator<ChunkRun, void> {
    const all = Buffer.concat(pieces);
    const runs = runsIn(all);
    let run = runs.next();
    for (; !run.done; run = runs.next()) {
      size += run.value.bytes.length;
      chunks += run.value.headers.length;
      if (size > MAX_XORB_BYTES) throw new XetFault(`A xorb can have at most ${MAX_XORB_BYTES} bytes`);
      if (chunks > MAX_CHUNKS) throw new XetFault(`A xorb can have at most ${MAX_CHUNKS} chunks`);
      yield run.value;
    }
    const rest = all.subarray(run.value.end);
    isFooter = run.value.isFooter;
    if (isFooter) footerBytes = rest.length;
    pieces = isFooter ? [] : [rest];
    gathered = rest.length;
  }

  for await (const piece of bytes) {
    if (isFooter) {
      footerBytes += piece.length;
      if (footerBytes > MAX_FOOTER_BYTES) throw new XetFault('The footer of the xorb is too long');
      continue;
    }
    pieces.push(piece);
    gathered += piece.length;
    if (gathered >= RUN_BYTES) yield* take();
  }
  if (!isFooter) yield* take();
  if (!isFooter && gathered > 0) throw new XetFault('The xorb ends within a chunk');
  if (chunks === 0) throw new XetFault('The xorb has no chunks');
}
