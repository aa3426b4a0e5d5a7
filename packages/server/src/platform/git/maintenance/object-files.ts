import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent } from '../durable-files.ts';

/** The names of folders and files in git's `objects` folder. */
export const LOOSE_FOLDER = /^[0-9a-f]{2}$/;
export const LOOSE_FILE = /^[0-9a-f]{38}$/;

/**
 * The files of a pack that copies need. Git can make the others again: an index of several packs, bitmaps, reverse indexes,
 * the times of unreachable objects, and the graph of commits.
 */
export const PACK_FILE = /^pack-[0-9a-f]{40}\.(pack|idx)$/;

/** Returns the matching names in a folder; none if the folder does not exist. */
export async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  return names.filter((name) => pattern.test(name));
}

/** Yields the paths of all object files of a folder. An index comes before its pack, without which it must not be. */
export async function* objectFilesIn(objects: string): AsyncGenerator<string, void> {
  for (const folder of await namesIn(objects, LOOSE_FOLDER))
    for (const name of await namesIn(join(objects, folder), LOOSE_FILE)) yield join(objects, folder, name);
  const packs = join(objects, 'pack');
  const names = await namesIn(packs, PACK_FILE);
  for (const ending of ['.idx', '.pack'])
    for (const name of names.filter((each) => each.endsWith(ending))) yield join(packs, name);
}

/** How often a list of packs is read because packs are being replaced. */
const MAX_PASSES = 5;

/**
 * Works on the files of packs in a folder, and again on those that have come meanwhile: a list that is read while packs
 * are replaced may have neither the old pack nor the new one. An index takes effect at once, so packs come first.
 */
export async function forEachPackFile(folder: string, work: (name: string) => Promise<void>): Promise<void> {
  const done = new Set<string>();
  for (let pass = 1; pass <= MAX_PASSES; pass++) {
    const names = (await namesIn(folder, PACK_FILE)).filter((name) => !done.has(name));
    if (names.length === 0) return;
    for (const ending of ['.pack', '.idx'])
      for (const name of names.filter((each) => each.endsWith(ending))) {
        await work(name);
        done.add(name);
      }
  }
}
