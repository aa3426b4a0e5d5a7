import type { Clock } from '../../platform/clock.ts';
import type { GitStore } from '../../platform/git/git-store.ts';
import type { ObjectCounts } from '../../platform/git/maintenance/object-counts.ts';
import {
  countReachable,
  countStored,
  repackApart,
  repackGeometrically,
  writeCommitGraph,
} from '../../platform/git/maintenance/stock-repack.ts';
import { GitUnavailable, requireGit } from '../../platform/git/stock/git-version.ts';
import type { RepositoryObjects } from '../objects.ts';
import type { GitUpkeepRow } from '../tables.ts';
import {
  LEFTOVER_AGE_MS,
  MIN_LOOSE_TO_PACK,
  MIN_NEW_PACKS,
  PRUNE_AGE_MS,
  PRUNE_EVERY_MS,
  PRUNE_REST_MS,
  SOON_MS,
} from './pace.ts';

/** What a look at a repository has found and done. */
export interface Look {
  readonly counts: ObjectCounts;
  /** Present if the repository was packed. */
  readonly maintained?: { readonly durationMs: number; readonly bytesSaved: number };
  /** When to look for unreachable objects; null if there are none. */
  readonly pruneAt: number | null;
  /** When to look at the repository next, unless it changes; null if not. */
  readonly nextAt: number | null;
}

/** What was done to a repository. */
interface Maintained {
  readonly packed: boolean;
  readonly pruneAt: number | null;
}

interface Dependencies {
  readonly clock: Clock;
  readonly store: GitStore;
  readonly objects: Pick<RepositoryObjects, 'prepareForUpkeep'>;
  /** Notes that git begins to work on a repository, so that the rest afterwards is kept even if this process ends. */
  readonly onBegin: (repoId: string) => Promise<void>;
  /** Returns whether this machine has stock git of a version that serves. */
  readonly hasGit?: (() => Promise<boolean>) | undefined;
}

const isPackingDue = (row: GitUpkeepRow, { looseObjects, packs }: ObjectCounts): boolean =>
  looseObjects >= MIN_LOOSE_TO_PACK || packs - row.settled_packs >= MIN_NEW_PACKS;

const bytesIn = ({ looseBytes, packedBytes }: ObjectCounts): number => looseBytes + packedBytes;

/** Returns until when nothing is deleted after an attempt to pack. */
const restsUntil = ({ maintained_at, tried_at }: GitUpkeepRow): number =>
  Math.max(maintained_at ?? 0, tried_at ?? 0) + PRUNE_REST_MS;

const hasStockGit = (): Promise<boolean> =>
  requireGit().then(
    () => true,
    (error: unknown) => {
      if (error instanceof GitUnavailable) return false;
      throw error;
    },
  );

/**
 * Looks at the folder of a repository: deletes leftovers, packs where that is due, and sets objects apart to which no ref
 * leads. Nothing waits for it: it holds no lock while git works, and readers find each object before and after.
 *
 * What may not be lost, and why it is not:
 * - Refs are written to the disk from their rows first, so git knows them as the database does.
 * - An object that a commit or push in progress has written is young, and git keeps everything that a young object leads
 *   to. An object that was there already becomes young when a commit uses it again.
 * - An object that has just lost its last ref may be about to get another one. All objects are made young before the
 *   unreachable ones are set apart, so these stay for two weeks from then on, however old they are.
 */
export function createMaintenance({ clock, store, objects, onBegin, hasGit = hasStockGit }: Dependencies) {
  async function prune(repoId: string, roots: readonly string[], signal: AbortSignal): Promise<Maintained> {
    const work = { gitDir: store.folderOf(repoId), signal };
    const [now, again] = [clock.now(), clock.now() + PRUNE_EVERY_MS];
    const stored = await countStored(work);
    const unreachable = stored - (await countReachable(work, roots));
    if (unreachable <= 0) return { packed: false, pruneAt: null };
    const apart = await store.setApart(repoId);
    if (unreachable <= apart.objects && apart.oldestAt > now - PRUNE_AGE_MS) return { packed: false, pruneAt: again };
    // The graph forgets what is deleted, and does so before.
    await writeCommitGraph(work, { replace: true });
    await store.freshen(repoId, now);
    await repackApart(work, now - PRUNE_AGE_MS);
    // Root commits that were deleted come back from their rows.
    await objects.prepareForUpkeep(repoId);
    return { packed: true, pruneAt: again };
  }

  async function pack(repoId: string, signal: AbortSignal): Promise<void> {
    const work = { gitDir: store.folderOf(repoId), signal };
    await repackGeometrically(work);
    await writeCommitGraph(work);
  }

  async function packWithoutGit(row: GitUpkeepRow, counts: ObjectCounts, signal: AbortSignal): Promise<Maintained> {
    const isDue = row.requested_at !== null || counts.looseObjects >= MIN_LOOSE_TO_PACK;
    const packed = isDue && (await store.packLoose(row.repo_id, () => signal.aborted)) > 0;
    signal.throwIfAborted();
    return { packed, pruneAt: row.prune_at };
  }

  async function maintain(row: GitUpkeepRow, counts: ObjectCounts, signal: AbortSignal): Promise<Maintained> {
    const { repo_id: repoId, prune_at: pruneAt } = row;
    const isDue = row.requested_at !== null || isPackingDue(row, counts);
    const isPruneDue = pruneAt !== null && Math.max(pruneAt, restsUntil(row)) <= clock.now();
    const roots = isDue || isPruneDue ? await objects.prepareForUpkeep(repoId) : undefined;
    // A repository that has been deleted meanwhile has no refs, and nothing in it is to be deleted for that.
    if (!roots) return { packed: false, pruneAt };
    await onBegin(repoId);
    const pruned = isPruneDue ? await prune(repoId, roots, signal) : { packed: false, pruneAt };
    if (pruned.packed || !isDue) return pruned;
    await pack(repoId, signal);
    return { packed: true, pruneAt: pruned.pruneAt };
  }

  /** Throws the reason of the signal if that ends the work. */
  return async (row: GitUpkeepRow, signal: AbortSignal): Promise<Look> => {
    const { repo_id: repoId } = row;
    await store.deleteLeftovers(repoId, clock.now() - LEFTOVER_AGE_MS);
    const before = await store.count(repoId);
    if (!(await store.exists(repoId))) return { counts: before, pruneAt: null, nextAt: null };
    const usesGit = await hasGit();
    const startedAt = performance.now();
    const { packed, pruneAt } = await (usesGit ? maintain : packWithoutGit)(row, before, signal);
    const counts = packed ? await store.count(repoId) : before;
    const now = clock.now();
    const earliest = Math.max(now + SOON_MS, packed ? now + PRUNE_REST_MS : restsUntil(row));
    return {
      ...{ counts, pruneAt },
      nextAt: usesGit && pruneAt !== null ? Math.max(pruneAt, earliest) : null,
      ...(packed && {
        maintained: {
          durationMs: Math.round(performance.now() - startedAt),
          bytesSaved: bytesIn(before) - bytesIn(counts),
        },
      }),
    };
  };
}
