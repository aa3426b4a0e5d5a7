import { statfs } from 'node:fs/promises';

/** Returns the size of the file system of a folder, and what of it this process may still fill. */
export async function spaceOf(folder: string): Promise<{ readonly freeBytes: number; readonly totalBytes: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}
