import { randomBytes } from 'node:crypto';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DurableFiles } from '../durable-folders.ts';
import { codeOf } from '../error-text.ts';

/** Returns whether an error says that a file is not there; over NFS, a file that another machine has deleted is stale. */
export const isAbsent = (error: unknown): boolean => ['ENOENT', 'ENOTDIR', 'ESTALE'].includes(codeOf(error) ?? '');

/** Returns undefined for the error of a file that is not there; a repack may delete files and empty folders at any time. */
export function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error;
}

/** The names of files that are being written, which git recognizes as its own. */
export const TEMPORARY = /^tmp_obj_[0-9a-f]{18}$/;

export const temporaryName = (folder: string): string => join(folder, `tmp_obj_${randomBytes(9).toString('hex')}`);

/**
 * Returns a name for a new pack, without an ending. Stock git names packs after their content; a name at random is never
 * that of a pack which a repack is about to delete.
 */
export const newPackName = (): string => `pack-${randomBytes(20).toString('hex')}`;
/** Creates a file and syncs it; if that fails, what was written stays. */
export async function writeNewFile(
  path: string,
  write: (handle: FileHandle) => Promise<unknown>,
  { durable }: DurableFiles,
): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await write(handle);
    if (durable) await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes a file under a temporary name, syncs it, and renames it. Does not sync the folder. */
export async function writeFileAtOnce(
  path: string,
  write: (handle: FileHandle) => Promise<unknown>,
  files: DurableFiles,
  temporaryFolder = dirname(path),
): Promise<void> {
  const temporary = temporaryName(temporaryFolder);
  try {
    await writeNewFile(temporary, write, files);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
