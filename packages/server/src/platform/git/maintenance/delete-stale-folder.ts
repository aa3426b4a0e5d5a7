import { readdir, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../error-text.ts';
import { deleteIfStale } from '../../files/stale-files.ts';
import { isBare } from '../bare-folder.ts';
import { isAbsent, temporaryName, unlessAbsent } from '../durable-files.ts';
import { objectFilesIn } from './object-files.ts';

/**
 * Deletes a repository without objects whose HEAD is older than a time. HEAD goes first and the others one by one, so that
 * another process that meanwhile freshens the repository, or creates it again, keeps what it has.
 */
export async function deleteStaleFolder(folder: string, before: number): Promise<void> {
  if (!(await objectFilesIn(join(folder, 'objects')).next()).done) return;
  const head = join(folder, 'HEAD');
  const found = (await stat(head).catch(unlessAbsent)) ?? (await stat(folder).catch(unlessAbsent));
  if (!found || found.mtimeMs >= before) return;
  await deleteIfStale(head, before, temporaryName(folder));
  if (!(await isBare(folder))) await deleteRest(folder, before);
}

async function deleteRest(folder: string, before: number): Promise<void> {
  for (const entry of (await readdir(folder, { withFileTypes: true }).catch(unlessAbsent)) ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await deleteRest(path, before);
    else await deleteIfStale(path, before, temporaryName(folder));
  }
  await rmdir(folder).catch((error: unknown) => {
    if (!isAbsent(error) && codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  });
}
