import type { FileHandle } from 'node:fs/promises';
import { type Fanout, IDS_OFFSET, LARGE } from './pack-index.ts';
import { readExactly } from './read-exactly.ts';

const ID_BYTES = 20;
const CRC_BYTES = 4;
/** The most objects of a pack whose index stays in memory, about 6 KB. */
const MAX_OBJECTS = 256;

/** The index of a pack with few objects, in memory. */
export interface SmallIndex {
  /** The ids in order, 20 bytes each. */
  readonly ids: Buffer;
  /** The offset of each object in the pack. */
  readonly offsets: readonly number[];
}

/** Reads an index whole; undefined if it is large. */
export async function readSmallIndex(index: FileHandle, fanout: Fanout): Promise<SmallIndex | undefined> {
  const count = fanout.at(-1) ?? 0;
  if (count > MAX_OBJECTS) return undefined;
  const bytes = await readExactly(index, IDS_OFFSET, count * (ID_BYTES + CRC_BYTES + 4));
  const offsetsAt = count * (ID_BYTES + CRC_BYTES);
  const offsets = Array.from({ length: count }, (_, at) => bytes.readUInt32BE(offsetsAt + at * 4));
  // Such an offset stands in a table of its own.
  if (offsets.some((offset) => offset >= LARGE)) return undefined;
  return { ids: bytes.subarray(0, count * ID_BYTES), offsets };
}

/** Returns at most `limit` ids that begin with a prefix, with their offsets in the pack. */
export function findInSmall({ ids, offsets }: SmallIndex, prefix: string, limit: number) {
  const idAt = (at: number) => ids.toString('hex', at * ID_BYTES, (at + 1) * ID_BYTES);
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (idAt(middle) < prefix) low = middle + 1;
    else high = middle;
  }
  const found: { readonly id: string; readonly offset: number }[] = [];
  for (const offset of offsets.slice(low, low + limit)) {
    const id = idAt(low + found.length);
    if (!id.startsWith(prefix)) break;
    found.push({ id, offset });
  }
  return found;
}
