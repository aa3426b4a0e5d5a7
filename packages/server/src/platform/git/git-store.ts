import { access, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { type DurableFiles, makeFolder, syncFolder } from '../durable-folders.ts';
import { isAbsent, newPackName, temporaryName, writeFileAtOnce } from './durable-files.ts';
import { writeLoose } from './loose-objects.ts';
import { archiveObjects } from './maintenance/archive-objects.ts';
import { copyObjects } from './maintenance/copy-objects.ts';
import { createFolderUpkeep } from './maintenance/folder-upkeep.ts';
import type { GitObject, NamedObject } from './objects/object.ts';
import { type GitRepository, openRepository, type ReadFallback, type TreeCache } from './repository.ts';

/** The maximum size of the object cache, shared by all repositories. */
const CACHE_BYTES = 32 * 1024 * 1024;
/** The estimated overhead of a cached object. */
const CACHE_OVERHEAD = 256;
/** The maximum number of entries in the cache of parsed trees, shared by all repositories; larger trees are not cached. */
const CACHED_ENTRIES = 200_000;
const MAX_OPEN = 200;

/**
 * The configuration for git clients of a bare repository: the hub repacks by itself, and partial clones are allowed.
 */
const CONFIG = `[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = true
\tlogAllRefUpdates = false
[gc]
\tauto = 0
[receive]
\tfsckObjects = true
[uploadpack]
\tallowFilter = true
\tallowReachableSHA1InWant = true
`;

export interface Ref {
  readonly ref: string;
  readonly sha: string;
}

export type GitStore = ReturnType<typeof createGitStore>;

/** Manages the bare repositories in a folder, which git can read: `<first two of the id>/<id>.git`. */
export function createGitStore(folder: string, files: DurableFiles) {
  const cache = new LRUCache<string, GitObject>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ body }) => body.length + CACHE_OVERHEAD,
  });
  const trees: TreeCache = new LRUCache({ maxSize: CACHED_ENTRIES, sizeCalculation: ({ length }) => length + 1 });
  const opened = new LRUCache<string, GitRepository>({ max: MAX_OPEN });
  const folderOf = (id: string): string => join(folder, id.slice(0, 2), `${id}.git`);

  async function exists(id: string): Promise<boolean> {
    return access(join(folderOf(id), 'HEAD')).then(
      () => true,
      () => false,
    );
  }

  /** Creates a bare repository unless it exists. */
  async function create(id: string): Promise<void> {
    if (await exists(id)) return;
    const path = folderOf(id);
    await makeFolder(join(path, 'objects', 'pack'), files);
    await makeFolder(join(path, 'refs', 'heads'), files);
    await writeFileAtOnce(join(path, 'config'), (handle) => handle.writeFile(CONFIG), files);
    // Git takes a folder with this file for a repository, so the file is written last.
    await writeFileAtOnce(join(path, 'HEAD'), (handle) => handle.writeFile('ref: refs/heads/main\n'), files);
    await syncFolder(path, files);
  }

  return {
    folderOf,
    exists,

    /** Opens a repository, which need not exist yet. */
    open(id: string, fallback?: ReadFallback): GitRepository {
      const known = opened.get(id);
      if (known) return known;
      const repository = openRepository({ folder: folderOf(id), files, cache, trees, fallback });
      opened.set(id, repository);
      return repository;
    },

    create,

    /** Returns a new path within a repository for a folder; it is deleted after a crash. */
    temporaryFolder: (id: string): string => temporaryName(folderOf(id)),

    /** Opens a folder like that of a repository for a short time. */
    openFolder: (path: string, fallback: ReadFallback): GitRepository =>
      openRepository({ folder: path, files, cache, trees, fallback }),

    /** Moves the packs of another folder, which are on the disk, into a repository. */
    async adoptPacks(id: string, from: string): Promise<void> {
      const source = join(from, 'objects', 'pack');
      const target = join(folderOf(id), 'objects', 'pack');
      const names = await readdir(source);
      for (const index of names.filter((name) => name.endsWith('.idx'))) {
        const [name, newName] = [index.slice(0, -'.idx'.length), newPackName()];
        // A pack counts once it has an index.
        for (const ending of ['.pack', '.rev', '.idx'])
          if (names.includes(name + ending)) await rename(join(source, name + ending), join(target, newName + ending));
      }
      await syncFolder(target, files);
    },

    /** Writes missing objects as loose objects. */
    writeLoose: (id: string, objects: readonly NamedObject[]): Promise<void> =>
      writeLoose(join(folderOf(id), 'objects'), objects, files),

    /** Writes all refs of a repository into `packed-refs` for git; returns whether they changed. */
    async writeRefs(id: string, refs: readonly Ref[]): Promise<boolean> {
      const path = join(folderOf(id), 'packed-refs');
      const lines = refs.map(({ ref, sha }) => `${sha} ${ref}\n`);
      const text = `# pack-refs with: sorted\n${lines.sort(byRef).join('')}`;
      const before = await readFile(path, 'utf8').catch((error: unknown) => {
        if (isAbsent(error)) return undefined;
        throw error;
      });
      if (before === text) return false;
      await writeFileAtOnce(path, (handle) => handle.writeFile(text), { durable: false });
      return true;
    },

    /** Creates a repository with all objects of another one; does nothing if the other one is not on the disk. */
    async copy(fromId: string, toId: string): Promise<void> {
      if (!(await exists(fromId))) return;
      await create(toId);
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

    /** Deletes all repositories when an in-memory hub closes. */
    deleteAll: (): Promise<void> => rm(folder, { recursive: true, force: true, maxRetries: 5 }),

    /** Deletes a repository with its content. */
    async delete(id: string): Promise<void> {
      opened.delete(id);
      await rm(folderOf(id), { recursive: true, force: true });
    },
  };
}

const REF_OFFSET = 41;

const byRef = (a: string, b: string): number => {
  const [left, right] = [Buffer.from(a.slice(REF_OFFSET)), Buffer.from(b.slice(REF_OFFSET))];
  return left.compare(right);
};
