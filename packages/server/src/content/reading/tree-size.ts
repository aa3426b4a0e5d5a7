import { boundedCache } from '../../platform/bounded-cache.ts';
import { mapCooperatively } from '../../platform/cooperative.ts';
import type { ReadExecutor } from '../../platform/database/transaction.ts';
import { isFolder, isModule, MODES, type TreeEntry } from '../../platform/git/objects/tree.ts';
import type { GitRepository } from '../../platform/git/repository.ts';
import { findEntry } from '../../platform/git/tree-walk.ts';
import type { ReadingCaller } from '../../platform/http/authenticate.ts';
import { type RepoName, readRepoFiles } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { ReadBlobFacts } from './blob-facts.ts';
import { entryNotFound } from './entry-not-found.ts';
import type { Revisions } from './revisions.ts';
import { revisionPathsIn } from './url-tail.ts';

/**
 * Bounds the cache of folder sizes, which all repositories share because an id stands for the same files everywhere.
 */
const MAX_CACHED = 50_000;
const API_PARTS = 5;

interface Dependencies {
  readonly read: ReadExecutor;
  readonly objects: RepositoryObjects;
  readonly revisions: Revisions;
  readonly factsOf: ReadBlobFacts;
}

/** The verb that adds up the sizes of the files in a folder. */
export function createTreeSize({ read, objects, revisions, factsOf }: Dependencies) {
  const cache = boundedCache<string, number>(MAX_CACHED);

  async function sizeOf(repository: GitRepository, entry: Pick<TreeEntry, 'id' | 'mode'>): Promise<number> {
    if (isModule(entry)) return 0;
    if (!isFolder(entry)) {
      const { size, pointer } = await factsOf(repository, entry.id);
      return pointer?.size ?? size;
    }
    const cached = cache.get(entry.id);
    if (cached !== undefined) return cached;
    const sizes = await mapCooperatively(await repository.readTree(entry.id), (each) => sizeOf(repository, each));
    const sum = sizes.reduce((total, size) => total + size, 0);
    cache.set(entry.id, sum);
    return sum;
  }

  return async (caller: ReadingCaller, name: RepoName) => {
    const repo = await readRepoFiles(read, caller, name);
    const at = await revisions.resolve(repo, revisionPathsIn(caller.url.slice(caller.baseUrl.length), API_PARTS));
    const repository = objects.open(repo.id);
    const { tree } = await repository.readCommit(at.commit);
    const entry = at.path === '' ? { id: tree, mode: MODES.folder } : await findEntry(repository, tree, at.path);
    if (!entry) throw entryNotFound(at);
    return { path: at.path, size: await sizeOf(repository, entry) };
  };
}
