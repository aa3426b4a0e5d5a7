import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unlessAbsent } from '../durable-files.ts';
import { namesIn, PACK_FILE } from './object-files.ts';

/** How much space the packs of a folder take, and when they were last changed, in epoch milliseconds. */
export interface FolderUse {
  readonly bytes: number;
  readonly changedAt: number;
}

/** Returns the use of a bare repository; loose objects are not counted. */
export async function useOf(folder: string): Promise<FolderUse> {
  const packs = join(folder, 'objects', 'pack');
  let bytes = 0;
  for (const name of await namesIn(packs, PACK_FILE)) bytes += (await statUnlessAbsent(join(packs, name)))?.size ?? 0;
  return { bytes, changedAt: (await statUnlessAbsent(packs))?.mtimeMs ?? 0 };
}

const statUnlessAbsent = (path: string) => stat(path).catch(unlessAbsent);
