import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent, TEMPORARY } from '../durable-files.ts';
import { namesIn, PACK_FILE } from './object-files.ts';

/**
 * Deletes what was last written before a time and never finished: temporary files, and packs without an index, which
 * nobody reads.
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
  const found = await stat(path).catch((error: unknown) => {
    if (isAbsent(error)) return undefined;
    throw error;
  });
  if (found && found.mtimeMs <= before) await rm(path, { force: true });
}
