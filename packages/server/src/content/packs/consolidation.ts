import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import { mergePacks } from '../../platform/git/maintenance/merge-packs.ts';
import { hasObjectsOf } from '../../platform/git/packs/object-ids.ts';
import { type BucketPacks, PacksChanged } from './bucket-packs.ts';
import { choosePacks } from './pack-choice.ts';
import type { PackFetching } from './pack-fetching.ts';
import { packsOf } from './pack-store.ts';

/** The longest time for writing one pack. */
const MAX_MS = 60 * 60 * 1000;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly store: GitStore;
  readonly packs: BucketPacks;
  readonly fetching: Pick<PackFetching, 'fetchAll'>;
}

export type Consolidate = ReturnType<typeof createConsolidation>;

/**
 * Returns the function that writes many small packs of a repository into one, and returns whether it did. No object is left
 * out, whether a ref leads to it or not: another change may be about to use it. Throws the reason of the signal if that ends
 * the work.
 */
export const createConsolidation =
  ({ read, store, packs, fetching }: Dependencies) =>
  async (repoId: string, stopping: AbortSignal): Promise<boolean> => {
    const inUse = (await packsOf(read, repoId)).filter(({ replacedBy }) => replacedBy === null);
    const names = choosePacks(inUse).map(({ name }) => name);
    if (names.length === 0) return false;
    using _held = packs.hold(repoId);
    await store.create(repoId);
    await fetching.fetchAll(repoId);
    stopping.throwIfAborted();
    const folder = store.temporaryFolder(repoId);
    const indexOf = (name: string) => join(store.packFolderOf(repoId), `${name}.idx`);
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(MAX_MS)]);
      const merging = { gitDir: store.folderOf(repoId), repository: store.open(repoId), names, folder, signal };
      await mergePacks(merging, store.files);
      await store.adoptPacks(repoId, folder, async (pack) => {
        if (!(await hasObjectsOf(pack.indexPath, names.map(indexOf))))
          throw new Error('The new pack lacks objects of those that it was to replace');
        await packs.keep(repoId, pack, names);
      });
      return true;
    } catch (error) {
      // Another process was quicker, whose pack replaces the same ones.
      if (!(error instanceof PacksChanged)) throw error;
      return false;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
