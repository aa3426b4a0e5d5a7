import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';

/**
 * Writes a file atomically: to a temporary file beside it, readable only by its owner, which is synced to disk and then
 * renamed. An existing file stays until then.
 */
export async function writeWhole<Result>(file: string, write: (output: Writable) => Promise<Result>): Promise<Result> {
  const partial = `${file}.partial`;
  await rm(partial, { force: true });
  const output = (await open(partial, 'wx', 0o600)).createWriteStream({ flush: true });
  try {
    const result = await write(output);
    await rename(partial, file);
    await syncFolder(dirname(file));
    return result;
  } catch (error) {
    output.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}

/** Syncs a folder, because only then is the new name of a file on disk. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
