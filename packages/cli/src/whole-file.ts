import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';

/**
 * Makes a file that is there whole or not at all: written beside its place, readable by its owner only, and moved there
 * once it is on the disk. What was there before stays until then.
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

/** The name of a file is on the disk when its folder is. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
