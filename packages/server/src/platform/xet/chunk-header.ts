import { XetFault } from './xet-fault.ts';

/* Xet specification, xorb.md. */

export const HEADER_BYTES = 8;
/** The least size of a chunk that is not the last one of its file. */
export const MIN_CHUNK_BYTES = 8 * 1024;
/** The maximum size of a chunk before compression. */
export const MAX_CHUNK_BYTES = 128 * 1024;
/** A chunk that compression makes larger than this much more than its size is sent without compression. */
const MAX_OVERHEAD_BYTES = 1024;

/** The maximum number of chunks in a xorb; clients begin another one before. */
export const MAX_CHUNKS = 8192;
/**
 * The maximum size of the chunks of a xorb with their headers. Clients count 64 MiB without the headers, although the
 * specification counts them in.
 */
export const MAX_XORB_BYTES = 64 * 1024 * 1024 + MAX_CHUNKS * HEADER_BYTES;

/** What the header of a chunk says. */
export interface ChunkHeader {
  /** The size of the data after the header. */
  readonly storedBytes: number;
  /** 0: as it is, 1: LZ4, 2: LZ4 of grouped bytes. */
  readonly scheme: number;
  /** The size without compression. */
  readonly rawBytes: number;
}

/** Reads the header of a chunk. Throws a `XetFault`. */
export function chunkHeaderAt(bytes: Buffer, at: number): ChunkHeader {
  const [version, scheme] = [bytes.readUInt8(at), bytes.readUInt8(at + 4)];
  const [storedBytes, rawBytes] = [bytes.readUIntLE(at + 1, 3), bytes.readUIntLE(at + 5, 3)];
  if (version !== 0) throw new XetFault(`A chunk has the unknown version ${version}`);
  if (scheme > 2) throw new XetFault(`A chunk is compressed by the unknown scheme ${scheme}`);
  if (rawBytes === 0 || rawBytes > MAX_CHUNK_BYTES)
    throw new XetFault(`A chunk has ${rawBytes} bytes: between 1 and ${MAX_CHUNK_BYTES} are allowed`);
  const isWrong = scheme === 0 ? storedBytes !== rawBytes : storedBytes > rawBytes + MAX_OVERHEAD_BYTES;
  if (isWrong) throw new XetFault(`A chunk of ${rawBytes} bytes is stored in ${storedBytes}`);
  return { storedBytes, scheme, rawBytes };
}

/** Returns the header of a chunk that is stored without compression. */
export function chunkHeaderFor(rawBytes: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUIntLE(rawBytes, 1, 3);
  header.writeUIntLE(rawBytes, 5, 3);
  return header;
}

/** The begin of the footer that older clients append, which the hub does not need. */
const FOOTER = Buffer.from('XETBLOB');

export const isFooterAt = (bytes: Buffer, at: number): boolean => bytes.subarray(at, at + FOOTER.length).equals(FOOTER);
