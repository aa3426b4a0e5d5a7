import type { FileHandle } from 'node:fs/promises';
import type { ByteRange, Bytes } from '../blob-store.ts';
import { createBlocks } from '../blocks.ts';

const BLOCK_BYTES = 512 * 1024;
/** The number of blocks that wait to be used again. */
const MAX_FREE = 8;

const blocks = createBlocks(() => Buffer.allocUnsafeSlow(BLOCK_BYTES), MAX_FREE);

/** Yields a range of a file, as far as it has bytes, in one block of memory, and closes the file. */
export async function* readInBlocks(handle: FileHandle, { first, last }: ByteRange): Bytes {
  const block = blocks.take();
  try {
    for (let at = first; at <= last; ) {
      const { bytesRead } = await handle.read(block, 0, Math.min(BLOCK_BYTES, last + 1 - at), at);
      if (bytesRead === 0) return;
      yield block.subarray(0, bytesRead);
      at += bytesRead;
    }
  } finally {
    await handle.close();
    blocks.give(block);
  }
}
