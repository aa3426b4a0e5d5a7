import type { FileHandle } from 'node:fs/promises';
import { damaged } from '../fault.ts';

/** Longer reads are allocated only if the file has the bytes, because the length may come from a damaged file. */
const MAX_UNCHECKED_BYTES = 64 * 1024;

/** Reads `length` bytes of a file. Throws if the file ends earlier. */
export async function readExactly(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  if (length > MAX_UNCHECKED_BYTES && at + length > (await handle.stat()).size) throw truncated();
  const bytes = Buffer.allocUnsafe(length);
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, at + filled);
    if (bytesRead === 0) throw truncated();
    filled += bytesRead;
  }
  return bytes;
}

const truncated = () => damaged('A file of a repository is truncated');

/** Reads up to `length` bytes of a file, fewer at its end. */
export async function readUpTo(handle: FileHandle, at: number, length: number): Promise<Buffer> {
  const { size } = await handle.stat();
  return readExactly(handle, at, Math.max(0, Math.min(length, size - at)));
}
