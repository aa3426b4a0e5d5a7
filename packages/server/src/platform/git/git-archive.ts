import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Deleted, type Deleting, deleteStale, freshen } from '../files/stale-files.ts';
import { temporaryName, unlessAbsent } from './durable-files.ts';
import { createGitStore } from './git-store.ts';
import { objectFilesIn } from './maintenance/object-files.ts';

/** Keeps the repositories of backups in a folder, and deletes what no backup needs any more. */
export function createGitArchive(folder: string) {
  const store = createGitStore(folder, { durable: true });
  const objectsOf = (id: string): string => join(store.folderOf(id), 'objects');
  /** The file whose age is that of the repository. */
  const headOf = (id: string): string => join(store.folderOf(id), 'HEAD');

  return {
    ...store,

    /** Creates a repository, or freshens it. */
    async create(id: string): Promise<void> {
      await store.create(id);
      await freshen(headOf(id));
    },

    /** Freshens everything of a repository, if it is there: the place that it is copied from has lost it. */
    async keep(id: string): Promise<void> {
      if (!(await freshen(headOf(id)))) return;
      for await (const path of objectFilesIn(objectsOf(id))) await freshen(path);
    },

    /** Deletes the repositories and the objects that no backup has looked for since a time. */
    async deleteStale(deleting: Deleting): Promise<Deleted> {
      let [files, bytes] = [0, 0];
      for await (const id of store.ids()) {
        const aside = { ...deleting, asideOf: () => temporaryName(objectsOf(id)) };
        const deleted = await deleteStale(objectFilesIn(objectsOf(id)), aside);
        [files, bytes] = [files + deleted.files, bytes + deleted.bytes];
        await store.deleteLeftovers(id, deleting.before);
        // No repository gets the id of a deleted one, so that nobody looks for its folder meanwhile.
        const head = await stat(headOf(id)).catch(unlessAbsent);
        const { mtimeMs } = head ?? (await stat(store.folderOf(id)));
        if (mtimeMs < deleting.before) await store.delete(id);
      }
      return { files, bytes };
    },
  };
}
