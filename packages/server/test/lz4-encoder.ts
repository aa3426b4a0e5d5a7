const BLOCK_BYTES = 64 * 1024;
/** A block ends with literals, and its last match begins before so many bytes (lz4_Block_format.md). */
const LAST_LITERALS = 5;
const MATCH_LIMIT = 12;
const MIN_MATCH = 4;

function lengthBytes(length: number): number[] {
  const bytes: number[] = [];
  let rest = length - 15;
  for (; rest >= 255; rest -= 255) bytes.push(255);
  bytes.push(rest);
  return bytes;
}

function sequence(literals: Uint8Array, match?: { readonly offset: number; readonly length: number }): Uint8Array[] {
  const extra = match ? match.length - MIN_MATCH : 0;
  const token = (Math.min(literals.length, 15) << 4) | Math.min(extra, 15);
  return [
    Uint8Array.of(token, ...(literals.length >= 15 ? lengthBytes(literals.length) : [])),
    literals,
    ...(match
      ? [Uint8Array.of(match.offset & 255, match.offset >> 8, ...(extra >= 15 ? lengthBytes(extra) : []))]
      : []),
  ];
}

/** Compresses a block greedily. */
function encodeBlock(bytes: Uint8Array): Buffer {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const seen = new Map<number, number>();
  const parts: Uint8Array[] = [];
  let anchor = 0;
  for (let at = 0; at + MATCH_LIMIT < bytes.length; ) {
    const word = view.readUInt32LE(at);
    const before = seen.get(word);
    seen.set(word, at);
    if (before === undefined || at - before > 65535) {
      at += 1;
      continue;
    }
    let length = MIN_MATCH;
    while (at + length < bytes.length - LAST_LITERALS && bytes[before + length] === bytes[at + length]) length += 1;
    parts.push(...sequence(bytes.subarray(anchor, at), { offset: at - before, length }));
    at += length;
    anchor = at;
  }
  parts.push(...sequence(bytes.subarray(anchor)));
  return Buffer.concat(parts);
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/** Returns an LZ4 frame; blocks that do not become smaller are stored as they are. */
export function encodeLz4Frame(bytes: Uint8Array): Buffer {
  const parts: Uint8Array[] = [Buffer.from('04224d18604082', 'hex')];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) {
    const block = bytes.subarray(at, at + BLOCK_BYTES);
    const encoded = encodeBlock(block);
    if (encoded.length < block.length) parts.push(uint32(encoded.length), encoded);
    else parts.push(uint32(0x8000_0000 + block.length), block);
  }
  return Buffer.concat([...parts, uint32(0)]);
}

/** Groups bytes by their position within groups of four. */
export const groupBytes = (bytes: Uint8Array): Buffer =>
  Buffer.concat([0, 1, 2, 3].map((group) => bytes.filter((_byte, at) => at % 4 === group)));
