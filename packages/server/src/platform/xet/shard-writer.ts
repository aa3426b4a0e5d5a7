import type { ChunkList } from './chunk-list.ts';
import { HASH_BYTES, hashOfText } from './hash-text.ts';
import { SHARD_TAG } from './shard.ts';

/* Xet specification, shard.md. */

const RECORD_BYTES = 48;
const VERSION = 2n;
const FOOTER_VERSION = 1n;
/** The bookend of the section of files, of which there are none, follows the header. */
const XORBS_AT = 2 * RECORD_BYTES;
const FOOTER_BYTES = 200;

/** A xorb with its chunks, without compression. */
export interface ListedXorb {
  /** The hash of the xorb, in the form of URLs. */
  readonly hash: string;
  readonly list: ChunkList;
}

interface Entry {
  readonly hash: Buffer;
  readonly numbers: readonly number[];
}

/**
 * Returns a shard with xorbs and no files, as clients keep it to find chunks in it. `now` and `expires`, until when they
 * do so, are in seconds since 1970.
 */
export function writeShard(
  xorbs: readonly ListedXorb[],
  { now, expires }: { readonly now: number; readonly expires: number },
): Buffer {
  const records: Buffer[] = [];
  const xorbEntries: Entry[] = [];
  const chunkEntries: Entry[] = [];
  let bytes = 0;
  for (const { hash, list } of xorbs) {
    const [at, id, size] = [records.length, hashOfText(hash), list.offset(list.chunks)];
    bytes += size;
    records.push(record(id, 0, list.chunks, size, list.storedOffset(list.chunks)));
    xorbEntries.push({ hash: id, numbers: [at] });
    for (let chunk = 0; chunk < list.chunks; chunk++) {
      records.push(record(list.hash(chunk), list.offset(chunk), list.length(chunk)));
      chunkEntries.push({ hash: list.hash(chunk), numbers: [at, chunk] });
    }
  }
  records.push(BOOKEND);
  const xorbTable = lookUpTable(xorbEntries);
  const chunkTable = lookUpTable(chunkEntries);
  const xorbTableAt = XORBS_AT + records.length * RECORD_BYTES;
  const chunkTableAt = xorbTableAt + xorbTable.length;
  const footerAt = chunkTableAt + chunkTable.length;
  const footer = [
    ...[FOOTER_VERSION, RECORD_BYTES, XORBS_AT],
    ...[xorbTableAt, 0],
    ...[xorbTableAt, xorbEntries.length],
    ...[chunkTableAt, chunkEntries.length],
    // Without a key, the hashes of chunks are as they are.
    ...[0, 0, 0, 0],
    ...[now, expires],
    ...[0, 0, 0, 0, 0, 0],
    ...[bytes, bytes, bytes],
    footerAt,
  ];
  return Buffer.concat([
    ...[SHARD_TAG, longs([VERSION, FOOTER_BYTES]), BOOKEND],
    ...[...records, xorbTable, chunkTable, longs(footer)],
  ]);
}

function record(hash: Uint8Array, ...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(RECORD_BYTES);
  bytes.set(hash);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number, HASH_BYTES + at * 4);
  return bytes;
}

const BOOKEND = record(Buffer.alloc(HASH_BYTES, 0xff));

/** Returns a table by the first eight bytes of the hashes, in the order of these as numbers. */
function lookUpTable(entries: readonly Entry[]): Buffer {
  const keyed = entries.map(({ hash, numbers }) => ({
    high: hash.readUInt32LE(4),
    low: hash.readUInt32LE(0),
    numbers,
  }));
  keyed.sort((one, other) => one.high - other.high || one.low - other.low);
  return Buffer.concat(
    keyed.map(({ high, low, numbers }) => Buffer.from(Uint32Array.of(low, high, ...numbers).buffer)),
  );
}

function longs(numbers: readonly (number | bigint)[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 8);
  for (const [at, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), at * 8);
  return bytes;
}
