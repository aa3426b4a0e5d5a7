import { copyFile, link } from 'node:fs/promises';
import { join } from 'node:path';
import { type DurableFiles, makeFolder, syncFolder } from '../../durable-folders.ts';
import { codeOf } from '../../error-text.ts';
import { isAbsent } from '../durable-files.ts';
import { forEachPackFile, LOOSE_FILE, LOOSE_FOLDER, namesIn } from './object-files.ts';

const MAX_TRIES = 5;

/** The errors of file systems that do not support hard links or have reached their limit. */
const NO_LINK = ['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP'];

/** Links or copies a file that never changes. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    const code = codeOf(error) ?? '';
    if (code === 'EEXIST') return;
    if (!NO_LINK.includes(code)) throw error;
    await copyFile(from, to);
  }
}

/** Shares the objects of a folder with another one; deletions in one do not affect the other. */
async function shareOnce(from: string, to: string, files: DurableFiles): Promise<void> {
  // Loose objects go first: any that are packed in the meantime are in a pack by the time the packs are listed.
  for (const folder of await namesIn(from, LOOSE_FOLDER)) {
    const names = await namesIn(join(from, folder), LOOSE_FILE);
    if (names.length === 0) continue;
    await makeFolder(join(to, folder), files);
    for (const name of names)
      await linkOrCopy(join(from, folder, name), join(to, folder, name)).catch((error: unknown) => {
        if (!isAbsent(error)) throw error;
      });
    await syncFolder(join(to, folder), files);
  }
  await makeFolder(join(to, 'pack'), files);
  await forEachPackFile(join(from, 'pack'), (name) => linkOrCopy(join(from, 'pack', name), join(to, 'pack', name)));
  await syncFolder(join(to, 'pack'), files);
}

/** Shares all objects of a repository with another one; starts again if a repack deletes a pack in the meantime. */
export async function copyObjects(from: string, to: string, files: DurableFiles): Promise<void> {
  for (let tries = 1; ; tries++)
    try {
      return await shareOnce(from, to, files);
    } catch (error) {
      if (!isAbsent(error) || tries === MAX_TRIES) throw error;
    }
}
