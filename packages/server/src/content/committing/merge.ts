import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { createPause } from '../../platform/cooperative.ts';
import { mergeCommits } from '../../platform/git/merging/merge-commits.ts';
import { encodeCommit } from '../../platform/git/objects/commit.ts';
import { withId } from '../../platform/git/objects/object.ts';
import type { Caller } from '../../platform/http/authenticate.ts';
import { createKeyedMutex } from '../../platform/mutex.ts';
import { authorOf } from '../../repositories/index.ts';
import type { RepositoryObjects } from '../objects.ts';
import { parsePointer } from '../pointer.ts';

/** Two commits to merge. */
export interface Heads {
  readonly repoId: string;
  /** The head of the branch. */
  readonly head: string;
  /** The head of the pull request. */
  readonly other: string;
}

export interface Merge extends Heads {
  readonly message: string;
}

/** The merge commit, or the paths with conflicts. */
export type MergeOutcome =
  | { readonly commit: string; readonly conflicts?: undefined }
  | { readonly conflicts: readonly string[] };

/** Writes a merge commit; no ref points to the commit yet. */
export type MakeMerge = (caller: Caller, merge: Merge) => Promise<MergeOutcome>;

/** Returns the paths with conflicts. */
export type FindConflicts = (heads: Heads) => Promise<readonly string[]>;

/** Bounds the conflict cache by the total number of characters in its keys and paths. */
const MAX_CACHED_CHARACTERS = 4_000_000;
/** Bounds how many paths with conflicts are reported. */
const MAX_NAMED = 1_000;

const isOpaque = (body: Buffer): boolean => parsePointer(body) !== undefined;

interface Dependencies {
  readonly clock: Clock;
  readonly objects: RepositoryObjects;
}

/** Merges commits; the merges of one repository run one after the other. */
export function createMerging({ clock, objects }: Dependencies) {
  const runExclusive = createKeyedMutex();
  const conflictCache = new LRUCache<string, readonly string[]>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (paths, key) => paths.reduce((sum, path) => sum + path.length, key.length),
  });

  const merge: MakeMerge = (caller, { repoId, head, other, message }) =>
    runExclusive(repoId, async () => {
      await objects.prepare(repoId);
      const repository = objects.open(repoId);
      const writer = repository.writer();
      try {
        const { tree, conflicts } = await mergeCommits(
          repository,
          { ours: head, theirs: other },
          { add: (object) => writer.add(object), isOpaque, pause: createPause() },
        );
        if (conflicts.length > 0) return { conflicts: conflicts.slice(0, MAX_NAMED) };
        const author = authorOf(caller.principal.userName, caller.hubUrl, clock.now());
        const parents = [...new Set([head, other])];
        const body = encodeCommit({ tree, parents, author, committer: author, message });
        const commit = await writer.add({ type: 'commit', body });
        await writer.finish();
        return { commit };
      } finally {
        await writer.discard();
      }
    });

  const findConflicts: FindConflicts = async ({ repoId, head, other }) => {
    const key = `${repoId} ${head} ${other}`;
    return runExclusive(repoId, async () => {
      const cached = conflictCache.get(key);
      if (cached) return cached;
      const { conflicts } = await mergeCommits(
        objects.open(repoId),
        { ours: head, theirs: other },
        { add: async (object) => withId(object).id, isOpaque, pause: createPause() },
      );
      const found = conflicts.slice(0, MAX_NAMED);
      conflictCache.set(key, found);
      return found;
    });
  };

  return { merge, findConflicts };
}
