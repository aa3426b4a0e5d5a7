import { getChunks } from '@huggingface/xetchunk-wasm';

/*
 * Cuts files where hf_xet cuts them, with the library of @huggingface/hub. That may end a chunk up to 64 bytes before the
 * minimum size, which hf_xet has not done since September 2025.
 */

const [MIN_BYTES, MAX_BYTES] = [8 * 1024, 128 * 1024];
/** The first byte of a chunk that the rolling hash reads; no end that counts depends on it. */
const FIRST_READ = MIN_BYTES - 65;
/** With such a target, nothing of the size of a chunk is cut. */
const TARGET_OF_WHOLE = 16 * MAX_BYTES;

export interface TestChunk {
  readonly hash: Uint8Array;
  readonly length: number;
  readonly bytes: Uint8Array;
}

function firstLength(bytes: Uint8Array): number {
  const part = Uint8Array.from(bytes.subarray(0, MAX_BYTES));
  let length = 0;
  do {
    length = getChunks(part)[0]?.length ?? 0;
    part[FIRST_READ] = (part[FIRST_READ] ?? 0) + 1;
  } while (length < MIN_BYTES && length < part.length);
  return length;
}

export function chunksOf(content: Uint8Array): TestChunk[] {
  const chunks: TestChunk[] = [];
  for (let start = 0; start < content.length; ) {
    const bytes = content.subarray(start, start + firstLength(content.subarray(start)));
    const hash = Uint8Array.from(getChunks(bytes, TARGET_OF_WHOLE)[0]?.hash ?? []);
    chunks.push({ hash, length: bytes.length, bytes });
    start += bytes.length;
  }
  return chunks;
}
