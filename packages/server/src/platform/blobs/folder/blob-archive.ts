import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../../error-text.ts';
import { type Deleted, type Deleting, deleteStale, freshen } from '../../files/stale-files.ts';
import { blobPath, createFolderStore, streamPath, UNFINISHED } from './folder-store.ts';

const SHARD = /^[0-9a-f]{2}$/;
const BLOB = /^[0-9a-f]{64}$/;

/** Stores the blobs of backups in a folder, and deletes those that no backup needs any more. */
export function createBlobArchive(folder: string) {
  const store = createFolderStore({ folder, now: Date.now });

  async function* paths(): AsyncGenerator<string, void> {
    for (const first of await namesIn(folder, SHARD))
      for (const second of await namesIn(join(folder, first), SHARD))
        for (const sha256 of await namesIn(join(folder, first, second), BLOB)) yield blobPath(folder, sha256);
  }

  return {
    ...store,

    /** Freshens a blob that is there. */
    head: async (sha256: string) => ((await freshen(blobPath(folder, sha256))) ? await store.head(sha256) : undefined),

    /** Deletes the blobs that no backup has looked for since a time. */
    async deleteStale(deleting: Deleting): Promise<Deleted> {
      await mkdir(join(folder, UNFINISHED), { recursive: true, mode: 0o700 });
      return await deleteStale(paths(), { ...deleting, asideOf: () => streamPath(folder) });
    },
  };
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return [];
  });
  return names.filter((name) => pattern.test(name));
}
