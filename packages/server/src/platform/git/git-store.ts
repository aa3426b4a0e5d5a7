import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { DurableFiles } from '../durable-folders.ts';
import { createBare, isBare, type Ref, writePackedRefs } from './bare-folder.ts';
import { TEMPORARY, temporaryName } from './durable-files.ts';
import { writeLoose } from './loose-objects.ts';
import { archiveObjects } from './maintenance/archive-objects.ts';
import { copyObjects } from './maintenance/copy-objects.ts';
import { deleteFolder } from './maintenance/delete-folder.ts';
import { createFolderUpkeep } from './maintenance/folder-upkeep.ts';
import { type FolderUse, useOf } from './maintenance/folder-use.ts';
import { namesIn } from './maintenance/object-files.ts';
import { packLoose } from './maintenance/repack.ts';
import type { GitObject, NamedObject } from './objects/object.ts';
import { adoptPacks } from './packs/adopt-packs.ts';
import type { KeepPack } from './packs/finished-pack.ts';
import type { TreeBodies } from './packs/packed-objects.ts';
import {
  type GitRepository,
  MAX_OBJECT_BYTES,
  type OtherPlaces,
  openRepository,
  type ReadFallback,
  type TreeCache,
} from './repository.ts';

/** The maximum size of the object cache, shared by all repositories. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** The estimated overhead of a cached object. */
const CACHE_OVERHEAD = 256;
/** The maximum number of entries in the cache of parsed trees, shared by all repositories; larger trees are not cached. */
const CACHED_ENTRIES = 200_000;
/** The maximum size of the cache of unparsed trees, shared by all repositories. */
const TREE_BODIES_BYTES = 32 * 1024 * 1024;
const MAX_OPEN = 200;

export type GitStore = ReturnType<typeof createGitStore>;

/** Manages the bare repositories in a folder, which git can read: `<first two of the id>/<id>.git`. */
export function createGitStore(folder: string, files: DurableFiles) {
  const cache = new LRUCache<string, GitObject>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ body }) => body.length + CACHE_OVERHEAD,
  });
  const trees: TreeCache = new LRUCache({ maxSize: CACHED_ENTRIES, sizeCalculation: ({ length }) => length + 1 });
  const treeBodies: TreeBodies = new LRUCache({
    maxSize: TREE_BODIES_BYTES,
    sizeCalculation: ({ length }) => length + CACHE_OVERHEAD,
  });
  const opened = new LRUCache<string, GitRepository>({ max: MAX_OPEN });
  const folderOf = (id: string): string => join(folder, id.slice(0, 2), `${id}.git`);

  /** Lists the repositories on the disk. */
  async function* ids(): AsyncGenerator<string, void> {
    for (const first of await namesIn(folder, /^[0-9a-f]{2}$/))
      for (const name of await namesIn(join(folder, first), /^[0-9a-f]{24}\.git$/)) yield name.slice(0, -'.git'.length);
  }

  return {
    files,
    folderOf,

    exists: (id: string): Promise<boolean> => isBare(folderOf(id)),

    /** Opens a repository, which need not exist yet. */
    open(id: string, places: OtherPlaces = {}): GitRepository {
      const known = opened.get(id);
      if (known) return known;
      const repository = openRepository({ folder: folderOf(id), files, cache, trees, treeBodies, ...places });
      opened.set(id, repository);
      return repository;
    },

    /** Creates a bare repository unless it exists. */
    create: (id: string): Promise<void> => createBare(folderOf(id), files),

    /** Returns a new path within a repository for a folder; it is deleted after a crash. */
    temporaryFolder: (id: string): string => temporaryName(folderOf(id)),

    /** Opens a folder like that of a repository for a short time. */
    openFolder: (path: string, fallback: ReadFallback): GitRepository =>
      openRepository({ folder: path, files, cache, trees, treeBodies, fallback }),

    /** Moves the packs of another folder, which are on the disk, into a repository; each is kept first. */
    adoptPacks: (id: string, from: string, keep?: KeepPack): Promise<void> =>
      adoptPacks({ from: packFolderOf(from), to: packFolderOf(folderOf(id)), keep }, files),

    /** The folder with the packs of a repository. */
    packFolderOf: (id: string): string => packFolderOf(folderOf(id)),

    /** Writes missing objects as loose objects. */
    writeLoose: (id: string, objects: readonly NamedObject[]): Promise<void> =>
      writeLoose(join(folderOf(id), 'objects'), objects, files),

    /** Writes all refs of a repository into `packed-refs` for git; returns whether they changed. */
    writeRefs: (id: string, refs: readonly Ref[]): Promise<boolean> => writePackedRefs(folderOf(id), refs),

    /** Creates a repository with all objects of another one; does nothing if the other one is not on the disk. */
    async copy(fromId: string, toId: string): Promise<void> {
      if (!(await isBare(folderOf(fromId)))) return;
      await createBare(folderOf(toId), files);
      await copyObjects(join(folderOf(fromId), 'objects'), join(folderOf(toId), 'objects'), files);
    },

    /**
     * Copies the missing objects of a repository to another store, without refs, which are in the database. Returns the
     * paths of damaged files, which are not copied.
     */
    async archive(id: string, to: { readonly folderOf: (id: string) => string; create(id: string): Promise<void> }) {
      await to.create(id);
      return archiveObjects(join(folderOf(id), 'objects'), join(to.folderOf(id), 'objects'), files);
    },

    ...createFolderUpkeep(folderOf, files),

    /** Moves loose objects into a pack, also large ones; returns their number. */
    packAllLoose: (id: string): Promise<number> =>
      packLoose(join(folderOf(id), 'objects'), files, () => false, MAX_OBJECT_BYTES),

    /** Deletes all repositories when an in-memory hub closes. */
    deleteAll: (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 }),

    /** Deletes a repository with its content. */
    async delete(id: string): Promise<void> {
      opened.delete(id);
      await deleteFolder(folder, folderOf(id));
    },

    ids,

    /** Lists the repositories on the disk with their sizes. */
    async *uses(): AsyncGenerator<FolderUse & { readonly id: string }, void> {
      for await (const id of ids()) yield { id, ...(await useOf(folderOf(id))) };
    },

    /** Returns whether something is being written into a repository. */
    async isInUse(id: string): Promise<boolean> {
      const path = folderOf(id);
      const names = await Promise.all([path, packFolderOf(path)].map((each) => namesIn(each, TEMPORARY)));
      return names.flat().length > 0;
    },
  };
}

const packFolderOf = (path: string): string => join(path, 'objects', 'pack');
