import { join } from 'node:path';
import { type Deleted, type Deleting, deleteStale, freshen } from '../files/stale-files.ts';
import { isAbsent, temporaryName } from './durable-files.ts';
import { createGitStore } from './git-store.ts';
import { deleteStaleFolder } from './maintenance/delete-stale-folder.ts';
import { objectFilesIn } from './maintenance/object-files.ts';

const MAX_TRIES = 5;

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
      for (let tries = 1; ; tries++)
        try {
          await store.create(id);
          if (await freshen(headOf(id))) return;
        } catch (error) {
          // Another process is deleting the repository.
          if (!isAbsent(error) || tries === MAX_TRIES) throw error;
        }
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
        await deleteStaleFolder(store.folderOf(id), deleting.before);
      }
      return { files, bytes };
    },
  };
}
