import { rename, rm, stat, utimes } from 'node:fs/promises';
import { isAbsent } from '../git/durable-files.ts';

/*
 * Files whose time of the last change says when they were last needed. It never goes back, because the clock may have been put
 * back.
 */

export interface Deleted {
  readonly files: number;
  readonly bytes: number;
}

/** Makes a file at least as young as a time. Returns false if it does not exist. */
export async function freshen(path: string, now = Date.now()): Promise<boolean> {
  try {
    if ((await stat(path)).mtimeMs < now) await utimes(path, now / 1000, now / 1000);
    return true;
  } catch (error) {
    if (!isAbsent(error)) throw error;
    return false;
  }
}

export interface Deleting {
  /** In epoch milliseconds; what is as young stays. */
  readonly before: number;
  /** Called, and awaited, after each file. */
  readonly onEach: () => void | Promise<void>;
}

/** Deletes the files that are older than a time, one after the other; `asideOf` names a free path for each. */
export async function deleteStale(
  paths: AsyncIterable<string>,
  { before, asideOf, onEach }: Deleting & { readonly asideOf: () => string },
): Promise<Deleted> {
  let [files, bytes] = [0, 0];
  for await (const path of paths) {
    const size = await deleteIfStale(path, before, asideOf());
    if (size !== undefined) [files, bytes] = [files + 1, bytes + size];
    await onEach();
  }
  return { files, bytes };
}

/**
 * Deletes a file that is older than a time, and returns its size; undefined if it stays. The file is first renamed: who
 * freshens it meanwhile finds none, or was in time and gets it back.
 */
export async function deleteIfStale(path: string, before: number, aside: string): Promise<number | undefined> {
  try {
    if ((await stat(path)).mtimeMs >= before) return undefined;
    await rename(path, aside);
    const { mtimeMs, size } = await stat(aside);
    if (mtimeMs < before) {
      await rm(aside);
      return size;
    }
    await rename(aside, path);
  } catch (error) {
    if (!isAbsent(error)) throw error;
  }
  return undefined;
}
