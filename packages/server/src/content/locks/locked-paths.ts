import { createPause } from '../../platform/cooperative.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { conflict } from '../../platform/http/errors.ts';
import { type LockedPath, lockedByOthers } from './lock-store.ts';

/** Yields the folders around a path, the innermost first. */
function* foldersOf(path: string): Generator<string, void> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) yield path.slice(0, end);
}

/**
 * Returns the function that finds a lock that a change of a path concerns: of the path itself, of a folder around it, or
 * of something below it, which disappears with a folder.
 */
export function lockFinder(locks: readonly LockedPath[]): (path: string) => LockedPath | undefined {
  const byPath = new Map(locks.map((lock) => [lock.path, lock]));
  const byFolder = new Map(locks.flatMap((lock) => [...foldersOf(lock.path)].map((folder) => [folder, lock])));
  return (path) => {
    const own = byPath.get(path) ?? byFolder.get(path);
    if (own) return own;
    for (const folder of foldersOf(path)) {
      const around = byPath.get(folder);
      if (around) return around;
    }
    return undefined;
  };
}

/** Throws 409 if others than the given user have locked one of the paths. */
export async function requireUnlocked(
  executor: ReadExecutor,
  { repoId, userId }: { readonly repoId: string; readonly userId: string },
  paths: readonly string[],
): Promise<void> {
  const locks = await lockedByOthers(executor, repoId, userId);
  if (locks.length === 0) return;
  const lockOn = lockFinder(locks);
  const pause = createPause();
  for (const path of paths) {
    const lock = lockOn(path);
    if (lock) throw conflict(`${lock.path} is locked by ${lock.owner}: ask them to unlock it`);
    await pause();
  }
}
