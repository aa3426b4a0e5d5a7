import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { damaged } from '../fault.ts';
import { readExactly } from './read-exactly.ts';

const MAGIC = Buffer.from([0xff, 0x74, 0x4f, 0x63, 0, 0, 0, 2]);
const FANOUT = 256 * 4;
const ID_BYTES = 20;
/** Larger offsets are stored in a separate table. */
export const LARGE = 2 ** 31;

export interface IndexEntry {
  readonly id: string;
  readonly crc: number;
  readonly offset: number;
}

const uint32 = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
};

/** Encodes the index (version 2) of a pack. */
export function encodeIndex(entries: readonly IndexEntry[], packHash: Buffer): Buffer {
  const sorted = [...entries].sort((a, b) => (a.id < b.id ? -1 : 1));
  const counts = new Array<number>(256).fill(0);
  for (const { id } of sorted) {
    const first = Number.parseInt(id.slice(0, 2), 16);
    counts[first] = (counts[first] ?? 0) + 1;
  }
  let sum = 0;
  const fanout = counts.map((count) => (sum += count));
  const large: bigint[] = [];
  const offsets = sorted.map(({ offset }) => (offset < LARGE ? offset : LARGE + large.push(BigInt(offset)) - 1));
  const largeBytes = Buffer.alloc(large.length * 8);
  for (const [at, offset] of large.entries()) largeBytes.writeBigUInt64BE(offset, at * 8);
  const body = Buffer.concat([
    MAGIC,
    uint32(fanout),
    Buffer.from(sorted.map(({ id }) => id).join(''), 'hex'),
    uint32(sorted.map(({ crc }) => crc)),
    uint32(offsets),
    largeBytes,
    packHash,
  ]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

/** For each first byte, the number of objects whose id begins with that byte or a lower one. */
export type Fanout = readonly number[];

/** Reads the fan-out table. Throws if the file is not an index of version 2. */
export async function readFanout(index: FileHandle): Promise<Fanout> {
  const bytes = await readExactly(index, 0, MAGIC.length + FANOUT);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) throw damaged('The index of a pack has an unknown version');
  const fanout = Array.from({ length: 256 }, (_, at) => bytes.readUInt32BE(MAGIC.length + at * 4));
  if (fanout.some((count, at) => count < (fanout[at - 1] ?? 0))) throw damaged('The index of a pack is damaged');
  return fanout;
}

export const IDS_OFFSET = MAGIC.length + FANOUT;

/** Returns at most `limit` ids of an index that begin with a prefix (at least two digits), with their positions. */
export async function findIds(
  index: FileHandle,
  fanout: Fanout,
  prefix: string,
  limit: number,
): Promise<{ id: string; position: number }[]> {
  const first = Number.parseInt(prefix.slice(0, 2), 16);
  const [from, to] = [fanout[first - 1] ?? 0, fanout[first] ?? 0];
  if (from === to) return [];
  const ids = await readExactly(index, IDS_OFFSET + from * ID_BYTES, (to - from) * ID_BYTES);
  const idAt = (at: number) => ids.toString('hex', at * ID_BYTES, (at + 1) * ID_BYTES);
  let [low, high] = [0, to - from];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (idAt(middle) < prefix) low = middle + 1;
    else high = middle;
  }
  const found: { id: string; position: number }[] = [];
  for (let at = low; at < to - from && found.length < limit && idAt(at).startsWith(prefix); at++)
    found.push({ id: idAt(at), position: from + at });
  return found;
}

/** Returns the offset in the pack of the object at a position of the index. */
export async function offsetAt(index: FileHandle, fanout: Fanout, position: number): Promise<number> {
  const count = fanout[255] ?? 0;
  const offsets = IDS_OFFSET + count * (ID_BYTES + 4);
  const offset = (await readExactly(index, offsets + position * 4, 4)).readUInt32BE();
  if (offset < LARGE) return offset;
  const large = await readExactly(index, offsets + count * 4 + (offset - LARGE) * 8, 8);
  const wide = Number(large.readBigUInt64BE());
  if (!Number.isSafeInteger(wide)) throw damaged('The index of a pack is damaged');
  return wide;
}

/** How much of the table of offsets is read at once. */
const OFFSETS_PER_READ = 256 * 1024;

/** Returns the ids of the objects that begin at an offset of the pack or after it. */
export async function idsFrom(index: FileHandle, offset: number): Promise<string[]> {
  const fanout = await readFanout(index);
  const count = fanout.at(-1) ?? 0;
  const offsets = IDS_OFFSET + count * (ID_BYTES + 4);
  const ids: string[] = [];
  for (let first = 0; first < count; first += OFFSETS_PER_READ) {
    const bytes = await readExactly(index, offsets + first * 4, Math.min(OFFSETS_PER_READ, count - first) * 4);
    for (let at = 0; at < bytes.length; at += 4) {
      // An offset with the first bit stands in a table of its own, as it is 2 GiB or more.
      if (bytes.readUInt32BE(at) < offset) continue;
      const id = await readExactly(index, IDS_OFFSET + (first + at / 4) * ID_BYTES, ID_BYTES);
      ids.push(id.toString('hex'));
    }
  }
  return ids;
}
