import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent, TEMPORARY } from '../durable-files.ts';
import { namesIn, PACK_FILE } from './object-files.ts';

/**
 * Deletes what was last written before a time and never finished: temporary files, folders of pushes, and packs without
 * an index, which nobody reads.
 */
export async function deleteLeftovers(folder: string, before: number): Promise<void> {
  const packs = join(folder, 'objects', 'pack');
  for (const each of [folder, join(folder, 'objects'), packs])
    for (const name of await namesIn(each, TEMPORARY)) await deleteIfOld(join(each, name), before);
  const names = new Set(await namesIn(packs, PACK_FILE));
  for (const name of names)
    if (name.endsWith('.pack') && !names.has(name.replace(/pack$/, 'idx')))
      await deleteIfOld(join(packs, name), before);
}

async function deleteIfOld(path: string, before: number): Promise<void> {
  const writtenAt = await lastWrittenAt(path);
  if (writtenAt !== undefined && writtenAt <= before) await rm(path, { recursive: true, force: true });
}

/** Returns when a file, or anything in a folder, was last written; undefined if it is gone. */
async function lastWrittenAt(path: string): Promise<number | undefined> {
  try {
    const found = await stat(path);
    if (!found.isDirectory()) return found.mtimeMs;
    const within = await Promise.all((await readdir(path)).map((name) => lastWrittenAt(join(path, name))));
    return Math.max(found.mtimeMs, ...within.map((time) => time ?? 0));
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
