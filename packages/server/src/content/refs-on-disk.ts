import { createRefresher } from '../platform/concurrency/refresher.ts';
import type { ReadExecutor } from '../platform/database/transaction.ts';
import type { Ref } from '../platform/git/bare-folder.ts';
import type { GitStore } from '../platform/git/git-store.ts';
import type { GitRepository } from '../platform/git/repository.ts';
import type { KeyedMutex } from '../platform/mutex.ts';
import { absentRoots } from './root-objects.ts';
import { gitRepoIds, refsWithTags, type StoredRef } from './store.ts';

const REPOS_PER_PAGE = 500;
/** The least time between two writes of the refs of one repository for stock git. */
const REFS_REST_MS = 200;

/** What writing refs to the disk has come to; a repository that is being deleted has none. */
type RefsWritten = 'none' | 'unchanged' | 'changed';

interface Dependencies {
  readonly read: ReadExecutor;
  readonly store: GitStore;
  /** Whether the folders are a cache, in which refs are written only when stock git is about to read them. */
  readonly isCache: boolean;
  readonly open: (repoId: string) => GitRepository;
  /** Returns the refs of a repository, all of whose objects are in its folder or are root commits. */
  readonly refsForGit: (repoId: string) => Promise<StoredRef[]>;
  /** Serializes the hub's own writes to one repository. */
  readonly runExclusive: KeyedMutex;
  readonly onRefsFailed: (error: unknown) => void;
}

/** Writes the refs on the disk from their rows, for stock git. */
export function createRefsOnDisk({ read, store, isCache, open, refsForGit, runExclusive, onRefsFailed }: Dependencies) {
  const writeRoots = async (repoId: string): Promise<void> =>
    store.writeLoose(repoId, await absentRoots(read, repoId, open(repoId)));

  const write = (repoId: string): Promise<RefsWritten> =>
    runExclusive(repoId, async () => {
      const rows = await refsForGit(repoId);
      // The folder of a deleted repository keeps its refs for whoever copies it.
      if (rows.length === 0) return 'none';
      await writeRoots(repoId);
      const hasChanged = await store.writeRefs(repoId, rows.map(refOf));
      if (hasChanged && !isSame(rows, await refsWithTags(read, repoId))) request(repoId);
      return hasChanged ? 'changed' : 'unchanged';
    });

  const refresher = createRefresher(async (repoId) => {
    try {
      if (await store.exists(repoId)) await write(repoId);
    } catch (error) {
      onRefsFailed(error);
    }
  }, REFS_REST_MS);

  /** Schedules an update for a repository that is on the disk. */
  function request(repoId: string): void {
    if (!isCache) refresher.request(repoId);
  }

  return {
    request,

    /** Writes the root commits that exist only as rows. */
    writeRoots,

    /**
     * Updates the refs from the rows, after writing any root commits that exist only as rows. Processes that share the folder
     * may overtake each other between reading and writing: whoever wrote compares the rows once more.
     */
    write,

    /** Resolves once the refs follow the rows. Throws if the folders are a cache and that fails. */
    run: async (repoId: string): Promise<void> => {
      if (isCache) await write(repoId);
      else await refresher.run(repoId);
    },

    /** Resolves once all requested updates are done. */
    settle: (): Promise<void> => refresher.settle(),

    /** Updates the refs of all repositories that are on the disk; returns how many changed. */
    async repair(isEnding: () => boolean): Promise<number> {
      let repaired = 0;
      for (let after = ''; !isCache && !isEnding(); ) {
        const ids = await gitRepoIds(read, after, REPOS_PER_PAGE);
        const last = ids.at(-1);
        if (last === undefined) break;
        for (const id of ids) if ((await store.exists(id)) && (await write(id)) === 'changed') repaired++;
        after = last;
      }
      return repaired;
    },
  };
}

/** Returns a ref as it is on the disk, where an annotated tag leads to its object. */
export const refOf = ({ ref, sha, tagId }: StoredRef): Ref => ({ ref, sha: tagId ?? sha });

/** Returns whether two lists have the same refs, in any order. */
function isSame(before: readonly StoredRef[], now: readonly StoredRef[]): boolean {
  const lines = (refs: readonly StoredRef[]) => refs.map(refOf).map(({ ref, sha }) => `${sha} ${ref}`);
  const known = new Set(lines(before));
  return before.length === now.length && lines(now).every((line) => known.has(line));
}
