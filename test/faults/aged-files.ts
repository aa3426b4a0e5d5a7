import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** The hub keeps unfinished files for a shorter time. */
export const AGED_MS = 3 * 24 * 60 * 60 * 1000;

/** Returns the paths of everything in a folder, at any depth. */
export async function pathsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.map(({ parentPath, name }) => join(parentPath, name));
}

/** Makes files and folders look older by `AGED_MS`. */
export async function age(paths: readonly string[]): Promise<void> {
  const then = (Date.now() - AGED_MS) / 1000;
  for (const path of paths) await utimes(path, then, then);
}
