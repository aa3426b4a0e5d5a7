import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Writable } from 'node:stream';
import { syncFolder } from '../durable-folders.ts';

/** Returns the path at which a file is written until it is whole. */
export const partialOf = (file: string): string => `${file}.partial`;

/**
 * Writes a file atomically: to a temporary file beside it, readable only by its owner, which is synced to disk and then
 * renamed. An existing file stays until then. `write` gets the path of the temporary file as well.
 */
export async function writeWhole<Result>(
  file: string,
  write: (output: Writable, partial: string) => Promise<Result>,
): Promise<Result> {
  const partial = partialOf(file);
  await rm(partial, { force: true });
  const output = (await open(partial, 'wx', 0o600)).createWriteStream({ flush: true });
  try {
    const result = await write(output, partial);
    await rename(partial, file);
    await syncFolder(dirname(file), { durable: true });
    return result;
  } catch (error) {
    output.destroy();
    await rm(partial, { force: true });
    throw error;
  }
}
