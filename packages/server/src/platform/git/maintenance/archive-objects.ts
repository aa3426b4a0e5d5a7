import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DurableFiles, makeFolder, syncFolder } from '../../durable-folders.ts';
import { isAbsent, writeFileAtOnce } from '../durable-files.ts';
import { GitFault } from '../fault.ts';
import { readLoose } from '../loose-objects.ts';
import { LOOSE_FILE, LOOSE_FOLDER, namesIn, PACK_FILE } from './object-files.ts';

const MAX_TRIES = 5;
const MAX_LOOSE_BYTES = 64 * 1024 * 1024;
const ID_BYTES = 20;

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Whether a pack or an index ends with the SHA-1 of what is before. */
async function isSoundPack(path: string): Promise<boolean> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    if (size <= ID_BYTES) return false;
    const hash = createHash('sha1');
    for await (const chunk of createReadStream(path, { end: size - ID_BYTES - 1 })) hash.update(chunk);
    const { buffer } = await handle.read(Buffer.alloc(ID_BYTES), 0, ID_BYTES, size - ID_BYTES);
    return hash.digest().equals(buffer);
  } finally {
    await handle.close();
  }
}

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

/** Copies what is missing; returns the paths of damaged files, which are not copied. */
async function copyOnce(from: string, to: string, files: DurableFiles): Promise<string[]> {
  const damaged: string[] = [];
  const take = async (source: string, target: string, isSound: () => Promise<boolean>): Promise<void> => {
    if (await isThere(target)) return;
    if (await isSound()) await copy(source, target, files);
    // What is gone by now was packed.
    else if (await isThere(source)) damaged.push(source);
  };
  // Loose objects go first: those that are packed meanwhile are in a pack by the time that packs are listed.
  for (const folder of await namesIn(from, LOOSE_FOLDER)) {
    const names = await namesIn(join(from, folder), LOOSE_FILE);
    if (names.length === 0) continue;
    await makeFolder(join(to, folder), files);
    for (const name of names)
      await take(join(from, folder, name), join(to, folder, name), () => isSoundLoose(from, folder + name)).catch(
        (error: unknown) => {
          if (!isAbsent(error)) throw error;
        },
      );
    await syncFolder(join(to, folder), files);
  }
  const packs = await namesIn(join(from, 'pack'), PACK_FILE);
  await makeFolder(join(to, 'pack'), files);
  // An index counts as soon as it is there, so that its pack has to be there before.
  for (const ending of ['.pack', '.idx'])
    for (const name of packs.filter((each) => each.endsWith(ending))) {
      const path = join(from, 'pack', name);
      await take(path, join(to, 'pack', name), () => isSoundPack(path));
    }
  await syncFolder(join(to, 'pack'), files);
  return damaged;
}

/**
 * Copies the objects of a folder that are missing in another one, byte for byte, and compares each with its hash. Objects
 * may be written and packed meanwhile. Returns the paths of damaged files, which are not copied.
 */
export async function archiveObjects(from: string, to: string, files: DurableFiles): Promise<string[]> {
  for (let tries = 1; ; tries++)
    try {
      return await copyOnce(from, to, files);
    } catch (error) {
      // A repack has taken a pack away; its objects are in another one now.
      if (!isAbsent(error) || tries === MAX_TRIES) throw error;
    }
}
