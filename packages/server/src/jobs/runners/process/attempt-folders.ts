import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { folderNames, folderOf, keyOf, makeFolder, removeFolder, seal, startedIn } from './attempt-folder.ts';

export type AttemptFolders = ReturnType<typeof createAttemptFolders>;

/** The folders of all attempts, by key. If dead hubs left several folders for one key, they are adopted or removed. */
export function createAttemptFolders(attempts: string) {
  /** The folder whose process has begun, by key, as far as this hub has checked. */
  const begun = new Map<string, string>();

  const allOf = async (key: string): Promise<string[]> =>
    (await folderNames(attempts)).filter((name) => keyOf(name) === key).map((name) => join(attempts, name));

  return {
    async make(key: string): Promise<string> {
      const folder = folderOf(attempts, key, randomBytes(6).toString('hex'));
      await makeFolder(folder);
      return folder;
    },

    hasBegun(key: string, folder: string): void {
      begun.set(key, folder);
    },

    hasNotBegun(key: string): void {
      begun.delete(key);
    },

    /** Returns the folder whose process has begun. */
    async find(key: string): Promise<string | undefined> {
      const known = begun.get(key);
      if (known !== undefined) return known;
      for (const folder of await allOf(key)) {
        if (!(await startedIn(folder))) continue;
        begun.set(key, folder);
        return folder;
      }
      return undefined;
    },

    /**
     * Takes over an attempt from a hub that died. Returns whether a process of the attempt has begun; seals and removes
     * the folders of processes that have not.
     */
    async adopt(key: string): Promise<boolean> {
      for (const folder of await allOf(key)) {
        if (!(await seal(folder))) {
          begun.set(key, folder);
          return true;
        }
        await removeFolder(folder);
      }
      return false;
    },

    allOf,

    async keys(): Promise<ReadonlySet<string>> {
      return new Set((await folderNames(attempts)).map(keyOf));
    },

    async remove(key: string): Promise<void> {
      begun.delete(key);
      for (const folder of await allOf(key)) await removeFolder(folder);
    },
  };
}
