import { damaged } from '../fault.ts';
import { OBJECT_TYPES, type ObjectType } from '../objects/object.ts';

/** Type numbers in packs: 1 to 4 in the order of `OBJECT_TYPES`, and these two kinds of deltas. */
const OFFSET_DELTA = 6;
const REFERENCE_DELTA = 7;
const ID_BYTES = 20;

/** The maximum length of an entry header: size, then the offset or id of a base. */
export const MAX_ENTRY_HEADER = 10 + ID_BYTES;

export type EntryKind = ObjectType | { readonly baseOffset: number } | { readonly baseId: string };

export interface EntryHeader {
  readonly kind: EntryKind;
  /** The size of the object or of the delta. */
  readonly size: number;
  /** The length of the header in bytes. */
  readonly length: number;
}

/** Parses the header of an entry at `offset` of a pack, given the bytes from there. */
export function parseEntryHeader(bytes: Buffer, offset: number): EntryHeader {
  let at = 0;
  const next = (): number => {
    const byte = bytes[at++];
    if (byte === undefined || at > MAX_ENTRY_HEADER) throw damaged('A pack ends within an entry');
    return byte;
  };
  let byte = next();
  const number = (byte >> 4) & 7;
  let size = byte & 0x0f;
  for (let factor = 16; byte & 0x80; factor *= 128) {
    byte = next();
    size += (byte & 0x7f) * factor;
  }
  if (!Number.isSafeInteger(size)) throw damaged('An entry of a pack has an impossible size');
  const type = OBJECT_TYPES[number - 1];
  if (type) return { kind: type, size, length: at };
  if (number === REFERENCE_DELTA) {
    if (at + ID_BYTES > bytes.length) throw damaged('A pack ends within an entry');
    return { kind: { baseId: bytes.toString('hex', at, at + ID_BYTES) }, size, length: at + ID_BYTES };
  }
  if (number !== OFFSET_DELTA) throw damaged('An entry of a pack has an unknown type');
  byte = next();
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = next();
    distance = (distance + 1) * 128 + (byte & 0x7f);
  }
  if (distance <= 0 || distance >= offset) throw damaged('The base of a delta lies outside its pack');
  return { kind: { baseOffset: offset - distance }, size, length: at };
}

/** Encodes the header of an entry that is not a delta. */
export function encodeEntryHeader(type: ObjectType, size: number): Buffer {
  const bytes: number[] = [];
  let first = ((OBJECT_TYPES.indexOf(type) + 1) << 4) | (size & 0x0f);
  let rest = Math.floor(size / 16);
  while (rest > 0) {
    bytes.push(first | 0x80);
    first = rest % 128;
    rest = Math.floor(rest / 128);
  }
  bytes.push(first);
  return Buffer.from(bytes);
}
