import { readdir } from 'node:fs/promises';
import { isAbsent } from '../durable-files.ts';

/** The names of folders and files in git's `objects` folder. */
export const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
export const LOOSE_FILE = /^[0-9a-f]{38}$/;
export const PACK_FILE = /^pack-[0-9a-f]{40}\.(pack|idx)$/;

/** Returns the matching names in a folder; none if the folder does not exist. */
export async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  return names.filter((name) => pattern.test(name));
}
