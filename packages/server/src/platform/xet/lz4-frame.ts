/**
 * Decompresses an LZ4 frame (lz4_Frame_format.md, 1.6.x) that fills `target` exactly; returns undefined, or what is wrong
 * with the frame. Reads nothing outside `source` and writes nothing outside `target`. Checksums are skipped, because the
 * content has a hash. Runs in threads from its own source text, so it must refer to nothing but its parameters.
 */
export function decodeLz4Frame(source: Uint8Array, target: Uint8Array): string | undefined {
  // Copies of a few bytes are quicker in a loop than by a call.
  const MAX_LOOP = 24;
  const [TOO_EARLY, TOO_LONG, BEFORE_BEGIN, ENDS_WITH_MATCH] = [-1, -2, -3, -4];

  const word = (at: number): number =>
    ((source[at] ?? 0) |
      ((source[at + 1] ?? 0) << 8) |
      ((source[at + 2] ?? 0) << 16) |
      ((source[at + 3] ?? 0) << 24)) >>>
    0;

  function copyMatch(offset: number, from: number, length: number): void {
    const end = from + length;
    if (length <= MAX_LOOP) for (let to = from; to < end; to++) target[to] = target[to - offset] ?? 0;
    else {
      // Each copy repeats all that was copied before, so that a short pattern doubles.
      const begin = from - offset;
      for (let to = from; to < end; ) {
        const count = Math.min(to - begin, end - to);
        target.copyWithin(to, begin, begin + count);
        to += count;
      }
    }
  }

  /** Returns the end of what was written, or a negative number that stands for a fault. */
  function decodeBlock(begin: number, end: number, written: number): number {
    let at = begin;
    let out = written;
    while (at < end) {
      const token = source[at++] ?? 0;
      let literals = token >>> 4;
      if (literals === 15)
        for (let more = 255; more === 255; literals += more) {
          if (at >= end) return TOO_EARLY;
          more = source[at++] ?? 0;
        }
      if (literals > end - at) return TOO_EARLY;
      if (literals > target.length - out) return TOO_LONG;
      if (literals > MAX_LOOP) target.set(source.subarray(at, at + literals), out);
      else for (let index = 0; index < literals; index++) target[out + index] = source[at + index] ?? 0;
      at += literals;
      out += literals;
      // The last sequence of a block has no match.
      if (at === end) return out;
      if (end - at < 2) return TOO_EARLY;
      const offset = (source[at] ?? 0) | ((source[at + 1] ?? 0) << 8);
      at += 2;
      let length = (token & 15) + 4;
      if (length === 19)
        for (let more = 255; more === 255; length += more) {
          if (at >= end) return TOO_EARLY;
          more = source[at++] ?? 0;
        }
      if (offset === 0 || offset > out) return BEFORE_BEGIN;
      if (length > target.length - out) return TOO_LONG;
      copyMatch(offset, out, length);
      out += length;
    }
    return ENDS_WITH_MATCH;
  }

  if (source.length < 11 || word(0) !== 0x184d2204) return 'the data is not an LZ4 frame';
  const flags = source[4] ?? 0;
  if (flags >>> 6 !== 1 || (flags & 1) !== 0) return 'the LZ4 frame has an unknown version or a dictionary';
  let at = 7 + ((flags & 8) !== 0 ? 8 : 0);
  let out = 0;
  for (;;) {
    if (source.length - at < 4) return 'the LZ4 frame ends too early';
    const size = word(at);
    at += 4;
    if (size === 0) break;
    const length = size & 0x7fffffff;
    if (length > source.length - at) return 'the LZ4 frame ends too early';
    if (size >>> 31 === 1) {
      if (length > target.length - out) return 'an LZ4 block is longer than announced';
      target.set(source.subarray(at, at + length), out);
      out += length;
    } else out = decodeBlock(at, at + length, out);
    if (out === TOO_EARLY) return 'an LZ4 block ends too early';
    if (out === TOO_LONG) return 'an LZ4 block is longer than announced';
    if (out === BEFORE_BEGIN) return 'an LZ4 block refers to bytes before its begin';
    if (out === ENDS_WITH_MATCH) return 'an LZ4 block ends with a match';
    at += length + ((flags & 16) !== 0 ? 4 : 0);
  }
  if ((flags & 4) !== 0) at += 4;
  if (at !== source.length) return 'the LZ4 frame has another length than announced';
  return out === target.length ? undefined : 'the LZ4 frame is shorter than announced';
}
