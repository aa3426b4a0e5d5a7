/**
 * Creates the function that finds where the chunks of a file end (Xet specification, chunking.md): where the top 16 bits of
 * a rolling hash are zero, between 8 KiB and 128 KiB. The bytes begin with a chunk; the function returns the lengths of the
 * complete chunks, up to the end if the bytes are the last ones. Runs in threads from its own source text, so it must refer
 * to nothing but its parameters.
 */
export function createChunkCutter(gearTable: string) {
  const [minBytes, maxBytes, windowBytes] = [8 * 1024, 128 * 1024, 64];
  const table = Buffer.from(gearTable, 'base64');
  const [low, high] = [new Uint32Array(256), new Uint32Array(256)];
  for (let byte = 0; byte < 256; byte++) {
    low[byte] = table.readUInt32LE(byte * 8);
    high[byte] = table.readUInt32LE(byte * 8 + 4);
  }

  /** Returns where the chunk that begins at `start` ends; `limit` if nothing before it is an end. */
  function endOf(bytes: Uint8Array, start: number, limit: number): number {
    let [top, bottom] = [0, 0];
    // Older bytes have left the hash by the time a chunk may end.
    const firstEnd = start + minBytes;
    for (let at = firstEnd - windowBytes - 1; at < limit; at++) {
      const byte = bytes[at] ?? 0;
      const sum = ((bottom << 1) >>> 0) + (low[byte] ?? 0);
      top = (((top << 1) | (bottom >>> 31)) + (high[byte] ?? 0) + (sum > 0xffff_ffff ? 1 : 0)) | 0;
      bottom = sum | 0;
      if ((top & 0xffff_0000) === 0 && at + 1 >= firstEnd) return at + 1;
    }
    return limit;
  }

  return (bytes: Uint8Array, areLast: boolean): number[] => {
    const lengths: number[] = [];
    for (let start = 0; start < bytes.length; ) {
      const limit = Math.min(start + maxBytes, bytes.length);
      const end = endOf(bytes, start, limit);
      // The chunk may go on in the bytes that follow.
      if (end === bytes.length && end - start < maxBytes && !areLast) break;
      lengths.push(end - start);
      start = end;
    }
    return lengths;
  };
}
