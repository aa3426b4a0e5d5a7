import type { Database } from '../platform/database/transaction.ts';
import type { GitStore } from '../platform/git/git-store.ts';
import type { GitRepository } from '../platform/git/repository.ts';
import { createKeyedMutex } from '../platform/mutex.ts';
import { type RootCommit, rootCommitsOf } from '../repositories/index.ts';
import type { BucketPacks } from './packs/bucket-packs.ts';
import { createRefsOnDisk } from './refs-on-disk.ts';
import { rootObject, withTree } from './root-objects.ts';
import { refsWithTags, type StoredRef } from './store.ts';

export type RepositoryObjects = ReturnType<typeof createRepositoryObjects>;

/** A folder that nobody deletes before this is disposed of. */
export type HeldFolder = Disposable;

interface Dependencies {
  readonly database: Database;
  readonly store: GitStore;
  /** Given if packs are kept in a bucket: then the folders of the store are a cache. */
  readonly packs?: BucketPacks | undefined;
  /** Called with the error when refs could not be written to the disk. */
  readonly onRefsFailed: (error: unknown) => void;
  /** Called with the id of a repository after each change of its refs. */
  readonly onChanged?: (repoId: string) => void;
}

/**
 * The git objects of repositories. Root commits stay rows until the first other commit, so creating a repository
 * touches no file. The refs on the disk follow the rows, for stock git; where the folders are a cache, they do when stock
 * git is about to read them.
 */
export function createRepositoryObjects({
  database: { read },
  store,
  packs,
  onRefsFailed,
  onChanged = () => {},
}: Dependencies) {
  /** Serializes the hub's own writes to one repository. */
  const runExclusive = createKeyedMutex();

  function open(repoId: string): GitRepository {
    packs?.touch(repoId);
    return store.open(repoId, { fallback: (id) => rootObject(read, repoId, id), ...packs?.placesOf(repoId) });
  }

  /** Returns the refs of a repository, all of whose objects are in its folder or are root commits. */
  async function refsForGit(repoId: string): Promise<StoredRef[]> {
    const rows = await refsWithTags(read, repoId);
    // The packs of a ref are recorded before the ref.
    await packs?.fetch(repoId);
    return rows;
  }

  const refs = createRefsOnDisk({
    read,
    store,
    isCache: packs !== undefined,
    open,
    refsForGit,
    runExclusive,
    onRefsFailed,
  });

  return {
    open,
    refsForGit,

    /** Creates the bare repository unless it exists; to be called before anything is written into it. */
    async prepare(repoId: string): Promise<void> {
      if (await store.exists(repoId)) return;
      await runExclusive(repoId, async () => {
        await store.create(repoId);
        await refs.writeRoots(repoId);
      });
      refs.request(repoId);
    },

    /**
     * Creates the bare repository unless it exists, and resolves once stock git finds all objects and refs in it. The folder
     * stays until the result is disposed of.
     */
    async prepareForGit(repoId: string): Promise<HeldFolder> {
      const held = packs?.hold(repoId) ?? { [Symbol.dispose]() {} };
      try {
        await store.create(repoId);
        await refs.run(repoId);
        return held;
      } catch (error) {
        held[Symbol.dispose]();
        throw error;
      }
    },

    /**
     * Writes the refs on the disk from the rows, before objects are deleted to which none leads, and returns the root
     * commits, which rows name whether a ref leads to them or not. Returns undefined if the repository has no refs any
     * more. Throws if the refs could not be written.
     */
    async prepareForUpkeep(repoId: string): Promise<readonly string[] | undefined> {
      if ((await refs.write(repoId)) === 'none') return undefined;
      return (await rootCommitsOf(read, repoId)).map(({ sha }) => sha);
    },

    /** Moves the packs of another folder, which are on the disk, into a repository. */
    adoptPacks: (repoId: string, from: string): Promise<void> =>
      packs ? packs.adopt(repoId, from) : store.adoptPacks(repoId, from),

    /** Creates the folder of a repository that has no row yet, with its future root commits. */
    async begin(repoId: string, roots: readonly RootCommit[]): Promise<void> {
      await store.create(repoId);
      await store.writeLoose(repoId, roots.flatMap(withTree));
    },

    /** Copies all objects of a repository into one that has no row yet. */
    copy: (fromId: string, toId: string): Promise<void> => (packs ?? store).copy(fromId, toId),

    /**
     * Schedules an update of the refs on the disk from the rows, if the repository is on the disk. Callers do not wait,
     * because the rows are authoritative; the next change or the next start of the hub repairs a failed update.
     */
    refsChanged: (repoId: string): void => {
      refs.request(repoId);
      onChanged(repoId);
    },

    /** Resolves once the refs on the disk follow the rows; to be called before the database closes. */
    settle: () => refs.settle(),

    /**
     * Repairs refs on the disk after a process ended between a transaction and its files; returns how many repositories
     * changed.
     */
    repairRefs: (isEnding: () => boolean): Promise<number> => refs.repair(isEnding),
  };
}
