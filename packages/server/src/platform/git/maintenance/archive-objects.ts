import { createReadStream } from 'node:fs';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DurableFiles, makeFolder, syncFolder } from '../../durable-folders.ts';
import { freshen } from '../../files/stale-files.ts';
import { isAbsent, writeFileAtOnce } from '../durable-files.ts';
import { GitFault } from '../fault.ts';
import { readLoose } from '../loose-objects.ts';
import { checksumOf } from '../packs/pack-checksum.ts';
import { forEachPackFile, LOOSE_FILE, LOOSE_FOLDER, namesIn } from './object-files.ts';

const MAX_TRIES = 5;
const MAX_LOOSE_BYTES = 64 * 1024 * 1024;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function isSoundLoose(folder: string, id: string): Promise<boolean> {
  try {
    return (await readLoose(folder, id, MAX_LOOSE_BYTES)) !== undefined;
  } catch (error) {
    if (error instanceof GitFault) return false;
    throw error;
  }
}

const copy = (from: string, to: string, files: DurableFiles): Promise<void> =>
  writeFileAtOnce(to, (handle) => writeFile(handle, createReadStream(from)), files);

/** Copies missing files, and freshens the others; returns the paths of damaged ones, which are not copied. */
async function copyOnce(from: string, to: string, files: DurableFiles): Promise<string[]> {
  const damaged: string[] = [];
  const copyIfSound = async (source: string, target: string, isSound: () => Promise<boolean>): Promise<void> => {
    if (await freshen(target)) return;
    if (await isSound()) await copy(source, target, files);
    // A loose object that has disappeared was packed.
    else if (await isThere(source)) damaged.push(source);
  };
  // Loose objects go first: any that are packed in the meantime are in a pack by the time the packs are listed.
  for (const folder of await namesIn(from, LOOSE_FOLDER)) {
    const names = await namesIn(join(from, folder), LOOSE_FILE);
    if (names.length === 0) continue;
    await makeFolder(join(to, folder), files);
    for (const name of names)
      await copyIfSound(join(from, folder, name), join(to, folder, name), () =>
        isSoundLoose(from, folder + name),
      ).catch((error: unknown) => {
        if (!isAbsent(error)) throw error;
      });
    await syncFolder(join(to, folder), files);
  }
  await makeFolder(join(to, 'pack'), files);
  await forEachPackFile(join(from, 'pack'), (name) => {
    const path = join(from, 'pack', name);
    return copyIfSound(path, join(to, 'pack', name), async () => (await checksumOf(path)) !== undefined);
  });
  await syncFolder(join(to, 'pack'), files);
  return damaged;
}

/**
 * Copies the missing objects of a folder to another one byte for byte and verifies their hashes. Objects may be written
 * and packed in the meantime. Returns the paths of damaged files, which are not copied.
 */
export async function archiveObjects(from: string, to: string, files: DurableFiles): Promise<string[]> {
  for (let tries = 1; ; tries++)
    try {
      return await copyOnce(from, to, files);
    } catch (error) {
      // A repack has deleted a pack, whose objects are in another one now.
      if (!isAbsent(error) || tries === MAX_TRIES) throw error;
    }
}
