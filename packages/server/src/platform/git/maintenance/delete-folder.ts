import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isAbsent, TEMPORARY, temporaryName } from '../durable-files.ts';
import { namesIn } from './object-files.ts';

/** Deletes a folder below another one, so that nobody finds a part of it, and what earlier deletions have left. */
export async function deleteFolder(root: string, path: string): Promise<void> {
  try {
    await rename(path, temporaryName(root));
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  for (const name of await namesIn(root, TEMPORARY)) await rm(join(root, name), { recursive: true, force: true });
}
