import { crc32 } from 'node:zlib';
import { inflateFrom } from '../compression.ts';
import { damaged } from '../fault.ts';
import { nameObject } from '../objects/object.ts';
import { MAX_ENTRY_HEADER, parseEntryHeader } from './pack-entry.ts';
import { encodeIndex, type IndexEntry } from './pack-index.ts';

const HEADER_BYTES = 12;
const HASH_BYTES = 20;
const MAGIC = Buffer.from('PACK\0\0\0\x02', 'latin1');

/** Returns the index of a pack without deltas, from its objects. Throws a `GitFault` if one of them is damaged or a delta. */
export async function indexPack(pack: Buffer): Promise<Buffer> {
  const end = pack.length - HASH_BYTES;
  if (end < HEADER_BYTES || !pack.subarray(0, MAGIC.length).equals(MAGIC))
    throw damaged('A pack has an unknown version');
  const count = pack.readUInt32BE(MAGIC.length);
  const entries: IndexEntry[] = [];
  let at = HEADER_BYTES;
  while (entries.length < count && at < end) {
    const { kind, size, length } = parseEntryHeader(pack.subarray(at, Math.min(at + MAX_ENTRY_HEADER, end)), at);
    if (typeof kind !== 'string') throw damaged('A pack without an index has a delta');
    const compressed = pack.subarray(at + length, end);
    const { bytes, taken } = await inflateFrom(compressed, size);
    if (bytes.length !== size) throw damaged('The size of an entry of a pack differs from its header');
    const { id } = await nameObject({ type: kind, body: bytes });
    const next = at + length + taken;
    entries.push({ id, crc: crc32(pack.subarray(at, next)), offset: at });
    at = next;
  }
  if (entries.length !== count || at !== end)
    throw damaged('A pack has another number of objects than its header says');
  return encodeIndex(entries, pack.subarray(end));
}
