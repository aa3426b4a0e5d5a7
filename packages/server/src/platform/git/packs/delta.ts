import { damaged, tooLarge } from '../fault.ts';

interface Cursor {
  at: number;
}

/** Reads a size: little-endian, seven bits per byte. */
function readSize(bytes: Buffer, cursor: Cursor): number {
  let size = 0;
  for (let shift = 1; ; shift *= 128) {
    const byte = bytes[cursor.at++];
    if (byte === undefined || shift > 2 ** 42) throw damaged('A delta has no size');
    size += (byte & 0x7f) * shift;
    if (byte < 0x80) return size;
  }
}

/** Reads the bytes whose bits are set in `flags` as one little-endian number. */
function readSparse(bytes: Buffer, cursor: Cursor, flags: number, count: number): number {
  let value = 0;
  for (let each = 0; each < count; each++) {
    if (!(flags & (1 << each))) continue;
    const byte = bytes[cursor.at++];
    if (byte === undefined) throw damaged('A delta ends within an instruction');
    value += byte * 2 ** (8 * each);
  }
  return value;
}

/** Applies a delta to its base. Throws if the delta reaches beyond the base or its own size. */
export function applyDelta(base: Buffer, delta: Buffer, maxBytes: number): Buffer {
  const cursor = { at: 0 };
  if (readSize(delta, cursor) !== base.length) throw damaged('A delta does not fit its base');
  const size = readSize(delta, cursor);
  if (size > maxBytes) throw tooLarge(`A delta produces an object of ${size} bytes`);
  const result = Buffer.allocUnsafe(size);
  let filled = 0;
  const copy = (from: Buffer, start: number, length: number) => {
    if (start + length > from.length || filled + length > size) throw damaged('A delta reaches beyond its bounds');
    from.copy(result, filled, start, start + length);
    filled += length;
  };
  while (cursor.at < delta.length) {
    const instruction = delta[cursor.at++] ?? 0;
    if (instruction === 0) throw damaged('A delta has an unknown instruction');
    if (instruction & 0x80) {
      const start = readSparse(delta, cursor, instruction & 0x0f, 4);
      copy(base, start, readSparse(delta, cursor, (instruction >> 4) & 0x07, 3) || 0x10000);
    } else {
      copy(delta, cursor.at, instruction);
      cursor.at += instruction;
    }
  }
  if (filled !== size) throw damaged('A delta produces less than its header says');
  return result;
}
