import type { ungroupBytes } from './byte-groups.ts';
import type { decodeLz4Frame } from './lz4-frame.ts';

/** The numbers that describe a chunk in `headers` of a run: stored bytes, scheme, bytes without compression. */
export const NUMBERS_PER_CHUNK = 3;

/**
 * Creates the function that decompresses the chunks of a run; it returns a text that says what is wrong with one. Runs in
 * threads from its own source text, so it must refer to nothing but its parameters.
 */
export function createRunDecoder(decode: typeof decodeLz4Frame, ungroup: typeof ungroupBytes) {
  return (bytes: Uint8Array, headers: Int32Array): Uint8Array<ArrayBuffer> | string => {
    let rawBytes = 0;
    for (let at = 2; at < headers.length; at += 3) rawBytes += headers[at] ?? 0;
    const target = new Uint8Array(rawBytes);
    let [from, to] = [0, 0];
    for (let at = 0; at < headers.length; at += 3) {
      const [stored, scheme, raw] = [headers[at] ?? 0, headers[at + 1] ?? 0, headers[at + 2] ?? 0];
      const data = bytes.subarray(from + 8, from + 8 + stored);
      const chunk = target.subarray(to, to + raw);
      if (scheme === 0) chunk.set(data);
      else {
        const grouped = scheme === 2 ? new Uint8Array(raw) : chunk;
        const fault = decode(data, grouped);
        if (fault !== undefined) return `A chunk cannot be decompressed: ${fault}`;
        if (scheme === 2) ungroup(grouped, chunk);
      }
      from += 8 + stored;
      to += raw;
    }
    return target;
  };
}
